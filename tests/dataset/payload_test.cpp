#include "dataset/payload.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace edagen {
namespace {

/// Share of 4 KiB blocks that were written before.
double duplicate_share(double percent) {
  Payload payload(128 * KiB, percent, 0, 1);
  std::set<std::string> seen;
  int blocks = 0, duplicates = 0;
  for (int i = 0; i < 200; ++i) {
    const char* const data = payload.stretch(64 * KiB);
    for (Bytes at = 0; at < 64 * KiB; at += 4 * KiB, ++blocks)
      duplicates += seen.emplace(data + at, 4 * KiB).second ? 0 : 1;
  }
  return 100.0 * duplicates / blocks;
}

TEST(Payload, TheShareOfDuplicateBlocksIsAsAsked) {
  EXPECT_DOUBLE_EQ(duplicate_share(0), 0);
  EXPECT_NEAR(duplicate_share(50), 50, 8);
  EXPECT_GT(duplicate_share(100), 95);
}

bool is_zeros(const char* block) {
  return std::all_of(block + sizeof(std::uint64_t), block + 4 * KiB, [](char byte) { return byte == 0; });
}

/// Share of 8 KiB blocks that are zeros but for a stamp.
double compressible_share(double percent, Bytes length) {
  Payload payload(512 * KiB, 0, percent, 1);
  int blocks = 0, compressible = 0;
  for (Bytes done = 0; done < 40 * MiB; done += length) {
    const char* const data = payload.stretch(length);
    for (Bytes at = 0; at < length; at += 8 * KiB, ++blocks) compressible += is_zeros(data + at) ? 1 : 0;
  }
  return 100.0 * compressible / blocks;
}

TEST(Payload, TheShareOfCompressibleBlocksIsAsAskedInSmallAndLargeStretches) {
  for (const Bytes length : {4 * KiB, 8 * KiB, 512 * KiB})
    for (const double percent : {0.0, 1.0, 20.0, 33.0, 50.0, 99.0, 100.0})
      EXPECT_NEAR(compressible_share(percent, length), percent, 3) << length;
  EXPECT_EQ(compressible_share(0, 8 * KiB), 0);
  EXPECT_EQ(compressible_share(100, 8 * KiB), 100);
}

TEST(Payload, BuffersFilledFromDifferentBlocksOnShareTheCompressibleOnesEvenly) {
  char block[8 * KiB];
  int compressible = 0;
  for (std::uint64_t slot = 0; slot < 100; ++slot) {
    fill_payload(block, sizeof block, 20, slot);
    compressible += is_zeros(block) ? 1 : 0;
  }
  EXPECT_EQ(compressible, 20);
}

TEST(Payload, StretchesAreAlignedForDirectIo) {
  Payload payload(8 * KiB, 0, 0, 1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload.stretch(8 * KiB)) % 4096, 0u);
}

}  // namespace
}  // namespace edagen
