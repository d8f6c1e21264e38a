#include "edagen/core/io_buffer.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace edagen {
namespace {

std::uintptr_t address(const IoBuffer& buffer) { return reinterpret_cast<std::uintptr_t>(buffer.get()); }

TEST(IoBuffer, IsAlignedForDirectIoAndLargeOnesForLargePages) {
  EXPECT_EQ(address(allocate_io_buffer(1)) % 4096, 0u);
  EXPECT_EQ(address(allocate_io_buffer(100 * KiB + 1)) % 4096, 0u);
  EXPECT_EQ(address(allocate_io_buffer(large_buffer)) % static_cast<std::uintptr_t>(large_buffer), 0u);
}

TEST(IoBuffer, IsRoundedUpToWholePages) {
  const IoBuffer buffer = allocate_io_buffer(5 * KiB);
  buffer.get()[8 * KiB - 1] = 'x';  // found by ASan if it were smaller
  EXPECT_EQ(buffer.get()[8 * KiB - 1], 'x');
}

}  // namespace
}  // namespace edagen
