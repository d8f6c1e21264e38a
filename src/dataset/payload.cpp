#include "edagen/dataset/payload.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace edagen {

void Payload::Free::operator()(char* memory) const { std::free(memory); }

Payload::Payload(Bytes largest, double duplicate_percent, double compressible_percent, std::uint64_t seed)
    : duplicate_percent_(duplicate_percent), random_(seed) {
  const auto size =
      static_cast<std::size_t>((largest + spare + compressible_block - 1) / compressible_block * compressible_block);
  memory_.reset(static_cast<char*>(std::aligned_alloc(duplicate_block, size)));
  if (!memory_) throw std::bad_alloc();
  // The base is the same in every payload: blocks that are not made unique are duplicates of each other.
  Random base(0x62617365);
  for (std::size_t block = 0; block < size; block += compressible_block) {
    if (base.chance_percent(compressible_percent)) {
      std::memset(memory_.get() + block, 0, compressible_block);
      continue;
    }
    for (std::size_t at = block; at < block + compressible_block; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = base.next();
      std::memcpy(memory_.get() + at, &word, sizeof word);
    }
  }
}

const char* Payload::stretch(Bytes length) {
  char* const start = memory_.get() + random_.below(spare / compressible_block) * compressible_block;
  for (Bytes at = 0; at < length; at += duplicate_block) {
    if (random_.chance_percent(duplicate_percent_)) continue;
    const std::uint64_t stamp = random_.next();
    std::memcpy(start + at, &stamp, sizeof stamp);
  }
  return start;
}

}  // namespace edagen
