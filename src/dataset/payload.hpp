// The bytes of written data: random, with the workload's shares of duplicate and compressible blocks.
#pragma once

#include "base/io_buffer.hpp"
#include "edagen/parts/random.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// Fills memory with random bytes, and with zeros in `compressible_percent` (whole percent) of the 8 KiB blocks, spread
/// evenly from block number `first_block` on. Every call makes the same bytes, so blocks that are not made unique are
/// duplicates of each other. `size` is a multiple of 8.
void fill_payload(char* memory, std::size_t size, double compressible_percent, std::uint64_t first_block = 0);

/// Makes blocks unique before they are written. Not thread-safe.
class PayloadStamp {
 public:
  /// `duplicate_percent` is the share of 4 KiB blocks that stay as they are.
  PayloadStamp(double duplicate_percent, std::uint64_t seed) : duplicate_percent_(duplicate_percent), random_(seed) {}
  /// `memory` must have room for `length` rounded up to 4 KiB.
  void apply(char* memory, Bytes length);
  Random& random() { return random_; }

 private:
  double duplicate_percent_;
  Random random_;
};

/// A buffer of prepared bytes that hands out stretches, making blocks unique as it goes: storage that compresses or
/// deduplicates sees the workload's shares, whatever the size of the stretches. Memory: the largest stretch and the
/// blocks after which zeros and random blocks repeat (2 at 50 percent, 100 at 33), so that it stays in the processor's
/// nearest cache. One per thread.
class Payload {
 public:
  /// Shares are percents of 4 KiB (duplicate) and 8 KiB (compressible) blocks.
  Payload(Bytes largest, double duplicate_percent, double compressible_percent, std::uint64_t seed);

  /// `length` bytes to write, aligned to 4 KiB and valid until the next call; 0 <= length <= largest.
  const char* stretch(Bytes length);

 private:
  std::uint64_t starts_;  ///< number of blocks at which a stretch may begin
  IoBuffer memory_;
  PayloadStamp stamp_;
};

}  // namespace edagen
