#include "dataset/payload.hpp"

#include <cmath>
#include <cstring>
#include <numeric>

namespace edagen {
namespace {

constexpr Bytes duplicate_block = 4 * KiB;
constexpr Bytes compressible_block = 8 * KiB;

std::uint64_t whole(double percent) { return static_cast<std::uint64_t>(std::lround(percent)); }

}  // namespace

void fill_payload(char* memory, std::size_t size, double compressible_percent, std::uint64_t first_block) {
  const std::uint64_t percent = whole(compressible_percent);
  Random base(0x62617365);
  for (std::size_t start = 0; start < size; start += compressible_block) {
    const std::size_t end = std::min(size, start + compressible_block);
    const std::uint64_t block = first_block + start / compressible_block;
    if ((block + 1) * percent / 100 > block * percent / 100) {
      std::memset(memory + start, 0, end - start);
      continue;
    }
    for (std::size_t at = start; at < end; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = base.next();
      std::memcpy(memory + at, &word, sizeof word);
    }
  }
}

void PayloadStamp::apply(char* memory, Bytes length) {
  for (Bytes at = 0; at < length; at += duplicate_block) {
    if (random_.chance_percent(duplicate_percent_)) continue;
    const std::uint64_t stamp = random_.next();
    std::memcpy(memory + at, &stamp, sizeof stamp);
  }
}

Payload::Payload(Bytes largest, double duplicate_percent, double compressible_percent, std::uint64_t seed)
    : starts_(100 / std::gcd(std::uint64_t{100}, whole(compressible_percent))), stamp_(duplicate_percent, seed) {
  const Bytes size = round_up(largest, compressible_block) + static_cast<Bytes>(starts_ - 1) * compressible_block;
  memory_ = allocate_io_buffer(size);
  fill_payload(memory_.get(), static_cast<std::size_t>(size), compressible_percent);
}

const char* Payload::stretch(Bytes length) {
  char* const start = memory_.get() + stamp_.random().below(starts_) * compressible_block;
  stamp_.apply(start, length);
  return start;
}

}  // namespace edagen
