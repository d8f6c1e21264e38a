#include "nfs/nfs_view.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

NfsMountStats mount(const std::string& options, std::size_t connections, double requests, double queue, double trip) {
  NfsMountStats made;
  made.options = options;
  for (std::size_t i = 0; i < connections; ++i)
    made.connections.push_back({"tcp", requests / double(connections), 0, 0, 0, 0});
  RpcCounters read;
  read.requests = read.transmissions = requests;
  read.queue_ms = queue * requests;
  read.round_trip_ms = trip * requests;
  read.execute_ms = (queue + trip) * requests;
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

TEST(NfsView, NothingCountedSaysNothing) {
  EXPECT_TRUE(nfs_view({}, 1s, 10).findings.empty());
  EXPECT_TRUE(nfs_view({mount("vers=3", 1, 0, 0, 0)}, 1s, 10).findings.empty());
}

}  // namespace
}  // namespace edagen
