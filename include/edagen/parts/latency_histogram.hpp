// Counts latencies in buckets of constant relative width, so that any percentile can be read afterwards.
#pragma once

#include <algorithm>
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
  /// In ns.
  static constexpr std::int64_t lowest(std::size_t bucket) {
    if (bucket < 2 * octave) return static_cast<std::int64_t>(bucket);
    const std::size_t shift = (bucket >> sub_bits) - 1;
    return static_cast<std::int64_t>(((bucket & (octave - 1)) + octave) << shift);
  }
  static constexpr std::int64_t highest(std::size_t bucket) { return lowest(bucket + 1) - 1; }
};

/// The rank from 1 of the smallest of `count` values that `percent` of them do not exceed.
std::uint64_t rank_of_percentile(std::uint64_t count, double percent);

/// The values that a histogram has counted in one bucket. Only their number is known: they are taken to be spread
/// evenly from `lowest` to `highest` ns, each in the middle of its share of this range.
struct BucketValues {
  std::int64_t lowest = 0, highest = 0;
  std::uint64_t count = 0;

  /// `rank`: among these values, from 1 to `count`.
  std::int64_t of_rank(std::uint64_t rank) const;
  /// How many are at most `limit`: the highest rank whose value is.
  std::uint64_t at_most(std::int64_t limit) const;
};

/// The value with `rank` (at least 1, and at most the sum of the counts) in a histogram of values from `min` to `max`,
/// with `counts[0]` of them in bucket `first`.
template <class Buckets>
std::int64_t value_of_rank(std::uint64_t rank, const std::vector<std::uint64_t>& counts, std::size_t first,
                           std::int64_t min, std::int64_t max) {
  std::size_t place = 0;
  for (; rank > counts[place]; ++place) rank -= counts[place];
  const std::size_t bucket = first + place;
  return BucketValues{std::max(Buckets::lowest(bucket), min), std::min(Buckets::highest(bucket), max), counts[place]}
      .of_rank(rank);
}

/// Log-linear: 64 buckets to the octave, 1 ns wide below 128 ns, and above 0.8 to 1.6 % of their values. A value above
/// 1 hour counts as 1 hour. Mean, minimum and maximum are exact.
/// Not thread-safe; merge() puts together what different threads have counted.
class LatencyHistogram {
  using Buckets = LogLinearBuckets<6>;

 public:
  /// Half the width of a bucket over its values: at most 0.8 %.
  static constexpr double half_bucket_share = 0.5 / static_cast<double>(Buckets::octave);

  void record(Nanos latency) {
    const std::int64_t value = latency.count() < 0 ? 0 : latency.count() > longest ? longest : latency.count();
    if (counts_.empty()) counts_.resize(buckets);
    ++counts_[Buckets::of(static_cast<std::uint64_t>(value))];
    ++count_;
    total_ += static_cast<double>(value);
    if (value < min_) min_ = value;
    if (value > max_) max_ = value;
  }

  void merge(const LatencyHistogram& other);
  void clear();

  std::uint64_t count() const { return count_; }
  Nanos max() const { return Nanos(max_); }
  double mean() const { return count_ == 0 ? 0 : total_ / static_cast<double>(count_); }  ///< ns
  double total() const { return total_; }                                                 ///< ns

  /// The smallest recorded value that `percent` of the values do not exceed. It is exact where it is the smallest or
  /// the largest value, as p99 of fewer than 100 values is. Between these it is interpolated: the values of a bucket
  /// are taken to be spread evenly over the bucket, in the bucket of the minimum from the minimum on, in that of the
  /// maximum up to it. So a percentile is off by less than a bucket, 1.6 %, whatever the values. Where their density
  /// hardly changes within a bucket, the error is of chance: about the bucket's width / (2 sqrt(n)) for n values in it.
  /// 0 when empty. percent in [0, 100].
  Nanos percentile(double percent) const;

  /// Share of the values that are at most `limit`, 0 to 1, each where percentile() has it: a percentile is at most
  /// `limit` exactly when so many percent of the values are.
  double share_below(Nanos limit) const;

  /// A view of the buckets that are not empty: calls f(lowest ns, highest ns, count), ascending.
  template <class F>
  void for_each_bucket(F f) const {
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if (counts_[i] != 0) f(Buckets::lowest(i), Buckets::highest(i), counts_[i]);
  }

  friend void fields(auto&& visit, Is<LatencyHistogram> auto& histogram) {
    visit("counts", histogram.counts_);
    visit("count", histogram.count_);
    visit("total", histogram.total_);
    visit("min", histogram.min_);
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
  std::int64_t min_ = longest;  ///< while there is no value
  std::int64_t max_ = 0;
};

}  // namespace edagen
