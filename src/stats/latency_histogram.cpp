#include "edagen/parts/latency_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace edagen {

std::uint64_t rank_of_percentile(std::uint64_t count, double percent) {
  return std::max<std::uint64_t>(
      1, static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(count) - 1e-9)));
}

std::size_t place_of_rank(const std::vector<std::uint64_t>& counts, std::uint64_t rank) {
  std::size_t place = 0;
  for (std::uint64_t seen = 0; place < counts.size(); ++place)
    if ((seen += counts[place]) >= rank) break;
  return place;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  if (other.count_ == 0) return;
  if (counts_.empty()) counts_.resize(buckets);
  for (std::size_t i = 0; i < other.buckets_used(); ++i) counts_[i] += other.counts_[i];
  count_ += other.count_;
  total_ += other.total_;
  max_ = std::max(max_, other.max_);
}

void LatencyHistogram::clear() {
  if (count_ == 0) return;
  std::fill_n(counts_.begin(), buckets_used(), 0);
  count_ = 0;
  total_ = 0;
  max_ = 0;
}

Nanos LatencyHistogram::percentile(double percent) const {
  const std::uint64_t rank = rank_of_percentile(count_, percent);
  return Nanos(rank >= count_ ? max_ : std::min(Buckets::middle(place_of_rank(counts_, rank)), max_));
}

double LatencyHistogram::share_below(Nanos limit) const {
  if (count_ == 0) return 0;
  if (max() <= limit) return 1;
  std::uint64_t within = 0;
  for (std::size_t i = 0; i < counts_.size() && Buckets::middle(i) <= limit.count(); ++i) within += counts_[i];
  return static_cast<double>(std::min(within, count_ - 1)) / static_cast<double>(count_);
}

}  // namespace edagen
