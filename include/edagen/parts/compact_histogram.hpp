// Counts latencies in few buckets, for thousands of clients.
#pragma once

#include <algorithm>
#include <limits>

#include "edagen/parts/latency_histogram.hpp"

namespace edagen {

/// Log-linear, 8 buckets to the octave: a percentile is off by less than a bucket, 12.5 %, and where latencies are
/// spread smoothly over a bucket by 1 or 2 %. Mean, minimum and maximum are exact. Memory is for the range of values
/// that came alone, a few hundred bytes. Not thread-safe.
class CompactHistogram {
 public:
  void record(Nanos latency) {
    const std::int64_t value = std::max<std::int64_t>(latency.count(), 0);
    const std::size_t bucket = Buckets::of(static_cast<std::uint64_t>(value));
    if (bucket - first_ >= counts_.size()) [[unlikely]]
      cover(bucket - std::min(bucket, Buckets::octave), bucket + 1 + Buckets::octave);
    ++counts_[bucket - first_];
    ++count_;
    total_ += static_cast<double>(value);
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }
  void merge(const CompactHistogram& other);
  void clear();

  std::uint64_t count() const { return count_; }
  NanosF mean() const;  ///< 0 when empty
  NanosF total() const { return NanosF(total_); }
  Nanos max() const { return Nanos(max_); }
  /// As LatencyHistogram::percentile(), with these buckets.
  Nanos percentile(double percent) const;

  /// Whether the same values were counted, whatever range there is memory for.
  bool operator==(const CompactHistogram& other) const;

  friend void fields(auto&& visit, Is<CompactHistogram> auto& histogram) {
    visit("first", histogram.first_);
    visit("counts", histogram.counts_);
    visit("count", histogram.count_);
    visit("total", histogram.total_);
    visit("min", histogram.min_);
    visit("max", histogram.max_);
  }

 private:
  using Buckets = LogLinearBuckets<3>;
  static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  /// Makes room for the buckets from `first` to before `end`.
  void cover(std::size_t first, std::size_t end);

  std::size_t first_ = 0;              ///< the bucket of counts_[0]
  std::vector<std::uint64_t> counts_;  ///< the buckets below and above are empty
  std::uint64_t count_ = 0;
  double total_ = 0;         ///< ns; of days of ops in flight an integer would overflow
  std::int64_t min_ = none;  ///< while there is no value
  std::int64_t max_ = 0;
};

}  // namespace edagen
