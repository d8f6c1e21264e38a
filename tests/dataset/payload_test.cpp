#include "edagen/dataset/payload.hpp"

#include <gtest/gtest.h>

#include <cstring>
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

TEST(Payload, TheShareOfCompressibleBlocksIsAsAsked) {
  Payload payload(512 * KiB, 0, 50, 1);
  int blocks = 0, compressible = 0;
  for (int i = 0; i < 20; ++i) {
    const char* const data = payload.stretch(512 * KiB);
    for (Bytes at = 0; at < 512 * KiB; at += 8 * KiB, ++blocks) {
      int zeros = 0;
      for (Bytes b = 0; b < 8 * KiB; ++b) zeros += data[at + b] == 0 ? 1 : 0;
      compressible += zeros > 7 * KiB ? 1 : 0;
    }
  }
  EXPECT_NEAR(100.0 * compressible / blocks, 50, 15);
}

TEST(Payload, StretchesAreAlignedForDirectIo) {
  Payload payload(8 * KiB, 0, 0, 1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(reinterpret_cast<std::uintptr_t>(payload.stretch(8 * KiB)) % 4096, 0u);
}

}  // namespace
}  // namespace edagen
