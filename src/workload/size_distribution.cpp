#include "edagen/parts/size_distribution.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {
namespace {

std::vector<double> slot_weights(const std::vector<SizeDistribution::Slot>& slots) {
  std::vector<double> weights;
  for (const auto& slot : slots) weights.push_back(slot.weight);
  return weights;
}

}  // namespace

SizeDistribution SizeDistribution::fixed(Bytes size) { return weighted({{size, size, 1}}); }
SizeDistribution SizeDistribution::uniform(Bytes low, Bytes high) { return weighted({{low, high, 1}}); }
SizeDistribution SizeDistribution::weighted(std::vector<Slot> slots) { return {std::move(slots), 0, 0}; }

SizeDistribution SizeDistribution::lognormal(Bytes median, double sigma, Bytes low, Bytes high) {
  return {{{low, high, 1}}, static_cast<double>(median), sigma};
}

SizeDistribution::SizeDistribution(std::vector<Slot> slots, double median, double sigma)
    : slots_(std::move(slots)), choice_(slot_weights(slots_)), sigma_(sigma), min_(slots_.front().low) {
  double total = 0;
  for (const Slot& slot : slots_) {
    mean_ += slot.weight * static_cast<double>(slot.low + slot.high) / 2;
    total += slot.weight;
    min_ = std::min(min_, slot.low);
    max_ = std::max(max_, slot.high);
  }
  mean_ /= total;
  if (median > 0) {
    log_median_ = std::log(median);
    mean_ = median * std::exp(sigma * sigma / 2);
  }
}

Bytes SizeDistribution::sample(Random& random) const {
  if (log_median_ > 0) {
    const double size = std::exp(log_median_ + sigma_ * random.normal());
    return size >= static_cast<double>(max_) ? max_ : std::max(min_, static_cast<Bytes>(std::llround(size)));
  }
  const Slot& slot = slots_.size() == 1 ? slots_.front() : slots_[choice_.sample(random)];
  if (slot.low == slot.high) return slot.low;
  return slot.low + static_cast<Bytes>(random.below(static_cast<std::uint64_t>(slot.high - slot.low + 1)));
}

}  // namespace edagen
