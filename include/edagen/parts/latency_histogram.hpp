// Counts latencies in buckets of constant relative width, so that any percentile can be read afterwards.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/parts/fields.hpp"

namespace edagen {

/// Log-linear buckets, 2^`sub_bits` to the octave and 1 ns wide below twice as many ns.
template <int sub_bits>
struct LogLinearBuckets {
  static constexpr std::size_t octave = std::size_t{1} << sub_bits;
  static constexpr std::size_t of(std::uint64_t ns) {
    const auto width = static_cast<std::size_t>(std::bit_width(ns | (2 * octave - 1)));
    const std::size_t shift = width - (sub_bits + 1);
    return (shift << sub_bits) + static_cast<std::size_t>(ns >> shift);
  }
  /// In ns. The highest value is one below the lowest of the next bucket.
  static constexpr std::int64_t lowest(std::size_t bucket) {
    if (bucket < 2 * octave) return static_cast<std::int64_t>(bucket);
    const std::size_t shift = (bucket >> sub_bits) - 1;
    return static_cast<std::int64_t>(((bucket & (octave - 1)) + octave) << shift);
  }
  static constexpr std::int64_t middle(std::size_t bucket) { return (lowest(bucket) + lowest(bucket + 1) - 1) / 2; }
};

/// The rank from 1 of the smallest of `count` values that `percent` of them do not exceed.
std::uint64_t rank_of_percentile(std::uint64_t count, double percent);
/// The place in `counts` of the value with this rank; the end when there are fewer values.
std::size_t place_of_rank(const std::vector<std::uint64_t>& counts, std::uint64_t rank);

/// Log-linear: 64 buckets to the octave, 1 ns wide below 128 ns. A value is known within 0.8 % (half a bucket) from
/// 128 ns to 1 hour and exactly below; above 1 hour it counts as 1 hour. Mean and maximum are exact.
/// Not thread-safe; merge() puts together what different threads have counted.
class LatencyHistogram {
  using Buckets = LogLinearBuckets<6>;

 public:
  /// What a percentile may be off by, over its value: half a bucket, 0.8 % at most.
  static constexpr double half_bucket_share = 0.5 / static_cast<double>(Buckets::octave);

  void record(Nanos latency) {
    const std::int64_t value = latency.count() < 0 ? 0 : latency.count() > longest ? longest : latency.count();
    if (counts_.empty()) counts_.resize(buckets);
    ++counts_[Buckets::of(static_cast<std::uint64_t>(value))];
    ++count_;
    total_ += static_cast<double>(value);
    if (value > max_) max_ = value;
  }

  void merge(const LatencyHistogram& other);
  void clear();

  std::uint64_t count() const { return count_; }
  Nanos max() const { return Nanos(max_); }
  double mean() const { return count_ == 0 ? 0 : total_ / static_cast<double>(count_); }  ///< ns
  double total() const { return total_; }                                                 ///< ns

  /// The smallest recorded value that `percent` of the values do not exceed: the middle of its bucket, or the exact
  /// maximum where it is the largest value, as for p99 of fewer than 100 values. 0 when empty. percent in [0, 100].
  Nanos percentile(double percent) const;

  /// Share of the values that are at most `limit`, 0 to 1, each as percentile() has it: the middle of its bucket, and
  /// the exact maximum. So a percentile is at most `limit` when so many percent of the values are.
  double share_below(Nanos limit) const;

  /// A view of the buckets that are not empty: calls f(lowest ns, highest ns, count), ascending.
  template <class F>
  void for_each_bucket(F f) const {
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] != 0) f(Buckets::lowest(i), Buckets::lowest(i + 1) - 1, counts_[i]);
  }

  friend void fields(auto&& visit, Is<LatencyHistogram> auto& histogram) {
    visit("counts", histogram.counts_);
    visit("count", histogram.count_);
    visit("total", histogram.total_);
    visit("max", histogram.max_);
  }

 private:
  static constexpr std::int64_t longest = 3600ll * 1000 * 1000 * 1000;
  static constexpr std::size_t buckets = Buckets::of(longest) + 1;
  /// All buckets from here on are empty.
  std::size_t buckets_used() const { return Buckets::of(static_cast<std::uint64_t>(max_)) + 1; }

  std::vector<std::uint64_t> counts_;  ///< empty until the first value comes
  std::uint64_t count_ = 0;
  double total_ = 0;
  std::int64_t max_ = 0;
};

}  // namespace edagen
