#include "nfs/nfs_view.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

NfsMountStats mount(const std::string& options, std::size_t connections, double requests, double queue, double trip) {
  NfsMountStats made;
  made.options = options;
  for (std::size_t i = 0; i < connections; ++i)
    made.connections.push_back({.protocol = "tcp",
                                .source_address = {},
                                .source_port = unsigned(700 + i),
                                .sends = Counter(requests / double(connections))});
  made.has_session = options.find("vers=4.1") != std::string::npos;
  RpcCounters read;
  read.requests = read.transmissions = Counter(requests);
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
  EXPECT_DOUBLE_EQ(view.rpcs_in_flight, 2);
  EXPECT_DOUBLE_EQ(view.rpc_slots, 256);
  EXPECT_DOUBLE_EQ(view.rpcs_per_op, 2);
  EXPECT_TRUE(says(view, "round trip"));
}

TEST(NfsView, TheRoundTripIsNotWhereTheTimeGoesWhenSomethingElseTakesIt) {
  const std::vector<NfsMountStats> mounts = {mount("vers=3,nocto", 2, 1000, 0, 2)};
  const NfsView view = nfs_view(mounts, 1s, 1000, {.service = Millis(2.1)});
  EXPECT_TRUE(says(view, "the round trip (network and server) is where the time goes"));
  const NfsView delayed = nfs_view(mounts, 1s, 1000, {.service = Millis(2.1), .own_delay_share = 0.4});
  EXPECT_TRUE(says(delayed,
                   "beside edagen's own delay, the round trip (network and server) is where the time goes; slots and"));
  EXPECT_TRUE(says(nfs_view(mounts, 1s, 1000, {.service = Millis(2.1), .own_delay_share = 0.6}),
                   "most of the response is edagen's own delay, before the first RPC of an op: the RPCs are not"));
  const NfsView unexplained = nfs_view(mounts, 1s, 1000, {.service = Millis(5)});
  EXPECT_TRUE(says(unexplained, "RPCs take 2.00 of the 5.00 ms of service"));
  EXPECT_FALSE(says(unexplained, "round trip"));
  EXPECT_TRUE(says(nfs_view({mount("vers=3", 1, 120'000, 0, 1)}, 1s, 64'000, {.own_delay_share = 0.4}),
                   "RPC slots are the limit"))
      << "a limit stays one";
}

TEST(NfsView, TheWaitForRpcsThatTheServerPutOffIsNoWorkOfThisHost) {
  std::vector<NfsMountStats> mounts = {mount("vers=3,nocto", 2, 1000, 0, 2)};
  mounts[0].events.delayed_rpcs = 10;  // 50 s of 1,000 ops
  const NfsView view = nfs_view(mounts, 1s, 1000, {.service = Millis(53)});
  EXPECT_TRUE(
      says(view, "RPCs take 2.00 of the 53.0 ms of service: the rest is the wait for RPCs that the server put"));
  EXPECT_TRUE(says(nfs_view(mounts, 1s, 1000, {.service = Millis(200)}), "the rest is this host's own work"));
  mounts[0].options = "vers=4.1,nocto";  // 0.1 s each time, if not more
  EXPECT_TRUE(says(nfs_view(mounts, 1s, 1000, {.service = Millis(53)}), "the rest is this host's own work"));
  EXPECT_TRUE(
      says(nfs_view(mounts, 1s, 1000, {.service = Millis(4)}), "the rest is the wait for RPCs that the server"));
}

TEST(NfsView, FullSlotsAreTheLimit) {
  EXPECT_TRUE(says(nfs_view({mount("vers=3", 1, 120'000, 0, 1)}, 1s, 64'000), "RPC slots are the limit (120 of 128"));
  EXPECT_TRUE(says(nfs_view({mount("vers=4.1", 4, 50'000, 0, 1)}, 1s, 50'000),
                   "the session's RPC slots are the limit (50 of 64"));
}

TEST(NfsView, MoreConnectionsAreNoAdviceWhereThereCanBeNone) {
  EXPECT_TRUE(
      says(nfs_view({mount("vers=3", 16, 1'950'000, 0, 1)}, 1s, 64'000), "more server addresses: 16 connections"));
  NfsMountStats udp = mount("vers=3,proto=udp", 1, 120'000, 0, 1);
  udp.connections[0].protocol = "udp";
  EXPECT_TRUE(says(nfs_view({udp}, 1s, 64'000), "TCP: UDP has one connection"));
  EXPECT_FALSE(says(nfs_view({udp}, 1s, 64'000), "nconnect"));
}

TEST(NfsView, TheAdviceForEdagensOwnClientsIsKeysOfTheirUrl) {
  NfsMountStats own = mount("vers=3", 20, 38'000, 0, 1);  // 38 of 40 in use
  own.mount_point = "nfs://filer/vol";
  own.connection_slots = 2;
  EXPECT_TRUE(says(nfs_view({own}, 1s, 38'000),
                   "more connections (?nconnect=), more RPCs on each (?slots=), or more server addresses"));
  own = mount("vers=3", 20, 10'000, 1, 0.5);
  own.mount_point = "nfs://filer/vol";
  EXPECT_TRUE(says(nfs_view({own}, 1s, 10'000), "wait to be sent: more connections (?nconnect=)"));
}

TEST(NfsView, AClientMayHaveOtherSlotsThanAServerAllows) {
  NfsMountStats own = mount("vers=3", 2, 10'000, 0, 1);
  own.connection_slots = 16;
  EXPECT_DOUBLE_EQ(nfs_view({own}, 1s, 10'000).rpc_slots, 32);
}

TEST(NfsView, ConnectionsOfOneMountAreSeveralAlsoWhereTheyShareAPort) {
  NfsMountStats trunked = mount("vers=4.2", 2, 1000, 0, 1);
  trunked.connections[1].source_port = trunked.connections[0].source_port;
  trunked.connections[1].reconnects = 1;
  NfsMountStats other = trunked;
  other.device = "0:51";
  const NfsView view = nfs_view({trunked, other}, 1s, 1000);
  EXPECT_EQ(view.connections, 2u) << "to two addresses of the server, and both mounts have them";
  EXPECT_EQ(view.reconnects, 1);
  trunked.connections[0].source_address = "10.0.0.1";
  trunked.connections[1].source_address = "10.0.0.2";
  EXPECT_EQ(nfs_view({trunked}, 1s, 1000).connections, 2u);
}

TEST(NfsView, RpcsThatWaitAreNotInUseAndNoMoreThanAllSlotsAre) {
  const NfsView sent_late = nfs_view({mount("vers=3", 1, 64'000, 1, 1)}, 1s, 64'000);
  EXPECT_DOUBLE_EQ(sent_late.rpcs_in_flight, 64);
  EXPECT_DOUBLE_EQ(sent_late.rpcs_waiting, 64);
  EXPECT_FALSE(says(sent_late, "slots are the limit"));
  EXPECT_TRUE(says(sent_late, "wait to be sent: more connections"));
  const NfsView at_server = nfs_view({mount("vers=3", 1, 200'000, 0, 1)}, 1s, 200'000);
  EXPECT_DOUBLE_EQ(at_server.rpcs_in_flight, 128);
  EXPECT_DOUBLE_EQ(at_server.rpcs_waiting, 72);
}

TEST(NfsView, SlotsOfASessionAreThoseOfAllItsConnectionsAndMoreConnectionsAreNoAdvice) {
  // 100,000 RPCs in 10 s, each 45 ms in the queue and 6 ms on its way.
  const NfsView full = nfs_view({mount("vers=4.1", 16, 100'000, 45, 6)}, 10s, 100'000);
  EXPECT_DOUBLE_EQ(full.rpc_slots, 64);
  EXPECT_DOUBLE_EQ(full.rpcs_in_flight, 60);
  EXPECT_DOUBLE_EQ(full.rpcs_waiting, 450);
  EXPECT_TRUE(says(full, "the session's RPC slots are the limit (60 of 64 in use)"));
  EXPECT_TRUE(says(full, "450 RPCs wait: more slots (max_session_slots"));
  EXPECT_FALSE(says(full, "nconnect"));
  // Few in use on average, and yet a queue: bursts wait for slots, unless the connection has a queue of its own.
  NfsMountStats bursts = mount("vers=4.1", 2, 10'000, 10, 1);
  EXPECT_TRUE(says(nfs_view({bursts}, 10s, 10'000), "wait for a slot of the session: more slots (max_session_slots"));
  for (TransportCounters& connection : bursts.connections) connection.sending = 9 * connection.sends;
  EXPECT_TRUE(says(nfs_view({bursts}, 10s, 10'000), "wait to be sent: more connections"));
  // A client that was told to have more slots.
  NfsMountStats wide = mount("vers=4.1", 16, 100'000, 0, 6);
  wide.session_slots = 180;
  EXPECT_DOUBLE_EQ(nfs_view({wide}, 10s, 100'000).rpc_slots, 180);
  EXPECT_FALSE(says(nfs_view({wide}, 10s, 100'000), "are the limit"));
}

TEST(NfsView, TheFullestSlotsCountAndNotTheSumOfAllServers) {
  std::vector<NfsMountStats> mounts;
  for (int i = 0; i < 10; ++i) {
    mounts.push_back(i == 3 ? mount("vers=3", 1, 60'000, 1, 2) : mount("vers=3", 1, 60'000, 0, 0.2));
    mounts.back().address = "10.0.0." + std::to_string(i);
  }
  const NfsView view = nfs_view(mounts, 1s, 600'000);
  EXPECT_DOUBLE_EQ(view.rpc_slots, 1280);
  EXPECT_EQ(view.fullest_slots.server, "10.0.0.3");
  EXPECT_DOUBLE_EQ(view.fullest_slots.rpcs_in_flight, 120);
  EXPECT_TRUE(says(view, "RPC slots are the limit (120 of 128 in use) at 10.0.0.3, 60 RPCs wait"));
  EXPECT_FALSE(says(view, "not the limit"));
}

TEST(NfsView, AFullSessionBesideIdleConnectionsIsTheLimit) {
  std::vector<NfsMountStats> mounts = {mount("vers=3", 16, 1000, 0, 1), mount("vers=4.1", 1, 62'000, 0, 1)};
  mounts[0].address = "idle", mounts[1].address = "busy";
  EXPECT_TRUE(says(nfs_view(mounts, 1s, 63'000), "the session's RPC slots are the limit (62 of 64 in use) at busy"));
}

TEST(NfsView, OneFullConnectionOfSeveralIsTheLimit) {
  NfsMountStats uneven = mount("vers=3", 4, 150'000, 0, 1);
  uneven.connections[0].sends = 120'000;
  for (std::size_t i = 1; i < 4; ++i) uneven.connections[i].sends = 10'000;
  EXPECT_TRUE(says(nfs_view({uneven}, 1s, 150'000), "RPC slots are the limit (120 of 128 in use)"));
  // A slow path holds its slots longer, though each connection gets as many RPCs.
  NfsMountStats slow = mount("vers=3", 4, 150'000, 0, 1);
  for (TransportCounters& connection : slow.connections) connection.requests_in_use = connection.sends;
  slow.connections[2].requests_in_use = 13 * slow.connections[2].sends;
  EXPECT_TRUE(says(nfs_view({slow}, 1s, 150'000), "RPC slots are the limit (120 of 128 in use)"));
  // 90,000 RPCs of 0.133 ms are 12 at once, 1,000 of 120 ms on the other path are 120. A send counts itself, too.
  NfsMountStats detour = mount("vers=3", 2, 91'000, 0, 132.0 / 91);
  detour.connections[0].sends = 90'000, detour.connections[0].requests_in_use = 13 * 90'000;
  detour.connections[1].sends = 1'000, detour.connections[1].requests_in_use = 121 * 1'000;
  EXPECT_TRUE(says(nfs_view({detour}, 1s, 91'000), "RPC slots are the limit (120 of 128 in use)"));
  // Connections that carry one RPC at a time are never full, though one of them had two once.
  NfsMountStats single = mount("vers=3", 120, 120'000, 0, 0.9);
  for (TransportCounters& connection : single.connections) connection.requests_in_use = connection.sends;
  ++single.connections[7].requests_in_use;
  EXPECT_FALSE(says(nfs_view({single}, 1s, 120'000), "slots are the limit"));
}

TEST(NfsView, AQueueAtOneServerIsNotHiddenByTheOthers) {
  std::vector<NfsMountStats> mounts;
  for (int i = 0; i < 10; ++i) {
    mounts.push_back(mount("vers=3", 1, 10'000, i == 7 ? 2 : 0, 1));
    mounts.back().address = "10.0.0." + std::to_string(i);
  }
  EXPECT_TRUE(says(nfs_view(mounts, 1s, 100'000), "requests to 10.0.0.7 wait to be sent"));
  mounts[7] = mount("vers=3", 1, 100, 2, 1);  // a hundredth of what the others carry
  mounts[7].address = "10.0.0.7";
  EXPECT_FALSE(says(nfs_view(mounts, 1s, 100'000), "10.0.0.7"));
}

TEST(NfsView, WhatTheCountersLeaveOutIsSaid) {
  NfsMountStats anew = mount("vers=3", 1, 1000, 0, 2);
  anew.mount_point = "/mnt/a";
  anew.made_in_window = true;
  EXPECT_TRUE(says(nfs_view({anew}, 1s, 1000), "/mnt/a was mounted anew in the window"));
  NfsMountStats striped = mount("vers=4.1", 1, 1000, 0, 2);
  striped.pnfs_reads = 30, striped.pnfs_writes = 4;
  const NfsView view = nfs_view({striped}, 1s, 1000);
  EXPECT_TRUE(says(view, "34 reads and writes went to data servers (pNFS)"));
  EXPECT_FALSE(says(view, "not the limit"));
}

TEST(NfsView, QueueingAttributesAndUnevennessAreNamed) {
  EXPECT_TRUE(says(nfs_view({mount("vers=3", 1, 1000, 1, 1)}, 1s, 1000), "wait to be sent"));
  NfsMountStats chatty = mount("vers=3", 2, 100, 0, 1);
  chatty.rpcs["GETATTR"].requests = chatty.rpcs["GETATTR"].transmissions = 900;
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "90 % of the RPCs look up or check attributes: try nocto"));
  NfsMountStats own = chatty;
  own.mount_point = "nfs://filer/vol";
  EXPECT_TRUE(says(nfs_view({own}, 1s, 1000), "try ?attributes=600"));
  chatty.options = "vers=3,nocto,noac";
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "try actimeo=600 without noac"));
  chatty.options = "vers=3,nocto,acregmin=0,acregmax=60";
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "try actimeo=600 where"));
  chatty.options = "vers=3,nocto,lookupcache=none";
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "try lookupcache=all"));
  chatty.options = "vers=3,nocto";
  EXPECT_FALSE(says(nfs_view({chatty}, 1s, 1000), "try nocto"));
  chatty.connections[0].sends = 900, chatty.connections[1].sends = 100;
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "uneven: the busiest has 1.8 times"));
  chatty.rpcs["READ"].transmissions += 7;
  EXPECT_TRUE(says(nfs_view({chatty}, 1s, 1000), "7 requests sent again"));
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
  EXPECT_DOUBLE_EQ(view.rpcs_in_flight, 120);
  EXPECT_DOUBLE_EQ(view.rpc_slots, 128);
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
  EXPECT_TRUE(says(view, "slots are the limit (60 of 64 in use)"));
}

TEST(NfsView, OtherServersPortsAndVersionsAreOtherConnections) {
  EXPECT_DOUBLE_EQ(nfs_view(two_mounts("vers=3", "0:50", "0:51", 100, "other"), 1s, 100).rpc_slots, 256);
  auto mounts = two_mounts("vers=3", "0:50", "0:51", 100);
  mounts[1].connections[0].source_port = 971;
  EXPECT_DOUBLE_EQ(nfs_view(mounts, 1s, 100).rpc_slots, 256);
  mounts = two_mounts("vers=3", "", "", 100, "server", 0);
  mounts[1].options = "rw,vers=4.1";
  mounts[1].has_session = true;
  EXPECT_DOUBLE_EQ(nfs_view(mounts, 1s, 100).rpc_slots, 128 + 64);
  EXPECT_EQ(once_per_superblock(mounts).size(), 2u) << "of unknown devices";
}

TEST(NfsView, WhatClientsHadToDoAgainIsNamed) {
  NfsMountStats own = mount("vers=3", 2, 1000, 0, 1), other = own;
  own.mount_point = "nfs://filer/vol", other.mount_point = "nfs://other/vol";
  other.address = "other";
  own.events = {.delayed_rpcs = 3, .short_reads = 1, .short_writes = 0, .verifier_changes = 2, .rewritten_bytes = 8192};
  other.events = {
      .delayed_rpcs = 1, .verifier_changes = 0, .rewritten_bytes = 0, .stale_handles = 5, .repeated_changes = 1};
  own.connections[1].reconnects = 2;
  const NfsView view = nfs_view({own, other}, 1s, 1000);
  EXPECT_EQ(view.events.delayed_rpcs, 4);
  EXPECT_EQ(view.events.rewritten_bytes, 8192);
  EXPECT_EQ(view.events.stale_handles, 5);
  EXPECT_EQ(view.reconnects, 2);
  EXPECT_TRUE(says(view, "2 connections made anew"));
  EXPECT_TRUE(says(view, "put off 4 RPCs (JUKEBOX)"));
  EXPECT_TRUE(says(view, "8 KiB written again"));
  EXPECT_TRUE(says(view, "gone stale for 5 ops"));
  EXPECT_TRUE(says(view, "1 change sent again"));
  EXPECT_TRUE(says(view, "1 READ with fewer bytes"));
  EXPECT_FALSE(says(view, "WRITE"));
}

TEST(NfsView, TheFirstConnectionsOfANewMountAreNotMadeAnew) {
  NfsMountStats anew = mount("vers=3", 2, 1000, 0, 2);
  for (TransportCounters& connection : anew.connections) connection.reconnects = 1, connection.made_in_window = true;
  EXPECT_EQ(nfs_view({anew}, 1s, 1000).reconnects, 0);
  anew.connections[0].reconnects = 3;
  EXPECT_EQ(nfs_view({anew}, 1s, 1000).reconnects, 2);
  anew.connections[0].made_in_window = false;
  EXPECT_EQ(nfs_view({anew}, 1s, 1000).reconnects, 3) << "it was there before the mount";
}

TEST(NfsView, AFewRequestsAreNotUneven) {
  NfsMountStats few = mount("vers=3", 16, 17, 0, 1);
  for (std::size_t i = 0; i < 16; ++i) few.connections[i].sends = i == 0 ? 2 : 1;
  EXPECT_FALSE(says(nfs_view({few}, 1s, 17), "uneven"));
}

TEST(NfsView, TheQueueIsNotCalledHandling) {
  NfsMountStats queued = mount("vers=3", 1, 1000, 0.29, 0.69);
  queued.rpcs["READ"].execute_ms += 20;
  EXPECT_TRUE(says(nfs_view({queued}, 1s, 1000), "the queue and the handling of RPCs"));
  NfsMountStats handled = mount("vers=3", 1, 1000, 0.01, 0.59);
  handled.rpcs["READ"].execute_ms += 400;
  EXPECT_TRUE(says(nfs_view({handled}, 1s, 1000), "the client's own handling of RPCs"));
}

TEST(NfsView, AServerThatAnswersNothingHasItsEventsNamed) {
  NfsMountStats silent = mount("vers=4.1", 1, 0, 0, 0);
  silent.connections[0].reconnects = 2;
  silent.pnfs_reads = 30;
  const NfsView view = nfs_view({silent}, 1s, 30);
  EXPECT_TRUE(says(view, "2 connections made anew"));
  EXPECT_TRUE(says(view, "30 reads and writes went to data servers"));
}

TEST(NfsView, NothingCountedSaysNothing) {
  EXPECT_TRUE(nfs_view({}, 1s, 10).findings.empty());
  EXPECT_TRUE(nfs_view({mount("vers=3", 1, 0, 0, 0)}, 1s, 10).findings.empty());
}

}  // namespace
}  // namespace edagen
