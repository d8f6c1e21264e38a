#include "stats/hdr_histogram.hpp"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <map>
#include <string_view>

namespace edagen {
namespace {

constexpr std::uint32_t plain_cookie = 0x1c849313, compressed_cookie = 0x1c849314;
/// Readers take the upper end of a sub-bucket for a percentile and its middle for a mean. With 3 digits both are close
/// to the middle of our bucket, which is 16 times as wide.
constexpr std::uint32_t significant_digits = 3;
constexpr int sub_bits = 10;  ///< for 3 digits: 1024 sub-buckets to the octave, and 2048 in the first
constexpr std::uint64_t highest_trackable = 3600ull * 1000 * 1000 * 1000;

void add(std::string& bytes, std::unsigned_integral auto value) {
  for (std::size_t i = sizeof(value); i-- > 0;) bytes += static_cast<char>(value >> (8 * i) & 0xff);
}

std::size_t place_of(std::uint64_t value) {
  const auto width = static_cast<int>(std::bit_width(value | ((2ull << sub_bits) - 1)));
  const int shift = width - (sub_bits + 1);
  return (static_cast<std::size_t>(shift) << sub_bits) + static_cast<std::size_t>(value >> shift);
}

/// Appends a ZigZag LEB128 number of up to 9 bytes, the last of which has 8 bits.
void add_number(std::string& bytes, std::int64_t number) {
  auto left = static_cast<std::uint64_t>(number) << 1 ^ static_cast<std::uint64_t>(number >> 63);
  for (int i = 0; i < 8 && left >= 0x80; ++i, left >>= 7) bytes += static_cast<char>(left | 0x80);
  bytes += static_cast<char>(left);
}

std::map<std::size_t, std::uint64_t> by_place(const LatencyHistogram& latency) {
  std::map<std::size_t, std::uint64_t> counts;
  const std::int64_t max = latency.max().count();
  latency.for_each_bucket([&](std::int64_t low, std::int64_t high, std::uint64_t count) {
    if (high >= max) {  // the last bucket, in which the maximum is exact
      ++counts[place_of(static_cast<std::uint64_t>(max))];
      if (--count == 0) return;
    }
    counts[place_of(static_cast<std::uint64_t>(std::min((low + high) / 2, max)))] += count;
  });
  return counts;
}

/// The counts by sub-bucket; a run of zeros is one negative number.
std::string counts_of(const LatencyHistogram& latency) {
  std::string bytes;
  std::size_t next = 0;
  for (const auto& [place, count] : by_place(latency)) {
    if (place > next) add_number(bytes, -static_cast<std::int64_t>(place - next));
    add_number(bytes, static_cast<std::int64_t>(count));
    next = place + 1;
  }
  return bytes;
}

/// Compresses to a zlib stream (RFC 1950).
std::string zlib_of(const std::string& bytes) {
  uLongf size = ::compressBound(bytes.size());
  std::string packed(size, '\0');
  ::compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
             bytes.size());
  packed.resize(size);
  return packed;
}

/// Encodes in base64 (RFC 4648).
std::string base64_of(const std::string& bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0u);
    for (std::size_t i = 0; i < 4; ++i) text += at + i > bytes.size() ? '=' : letters[three >> (18 - 6 * i) & 63];
  }
  return text;
}

}  // namespace

std::string hdr_encoded(const LatencyHistogram& latency) {
  const std::string counts = counts_of(latency);
  std::string plain;
  add(plain, plain_cookie);
  add(plain, static_cast<std::uint32_t>(counts.size()));
  add(plain, std::uint32_t{0});  // normalizing index offset
  add(plain, significant_digits);
  add(plain, std::uint64_t{1});  // lowest discernible value
  add(plain, highest_trackable);
  add(plain, std::bit_cast<std::uint64_t>(1.0));  // integer to double value conversion ratio
  const std::string packed = zlib_of(plain + counts);
  std::string bytes;
  add(bytes, compressed_cookie);
  add(bytes, static_cast<std::uint32_t>(packed.size()));
  bytes += packed;
  return base64_of(bytes);
}

}  // namespace edagen
