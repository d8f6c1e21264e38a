#include "nfs/nfs_view.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

NfsMountStats mount(const std::string& options, std::size_t connections, double requests, double queue, double trip) {
  NfsMountStats made;
  made.options = options;
  for (std::size_t i = 0; i < connections; ++i)
    made.connections.push_back({"tcp", unsigned(700 + i), requests / double(connections), 0, 0, 0, 0});
  RpcCounters read;
  read.requests = read.transmissions = requests;
  read.queue = Millis(queue * requests);
  read.round_trip = Millis(trip * requests);
  read.execute = Millis((queue + trip) * requests);
  made.rpcs["READ"] = read;
  return made;
}

bool says(const NfsView& view, const std::string& text) {
  for (const std::string& finding : view.findings)
    if (finding.find(text) != std::string::npos) return true;
  return false;
}

TEST(NfsView, ConcurrencyIsRateTimesLatency) {
  // 1,000 RPCs of 2 ms in 1 s: two at once (Little).
  const NfsView view = nfs_view({mount("vers=3,nocto", 2, 1000, 0, 2)}, 1s, 500);
  EXPECT_DOUBLE_EQ(view.in_flight, 2);
  EXPECT_DOUBLE_EQ(view.slots, 256);
  EXPECT_DOUBLE_EQ(view.rpcs_per_op, 2);
  EXPECT_TRUE(says(view, "round trip"));
}

TEST(NfsView, FullSlotsAreTheLimit) {
  EXPECT_TRUE(says(nfs_view({mount("vers=3", 1, 64'000, 1, 1)}, 1s, 64'000), "RPC slots are the limit (128 of 128"));
  EXPECT_TRUE(says(nfs_view({mount("vers=4.1", 4, 50'000, 0, 1)}, 1s, 50'000), "RPC slots are the limit (50 of 64"));
}

TEST(NfsView, QueueingAttributesAndUnevennessAreNamed) {
  EXPECT_TRUE(says(nfs_view({mount("vers=3", 1, 1000, 1, 1)}, 1s, 1000), "wait to be sent"));
  NfsMountStats chatty = mount("vers=3", 2, 100, 0, 1);
  chatty.rpcs["GETATTR"].requests = chatty.rpcs["GETATTR"].transmissions = 900;
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "90 % of the RPCs look up or check attributes: try nocto"));
  chatty.options += ",nocto";
  EXPECT_FALSE(says(nfs_view({chatty}, 1s, 1000), "try nocto"));
  chatty.connections[0].sends = 900, chatty.connections[1].sends = 100;
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "uneven: the busiest has 1.8 times"));
  chatty.rpcs["READ"].transmissions += 7;
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "7 requests were sent again"));
}

/// Two mount points of one server, each with these options, devices and RPCs of 2 ms, on one connection.
std::vector<NfsMountStats> two_mounts(const std::string& options, const std::string& device, const std::string& other,
                                      int rpcs, const std::string& address = "server", int port = 970) {
  const auto text = [&](const char* point, const std::string& server) {
    return "device " + server + ":/x mounted on " + point + " with fstype nfs statvers=1.1\n\topts:\trw," + options +
           "\n\txprt:\ttcp " + std::to_string(port) +
           " 1 1 0 0 60000 60000 0 0 0\n\tper-op statistics\n\tREAD: " + std::to_string(rpcs) + " " +
           std::to_string(rpcs) + " 0 0 0 0 " + std::to_string(2 * rpcs) + " " + std::to_string(2 * rpcs) + " 0\n";
  };
  auto mounts = parse_mountstats(text("/a", "server") + text("/b", address));
  mounts[0].device = device, mounts[1].device = other;
  return mounts;
}

TEST(NfsView, MountPointsOfOneSuperblockCountOnce) {
  // 120 of the 128 slots of the one connection are in use: 60,000 RPCs of 2 ms in 1 s, of 60,000 ops.
  const auto mounts = once_per_superblock(two_mounts("vers=3,proto=tcp", "0:50", "0:50", 60'000));
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].also_mounted_on, std::vector<std::string>{"/b"});
  const NfsView view = nfs_view(mounts, 1s, 60'000);
  EXPECT_DOUBLE_EQ(view.rpcs_per_op, 1);
  EXPECT_DOUBLE_EQ(view.in_flight, 120);
  EXPECT_DOUBLE_EQ(view.slots, 128);
  EXPECT_TRUE(says(view, "RPC slots are the limit (120 of 128 in use)"));
}

TEST(NfsView, AConnectionThatSuperblocksShareCountsOnce) {
  // The same with nosharecache: each superblock counts half of the RPCs, on the same connection.
  const auto mounts = once_per_superblock(two_mounts("vers=3,proto=tcp,nosharecache", "0:50", "0:51", 30'000));
  ASSERT_EQ(mounts.size(), 2u);
  const NfsView view = nfs_view(mounts, 1s, 60'000);
  EXPECT_DOUBLE_EQ(view.rpcs_per_op, 1);
  EXPECT_EQ(view.connections, 1u);
  EXPECT_TRUE(says(view, "RPC slots are the limit (120 of 128 in use)"));
}

TEST(NfsView, ASessionThatMountsShareCountsOnce) {
  const NfsView view = nfs_view(two_mounts("vers=4.1", "0:50", "0:51", 15'000, "server", 0), 1s, 30'000);
  EXPECT_EQ(view.connections, 1u) << "without a source port";
  EXPECT_TRUE(says(view, "RPC slots are the limit (60 of 64 in use)"));
}

TEST(NfsView, OtherServersPortsAndVersionsAreOtherConnections) {
  EXPECT_DOUBLE_EQ(nfs_view(two_mounts("vers=3", "0:50", "0:51", 100, "other"), 1s, 100).slots, 256);
  auto mounts = two_mounts("vers=3", "0:50", "0:51", 100);
  mounts[1].connections[0].source_port = 971;
  EXPECT_DOUBLE_EQ(nfs_view(mounts, 1s, 100).slots, 256);
  mounts = two_mounts("vers=3", "", "", 100, "server", 0);
  mounts[1].options = "rw,vers=4.1";
  EXPECT_DOUBLE_EQ(nfs_view(mounts, 1s, 100).slots, 128 + 64);
  EXPECT_EQ(once_per_superblock(mounts).size(), 2u) << "of unknown devices";
}

TEST(NfsView, NothingCountedSaysNothing) {
  EXPECT_TRUE(nfs_view({}, 1s, 10).findings.empty());
  EXPECT_TRUE(nfs_view({mount("vers=3", 1, 0, 0, 0)}, 1s, 10).findings.empty());
}

}  // namespace
}  // namespace edagen
