// Whole loads of an engine on a memory server.
#include <thread>

#include "fakes/engine_load.hpp"
#include "nfs_client/nfs_site.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

ProcSpec functional() {
  ProcSpec spec = load_workload("eda_functional").proc_kinds[0];
  spec.dataset.data_files = 40;
  spec.dataset.empty_files = 40;
  spec.dataset.directories = 8;
  return spec;
}

struct NfsLoad : NfsSite {
  NfsLoad(ProcSpec kind, std::size_t clients, std::size_t procs) : NfsSite(std::move(kind), clients, procs) {}
  Engine engine(EngineOptions engine_options = {}) {
    target = std::make_unique<NfsTarget>(std::vector{nfs_server()}, places, options);
    std::vector<EngineProc> engine_procs;
    for (std::size_t i = 0; i < places.size(); ++i)
      engine_procs.push_back({.ops = OpStream(spec, mix, places[i].files, proc_seed(1, i)),
                              .group = 0,
                              .ops_per_sec = 100,
                              .client = static_cast<std::size_t>(places[i].client),
                              .depth = spec.io.depth,
                              .queueable = spec.queueable()});
    return Engine(std::move(engine_procs), {"kind"}, *target, engine_options, stop.get_token());
  }
  /// Requests per procedure as the clients count them.
  std::map<std::string, std::int64_t> counted() const {
    std::map<std::string, std::int64_t> all;
    for (const NfsMountStats& mount : target->counters())
      for (const auto& [name, rpc] : mount.rpcs) all[name] += rpc.requests;
    return all;
  }
  OpMix mix{spec.weights};
  std::stop_source stop;
};

TEST(NfsEngine, AFunctionalLoadHasNoErrorsAndCountsEachRpcOfTheServer) {
  NfsLoad its(functional(), 6, 2);
  Watcher watcher;
  {
    Engine engine = its.engine();
    const RunStats closed = engine.run(load(std::nullopt, 0ms, 300ms), watcher);
    const RunStats open = engine.run(load(400, 0ms, 500ms), watcher);
    for (const RunStats& stats : {closed, open}) {
      EXPECT_EQ(stats.ops.errors().size(), 0u);
      EXPECT_EQ(stats.stuck_ops, 0u);
    }
  }
  EXPECT_TRUE(watcher.failures.empty()) << watcher.failures.front().first;
  EXPECT_EQ(its.counted(), its.server.counts());
  EXPECT_GT(its.counted()["LOOKUP"], 0);
  const NfsMountStats mount = its.target->counters()[0];
  EXPECT_EQ(mount.connections.size(), 6u);
  std::int64_t sends = 0;
  for (const TransportCounters& connection : mount.connections) sends += connection.sends;
  EXPECT_EQ(sends, mount.total().requests);
  EXPECT_EQ(mount.version(), "3");
  EXPECT_GT(mount.total().round_trip(), 0ms);
  EXPECT_GE(mount.total().execute(), mount.total().round_trip());
}

TEST(NfsEngine, ProcsAtDepthHaveSeveralOpsInFlight) {
  ProcSpec spec = NfsSite::small_kind();
  spec.weights = {};
  spec.weights[static_cast<std::size_t>(OpKind::read_rand)] = 1;
  spec.weights[static_cast<std::size_t>(OpKind::write_rand)] = 1;
  spec.ops_per_open = 7;
  spec.io.depth = 8;
  NfsLoad its(spec, 2, 1);
  its.settings.nconnect = 2;
  its.settings.slots = 3;
  Watcher watcher;
  {
    Engine engine = its.engine();
    EXPECT_EQ(engine.run(load(std::nullopt, 0ms, 300ms), watcher).ops.errors().size(), 0u);
  }
  EXPECT_EQ(its.counted(), its.server.counts());
  EXPECT_EQ(its.target->counters()[0].connections.size(), 4u);
}

TEST(NfsEngine, AStoppedServerAgesOpsThatAreNamedAndDoesNotKeepARunFromEnding) {
  NfsLoad its(functional(), 3, 1);
  EngineOptions options;
  options.stuck_after = 400ms;
  std::vector<std::string> stuck;
  const EventSink watcher = on([&](const OpStuck& op) {
    stuck.push_back(op.what);
    if (stuck.size() == 3) its.stop.request_stop();
  });
  Engine engine = its.engine(options);
  std::jthread silence([&] {
    while (its.server.counts()["LOOKUP"] < 10) std::this_thread::sleep_for(1ms);
    its.server.stop_replies();
  });
  LoadPoint point = load(300, 0ms, 60s);
  const RunStats stats = engine.run(point, watcher);
  EXPECT_TRUE(stats.interrupted);
  EXPECT_EQ(stats.stuck_ops, 3u);
  ASSERT_EQ(stuck.size(), 3u);
  EXPECT_NE(stuck[0].find("/vol/edagen.data/c000"), std::string::npos) << stuck[0];
  EXPECT_NE(stuck[0].find("nfs://server/vol"), std::string::npos);
  EXPECT_GT(stats.ops.outstanding(), 0u);
}

TEST(NfsEngine, AStopEndsTheWaitForConnections) {
  NfsLoad its(functional(), 2, 1);
  its.server.wire().stop();
  its.options.stop = its.stop.get_token();
  Watcher watcher;
  Engine engine = its.engine();
  std::jthread ends([&] {
    std::this_thread::sleep_for(200ms);
    its.stop.request_stop();
  });
  const TimePoint began = now();
  const RunStats stats = engine.run(load(100, 0ms, 60s), watcher);
  EXPECT_LT(now() - began, 5s);
  EXPECT_TRUE(stats.interrupted);
  EXPECT_EQ(stats.stuck_ops, 0u);
}

TEST(NfsEngine, WhatIsNotCommittedIsCommittedAtTheEnd) {
  ProcSpec spec = NfsSite::small_kind();
  spec.weights = {};
  spec.weights[static_cast<std::size_t>(OpKind::write_rand)] = 1;
  spec.io.fsync = FsyncWhen::end;
  NfsLoad its(spec, 2, 2);
  Watcher watcher;
  LoadPoint point = load(200, 0ms, 200ms);
  point.sync_after = true;
  Engine engine = its.engine();
  const RunStats stats = engine.run(point, watcher);
  EXPECT_GT(stats.sync_time, 0ns);
  EXPECT_EQ(its.server.counts()["COMMIT"], 4);
}

TEST(NfsEngine, EachClientIsAnIdentityOfItsOwn) {
  NfsLoad its(functional(), 3, 2);
  its.settings.uid = 12;
  its.settings.sources = {"127.0.0.1", "127.0.0.7"};
  Watcher watcher;
  Engine engine = its.engine();
  engine.run(load(200, 0ms, 200ms), watcher);
  EXPECT_EQ(its.server.callers(), "edagen-0 12, edagen-1 12, edagen-2 12");
  EXPECT_EQ(its.server.wire().connections(), 3u);
  const std::vector<TransportCounters> connections = its.target->counters()[0].connections;
  ASSERT_EQ(connections.size(), 3u);
  EXPECT_EQ(connections[0].source_address, "127.0.0.1");
  EXPECT_EQ(connections[1].source_address, "127.0.0.7");
  EXPECT_EQ(connections[2].source_address, "127.0.0.1");
}

}  // namespace
}  // namespace edagen::testing
