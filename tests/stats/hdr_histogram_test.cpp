#include "stats/hdr_histogram.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

std::string bytes_of_base64(const std::string& text) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < text.size() && text[i] != '='; ++i) {
    bits = bits << 6 | static_cast<std::uint32_t>(letters.find(text[i]));
    if (i % 4 != 0) bytes += static_cast<char>(bits >> (6 - 2 * (i % 4)) & 0xff);
  }
  return bytes;
}

std::string inflated(const std::string& zlib) {
  std::string plain(1 << 20, '\0');
  uLongf size = plain.size();
  ::uncompress(reinterpret_cast<Bytef*>(plain.data()), &size, reinterpret_cast<const Bytef*>(zlib.data()), zlib.size());
  plain.resize(size);
  return plain;
}

/// What a reader makes of it, by the rules of HdrHistogram: the sub-buckets that are not empty.
class Decoded {
 public:
  explicit Decoded(const LatencyHistogram& latency) {
    const std::string plain = inflated(bytes_of_base64(hdr_encoded(latency)).substr(8));
    const int digits = plain[15];
    const auto largest_of_unit_1 = static_cast<std::uint64_t>(2 * std::pow(10, digits));
    half_bits_ = static_cast<int>(std::bit_width(largest_of_unit_1 - 1)) - 1;
    std::size_t place = 0;
    for (std::size_t at = 40; at < plain.size();) {
      const std::int64_t number = taken(plain, at);
      if (number < 0) place += static_cast<std::size_t>(-number);
      else add(place++, static_cast<std::uint64_t>(number));
    }
  }
  std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const Bucket& bucket : buckets_) all += bucket.count;
    return all;
  }
  /// getValueAtPercentile(): the highest value that is equivalent.
  double percentile(double percent) const {
    const auto rank = static_cast<std::uint64_t>(std::ceil(percent / 100 * static_cast<double>(count()) - 1e-9));
    std::uint64_t seen = 0;
    for (const Bucket& bucket : buckets_)
      if ((seen += bucket.count) >= rank) return bucket.low + bucket.width - 1;
    return -1;
  }
  /// getMean(): of the values in the middle of what is equivalent.
  double mean() const {
    double total = 0;
    for (const Bucket& bucket : buckets_)
      total += static_cast<double>(bucket.count) * (bucket.low + std::floor(bucket.width / 2));
    return total / static_cast<double>(count());
  }

 private:
  struct Bucket {
    double low = 0, width = 1;
    std::uint64_t count = 0;
  };
  void add(std::size_t place, std::uint64_t count) {
    const std::size_t half = std::size_t{1} << half_bits_, octave = place >> half_bits_;
    const double width = octave < 2 ? 1 : std::ldexp(1, static_cast<int>(octave) - 1);
    const std::size_t sub = octave < 2 ? place : (place & (half - 1)) + half;
    buckets_.push_back({static_cast<double>(sub) * width, width, count});
  }
  static std::int64_t taken(const std::string& bytes, std::size_t& at) {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.at(at++));
      number |= static_cast<std::uint64_t>(shift == 56 ? byte : byte & 127) << shift;
      if (byte < 128 || shift == 56) break;
    }
    return static_cast<std::int64_t>(number >> 1) ^ -static_cast<std::int64_t>(number & 1);
  }

  int half_bits_ = 0;
  std::vector<Bucket> buckets_;
};

/// Spread over all of each bucket from 10 us to 20 ms.
LatencyHistogram smooth() {
  LatencyHistogram latency;
  Random random(1);
  for (int i = 0; i < 200'000; ++i) latency.record(Nanos(std::int64_t(1e4 * std::pow(2000, random.uniform()))));
  return latency;
}

TEST(HdrEncoded, ReadersTellThePercentilesThatAreReportedWithinHalfABucket) {
  LatencyHistogram few;
  for (const std::int64_t ns : {0, 1, 100, 127, 128, 129, 255, 256, 3000, 70'000, 1'234'567, 987'654'321})
    few.record(Nanos(ns));
  for (const LatencyHistogram& latency : {smooth(), few}) {
    const Decoded theirs(latency);
    EXPECT_EQ(theirs.count(), latency.count());
    for (const double percent : {1.0, 10.0, 25.0, 50.0, 75.0, 90.0}) {
      const auto ours = static_cast<double>(latency.percentile(percent).count());
      EXPECT_NEAR(theirs.percentile(percent), ours, LatencyHistogram::half_bucket_share * ours) << percent;
    }
  }
}

TEST(HdrEncoded, ReadersTellAMeanThatIsNotBiased) {
  const LatencyHistogram latency = smooth();
  EXPECT_NEAR(Decoded(latency).mean() / latency.mean(), 1, 0.0007);
}

TEST(HdrEncoded, ReadersTellTheMaximumWhereverItLiesInItsBucket) {
  for (const std::int64_t max : {1'000'000, 1'008'000, 1'015'000, 1'015'807})
    for (const int others : {0, 5}) {
      LatencyHistogram latency;
      for (int i = 0; i < others; ++i) latency.record(Nanos(1'000'000));
      latency.record(Nanos(max));
      const double theirs = Decoded(latency).percentile(100);
      EXPECT_GE(theirs, static_cast<double>(max));
      EXPECT_LE(theirs, static_cast<double>(max) * 1.001);
    }
}

TEST(HdrEncoded, AnHourIsInRange) {
  LatencyHistogram latency;
  latency.record(std::chrono::hours(2));  // counts as one
  EXPECT_NEAR(Decoded(latency).percentile(100), 3600e9, 3.6e9);
}

}  // namespace
}  // namespace edagen
