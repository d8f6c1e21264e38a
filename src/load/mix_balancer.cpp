#include "load/mix_balancer.hpp"

#include <limits>

namespace edagen {
namespace {

/// Ops by which the rarest kind may be ahead, since workers take ops in batches.
constexpr double ops_ahead = 32;

}  // namespace

MixBalancer::MixBalancer(const std::vector<double>& shares)
    : kinds_(std::make_unique<Kind[]>(shares.size())), count_(shares.size()) {
  for (std::size_t i = 0; i < count_; ++i) {
    if (shares[i] <= 0) continue;
    kinds_[i].step = 1 / shares[i];
    slack_ = std::max(slack_, ops_ahead * kinds_[i].step);
  }
}

double MixBalancer::least_progress() const {
  double least = std::numeric_limits<double>::max();
  for (std::size_t i = 0; i < count_; ++i)
    if (kinds_[i].step > 0) least = std::min(least, progress(i));
  return least;
}

}  // namespace edagen
