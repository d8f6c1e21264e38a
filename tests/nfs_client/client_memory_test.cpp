#include <gtest/gtest.h>

#include "nfs_client/nfs_queue.hpp"
#include "nfs_client/nfs_target.hpp"

namespace edagen::testing {
namespace {

TEST(ClientMemory, AClientOfAThousandTakesAtMostEightKibibytesBesideItsSocket) {
  constexpr std::size_t procs = 5;             // of a job set
  constexpr std::size_t heap_block = 16;       // of the allocator, for each block
  constexpr std::size_t credential = 64 + 16;  // encoded
  constexpr std::size_t extent_bytes = 4 * sizeof(FileExtent);
  const std::size_t proc = sizeof(NfsProc) + sizeof(OpenNfsFile) + extent_bytes + 3 * heap_block + 2 * sizeof(void*);
  const std::size_t client = sizeof(NfsIdentity) + sizeof(RpcConnection) + sizeof(ConnectionCounters) + credential +
                             sizeof(RpcConnectionCounters) + 6 * heap_block;
  HandleCache handles(NfsTarget::handle_bytes(1000));
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    std::array<std::byte, 28> bytes{};
    std::memcpy(bytes.data() + 12, &i, sizeof i);
    handles.insert({0, {NameClass::data, i}}, NfsHandle(bytes));
  }
  EXPECT_LE(client + procs * proc + handles.memory(), 8192u);
  EXPECT_GT(handles.count(), 200u);
}

}  // namespace
}  // namespace edagen::testing
