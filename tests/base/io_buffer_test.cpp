#include "base/io_buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace edagen {
namespace {

std::uintptr_t address(const IoBuffer& buffer) { return reinterpret_cast<std::uintptr_t>(buffer.get()); }

TEST(IoBuffer, IsAlignedForDirectIoAndLargeOnesForLargePages) {
  EXPECT_EQ(address(allocate_io_buffer(1)) % 4096, 0u);
  EXPECT_EQ(address(allocate_io_buffer(100 * KiB + 1)) % 4096, 0u);
  EXPECT_EQ(address(allocate_io_buffer(2 * MiB)) % static_cast<std::uintptr_t>(2 * MiB), 0u);
  EXPECT_EQ(address(allocate_io_buffer(5 * MiB)) % static_cast<std::uintptr_t>(2 * MiB), 0u);
}

TEST(IoBuffer, BuffersDoNotOverlapAndOutliveTheirNeighbours) {
  std::vector<IoBuffer> buffers;
  const std::size_t size = 300 * KiB;
  for (int i = 0; i < 100; ++i) {
    buffers.push_back(allocate_io_buffer(size));
    std::memset(buffers.back().get(), i, size);
  }
  for (std::size_t i = 0; i < buffers.size(); i += 2) buffers[i].reset();
  for (std::size_t i = 1; i < buffers.size(); i += 2)
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1})
      EXPECT_EQ(buffers[i].get()[at], static_cast<char>(i));
}

}  // namespace
}  // namespace edagen
