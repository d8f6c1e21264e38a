#include <gtest/gtest.h>

#include "nfs_client/nfs_queue.hpp"
#include "nfs_client/nfs_target.hpp"

namespace edagen::testing {
namespace {

TEST(ClientMemory, AClientTakesAtMostEightKibibytesBesideItsSocketAndItsNames) {
  constexpr std::size_t procs = 5;             // of a job set
  constexpr std::size_t heap_block = 16;       // of the allocator, for each block
  constexpr std::size_t credential = 64 + 16;  // encoded
  constexpr std::size_t extent_bytes = 4 * sizeof(FileExtent);
  const std::size_t proc = sizeof(NfsProc) + sizeof(OpenNfsFile) + extent_bytes + 3 * heap_block + 2 * sizeof(void*);
  const std::size_t client = sizeof(NfsIdentity) + sizeof(RpcConnection) + sizeof(ConnectionCounters) + credential +
                             sizeof(RpcConnectionCounters) + 6 * heap_block;
  HandleCache handles(NfsTarget::handle_bytes(1000));
  const auto use_names = [&](std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      std::array<std::byte, 28> bytes{};
      std::memcpy(bytes.data() + 12, &i, sizeof i);
      handles.insert({0, {NameClass::data, i}}, NfsHandle(bytes));
    }
  };
  use_names(100);
  EXPECT_LE(client + procs * proc + handles.memory(), 8192u);
  use_names(12'000);  // of a client of a whole dataset
  EXPECT_EQ(handles.count(), 12'000u) << "none has to be looked up again";
  EXPECT_LE(handles.memory(), 12'000u * 32);
}

}  // namespace
}  // namespace edagen::testing
