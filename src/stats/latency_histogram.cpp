#include "edagen/parts/latency_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

std::uint64_t rank_of_percentile(std::uint64_t count, double percent) {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(count) - 1e-9)));
}

std::int64_t BucketValues::of_rank(std::uint64_t rank) const {
  const double share = (static_cast<double>(rank) - 0.5) / static_cast<double>(count);
  return lowest + static_cast<std::int64_t>(share * static_cast<double>(highest - lowest));
}

std::uint64_t BucketValues::at_most(std::int64_t limit) const {
  std::uint64_t least = 0, most = count;
  while (least < most) {
    const std::uint64_t rank = most - (most - least) / 2;
    if (of_rank(rank) <= limit) least = rank;
    else most = rank - 1;
  }
  return least;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  if (counts_.empty()) counts_.resize(buckets);
  for (std::size_t i = 0; i < other.buckets_used(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  total_ += other.total_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void LatencyHistogram::clear() {
  if (count_ == 0) return;
  std::fill_n(counts_.begin(), buckets_used(), 0);
  count_ = 0;
  total_ = 0;
  min_ = longest;
  max_ = 0;
}

Nanos LatencyHistogram::percentile(double percent) const {
  const std::uint64_t rank = rank_of_percentile(count_, percent);
  if (rank >= count_) return max();
  return Nanos(rank == 1 ? min_ : value_of_rank<Buckets>(rank, counts_, 0, min_, max_));
}

double LatencyHistogram::share_below(Nanos limit) const {
  if (count_ == 0 || limit.count() < min_) return 0;
  if (limit >= max()) return 1;
  const std::size_t bucket = Buckets::of(static_cast<std::uint64_t>(limit.count()));
  const BucketValues around{std::max(Buckets::lowest(bucket), min_), std::min(Buckets::highest(bucket), max_),
                            counts_[bucket]};
  std::uint64_t within = around.at_most(limit.count());
  for (std::size_t i = 0; i < bucket; ++i) within += counts_[i];
  // The smallest value is within the limit and the largest is not: both are exact.
  return static_cast<double>(std::clamp<std::uint64_t>(within, 1, count_ - 1)) / static_cast<double>(count_);
}

}  // namespace edagen
