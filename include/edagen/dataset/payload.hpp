// The bytes that are written: random, with the workload's shares of duplicate and compressible blocks.
#pragma once

#include <memory>

#include "edagen/core/random.hpp"
#include "edagen/core/units.hpp"

namespace edagen {

/// A buffer of prepared bytes that hands out stretches, making blocks unique as it goes: storage that compresses or
/// deduplicates sees what the workload says. Memory: the largest stretch + 64 KiB. One per thread.
class Payload {
 public:
  /// Shares are percents of 4 KiB (duplicate) and 8 KiB (compressible) blocks.
  Payload(Bytes largest, double duplicate_percent, double compressible_percent, std::uint64_t seed);

  /// `length` bytes to write, 4 KiB aligned, valid until the next call; 0 <= length <= largest.
  const char* stretch(Bytes length);

 private:
  struct Free {
    void operator()(char* memory) const;
  };
  static constexpr Bytes spare = 64 * KiB;
  static constexpr Bytes duplicate_block = 4 * KiB;
  static constexpr Bytes compressible_block = 8 * KiB;

  std::unique_ptr<char, Free> memory_;
  double duplicate_percent_;
  Random random_;
};

}  // namespace edagen
