#include "edagen/parts/size_distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace edagen {
namespace {

std::vector<double> slot_weights(const std::vector<SizeDistribution::Slot>& slots) {
  std::vector<double> weights;
  for (const auto& slot : slots) weights.push_back(slot.weight);
  return weights;
}

/// The mean of exp(N(mu, sigma^2)), clamped to [low, high].
double clamped_mean(double mu, double sigma, double low, double high) {
  const auto share_below = [](double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; };
  const double to_low = (std::log(low) - mu) / sigma, to_high = (std::log(high) - mu) / sigma;
  const double share_within = share_below(to_high - sigma) - share_below(to_low - sigma);
  return low * share_below(to_low) + std::exp(mu + sigma * sigma / 2) * share_within + high * share_below(-to_high);
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
    mean_ = clamped_mean(log_median_, sigma, static_cast<double>(min_), static_cast<double>(max_));
  }
}

Bytes SizeDistribution::sample(Random& random) const {
  if (sigma_ > 0) {
    const double size = std::exp(log_median_ + sigma_ * random.normal());
    return size >= static_cast<double>(max_) ? max_ : std::max(min_, static_cast<Bytes>(std::llround(size)));
  }
  const Slot& slot = slots_.size() == 1 ? slots_.front() : slots_[choice_.sample(random)];
  if (slot.low == slot.high) return slot.low;
  return slot.low + static_cast<Bytes>(random.below(static_cast<std::uint64_t>(slot.high - slot.low + 1)));
}

}  // namespace edagen
