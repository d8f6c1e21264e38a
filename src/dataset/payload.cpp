#include "edagen/dataset/payload.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace edagen {
namespace {

constexpr Bytes spare = 64 * KiB;
constexpr Bytes duplicate_block = 4 * KiB;
constexpr Bytes compressible_block = 8 * KiB;

}  // namespace

void fill_payload(char* memory, std::size_t size, double compressible_percent) {
  Random base(0x62617365);
  for (std::size_t block = 0; block < size; block += compressible_block) {
    const std::size_t end = std::min(size, block + compressible_block);
    if (base.chance_percent(compressible_percent)) {
      std::memset(memory + block, 0, end - block);
      continue;
    }
    for (std::size_t at = block; at < end; at += sizeof(std::uint64_t)) {
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

void Payload::Free::operator()(char* memory) const { std::free(memory); }

Payload::Payload(Bytes largest, double duplicate_percent, double compressible_percent, std::uint64_t seed)
    : stamp_(duplicate_percent, seed) {
  const auto size =
      static_cast<std::size_t>((largest + spare + compressible_block - 1) / compressible_block * compressible_block);
  memory_.reset(static_cast<char*>(std::aligned_alloc(duplicate_block, size)));
  if (!memory_) throw std::bad_alloc();
  fill_payload(memory_.get(), size, compressible_percent);
}

const char* Payload::stretch(Bytes length) {
  char* const start = memory_.get() + stamp_.random().below(spare / compressible_block) * compressible_block;
  stamp_.apply(start, length);
  return start;
}

}  // namespace edagen
