#include "edagen/parts/compact_histogram.hpp"

namespace edagen {

void CompactHistogram::cover(std::size_t first, std::size_t end) {
  if (counts_.empty()) first_ = first;
  if (first < first_) {
    counts_.insert(counts_.begin(), first_ - first, 0);
    first_ = first;
  }
  if (end > first_ + counts_.size()) counts_.resize(end - first_);
}

void CompactHistogram::merge(const CompactHistogram& other) {
  if (other.count_ == 0) return;
  const std::size_t end = other.first_ + other.counts_.size();
  if (other.first_ < first_ || end > first_ + counts_.size()) cover(other.first_, end);
  for (std::size_t i = 0; i < other.counts_.size(); ++i) counts_[other.first_ - first_ + i] += other.counts_[i];
  count_ += other.count_;
  total_ += other.total_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void CompactHistogram::clear() {
  if (count_ == 0) return;
  std::ranges::fill(counts_, 0);
  count_ = 0;
  total_ = 0;
  min_ = none;
  max_ = 0;
}

NanosF CompactHistogram::mean() const { return count_ == 0 ? NanosF(0) : total() / static_cast<double>(count_); }

Nanos CompactHistogram::percentile(double percent) const {
  const std::uint64_t rank = rank_of_percentile(count_, percent);
  if (rank >= count_) return max();
  return Nanos(rank == 1 ? min_ : value_of_rank<Buckets>(rank, counts_, first_, min_, max_));
}

bool CompactHistogram::operator==(const CompactHistogram& other) const {
  if (count_ != other.count_ || total_ != other.total_ || min_ != other.min_ || max_ != other.max_) return false;
  const auto at = [](const CompactHistogram& histogram, std::size_t bucket) {
    return bucket - histogram.first_ < histogram.counts_.size() ? histogram.counts_[bucket - histogram.first_] : 0;
  };
  const std::size_t end = std::max(first_ + counts_.size(), other.first_ + other.counts_.size());
  for (std::size_t bucket = std::min(first_, other.first_); count_ > 0 && bucket < end; ++bucket)
    if (at(*this, bucket) != at(other, bucket)) return false;
  return true;
}

}  // namespace edagen
