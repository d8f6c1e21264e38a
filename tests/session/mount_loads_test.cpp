#include "session/mount_loads.hpp"

#include <gtest/gtest.h>

#include "fakes/station_setup.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

const std::vector<LoadMount> four_mounts = {
    {"/mnt/a", "/mnt/a"}, {"/mnt/b", "/mnt/b"}, {"/mnt/c", "/mnt/c"}, {"/mnt/d", "/mnt/d"}};

MeanOfKinds same_means() {
  MeanOfKinds means;
  means.fill(1e6);
  return means;
}

/// 20 intervals in which each client has 100 ops of `response(client)` each, with a scatter of 5 % between intervals.
template <class Response>
RunStats stats_of(std::size_t clients, Response response) {
  Random random(1);
  RunStats stats;
  stats.length = 20s;
  for (int interval = 0; interval < 20; ++interval) {
    std::vector<ClientStats> seen(clients);
    for (std::size_t i = 0; i < clients; ++i) {
      const Nanos time = std::chrono::duration_cast<Nanos>(NanosF(response(i)) * (0.95 + 0.1 * random.uniform()));
      for (int op = 0; op < 100; ++op) {
        seen[i].counts.count({0, 4096, 0});
        seen[i].time(OpKind::stat, time, time / 2);
      }
    }
    merge_clients(stats.clients, seen);
    stats.client_slices.add_interval(seen, same_means());
  }
  return stats;
}

PointFigures figures_of(const RunStats& stats, const std::vector<LoadMount>& mounts,
                        const std::optional<NfsFigures>& nfs = {}) {
  PointFigures point;
  point.nfs = nfs;
  add_mount_loads(point, stats, mounts);
  return point;
}

NfsMountFigures nfs_mount(const std::string& mount_point, double requests, Millis queue, Millis round_trip) {
  NfsMountFigures mount;
  mount.mount_point = mount_point;
  mount.rpcs["GETATTR"] = {
      .requests = requests, .queue = queue, .round_trip = round_trip, .execute = queue + round_trip + Millis(0.01)};
  return mount;
}

/// /mnt/c takes three times as long.
Nanos slow_c(std::size_t client) { return client % 4 == 2 ? 3ms : 1ms; }

TEST(MountLoads, EachMountHasTheOpsAndLatenciesOfItsClients) {
  const PointFigures point = figures_of(stats_of(8, slow_c), four_mounts);
  ASSERT_EQ(point.clients.size(), 8u);
  ASSERT_EQ(point.mounts.size(), 4u);
  EXPECT_EQ(point.mounts[2].path, "/mnt/c");
  EXPECT_EQ(point.mounts[2].clients, 2u);
  EXPECT_EQ(point.mounts[2].operations, 4000u);
  EXPECT_NEAR(point.mounts[2].response_mean->count(), 3, 0.1);
  EXPECT_NEAR(point.mounts[2].response_p99->count(), 3.1, 0.2);
  EXPECT_NEAR(point.mounts[2].service_mean->count(), 1.5, 0.05);
  EXPECT_NEAR(point.mounts[0].response_mean->count(), 1, 0.03);
}

TEST(MountLoads, ASlowMountIsNamedWithWhatTakesLongerThere) {
  const PointFigures alone = figures_of(stats_of(4, slow_c), four_mounts);
  ASSERT_EQ(alone.mount_findings.size(), 1u);
  EXPECT_TRUE(alone.mounts[2].against_others->slow);
  EXPECT_FALSE(alone.mounts[0].against_others->slow);
  EXPECT_TRUE(alone.mount_findings[0].starts_with("/mnt/c: mean response 3.0 times the others' ("))
      << alone.mount_findings[0];
  EXPECT_NE(alone.mount_findings[0].find(" ms against 0.997): service 1.49 ms against 0.499"), std::string::npos)
      << alone.mount_findings[0];
}

TEST(MountLoads, AMountWhoseOpsAreOfSlowerKindsIsNotSlow) {
  RunStats stats = stats_of(4, slow_c);
  MeanOfKinds means{};
  means[static_cast<std::size_t>(OpKind::stat)] = 1e6, means[static_cast<std::size_t>(OpKind::open)] = 3e6;
  stats.client_slices.clear();
  for (int interval = 0; interval < 20; ++interval) {
    std::vector<ClientStats> seen(4);
    for (std::size_t i = 0; i < 4; ++i)
      seen[i].time(i == 2 ? OpKind::open : OpKind::stat, slow_c(i) + Nanos(1000 * interval), 1ms);
    stats.client_slices.add_interval(seen, means);
  }
  const PointFigures point = figures_of(stats, four_mounts);
  EXPECT_NEAR(point.mounts[2].against_others->ratio, 3, 0.1);
  EXPECT_FALSE(point.mounts[2].against_others->slow);
}

TEST(MountLoads, OnNfsTheRpcTimeThatIsLongerIsNamed) {
  NfsFigures nfs;
  for (const char* const path : {"/mnt/a", "/mnt/b", "/mnt/d"})
    nfs.mounts.push_back(nfs_mount(path, 2000, Millis(0.01), Millis(0.9)));
  nfs.mounts.push_back(nfs_mount("/mnt/c", 2000, Millis(0.02), Millis(2.9)));
  const RunStats stats = stats_of(4, slow_c);
  const PointFigures far = figures_of(stats, four_mounts, nfs);
  EXPECT_DOUBLE_EQ(far.mounts[2].rpcs->round_trip.count(), 2.9);
  EXPECT_DOUBLE_EQ(far.mounts[2].rpcs->per_op, 1);
  EXPECT_NE(far.mount_findings.at(0).find(": RPC round trip 2.90 ms against 0.900"), std::string::npos)
      << far.mount_findings[0];
  nfs.mounts.back() = nfs_mount("/mnt/c", 2000, Millis(2.5), Millis(0.9));
  EXPECT_NE(figures_of(stats, four_mounts, nfs).mount_findings.at(0).find(": RPCs wait in the queue 2.50 ms against"),
            std::string::npos);
  nfs.mounts.back() = nfs_mount("/mnt/c", 9000, Millis(0.01), Millis(0.9));
  EXPECT_NE(figures_of(stats, four_mounts, nfs).mount_findings.at(0).find(": 4.5 RPCs per op against 1"),
            std::string::npos);
}

TEST(MountLoads, RpcsThatAreCountedTogetherWithThoseOfAnotherMountAreOfNone) {
  NfsFigures nfs;
  nfs.mounts = {nfs_mount("/mnt/a", 2000, Millis(0.01), Millis(0.9)), nfs_mount("/mnt/c", 1, Millis(1), Millis(1))};
  nfs.mounts[0].also_mounted_on = {"/mnt/b"};
  const PointFigures point = figures_of(stats_of(4, slow_c), four_mounts, nfs);
  EXPECT_FALSE(point.mounts[0].rpcs);
  EXPECT_FALSE(point.mounts[1].rpcs);
  EXPECT_TRUE(point.mounts[2].rpcs);
  EXPECT_FALSE(point.mounts[3].rpcs);
}

TEST(MountLoads, ASlowClientIsNamedAndNotTheClientsOfASlowMount) {
  const auto one_client = [](std::size_t client) { return client == 5 ? Nanos(2ms) : slow_c(client); };
  const PointFigures point = figures_of(stats_of(40, one_client), four_mounts);
  ASSERT_EQ(point.mount_findings.size(), 2u);
  EXPECT_TRUE(point.mount_findings[0].starts_with("/mnt/c: ")) << point.mount_findings[0];
  EXPECT_TRUE(point.mount_findings[1].starts_with("client 5 (/mnt/b): mean response 2.0 times"))
      << point.mount_findings[1];
  EXPECT_FALSE(point.clients[2].against_others);
}

TEST(MountLoads, OfManySlowClientsTheFirstFewAreNamed) {
  const PointFigures point =
      figures_of(stats_of(40, [](std::size_t i) { return i < 7 ? Nanos(2ms) : Nanos(1ms); }), {});
  ASSERT_EQ(point.mount_findings.size(), 4u);
  EXPECT_TRUE(point.mounts.empty());
  EXPECT_EQ(point.mount_findings[3], "4 clients more are slower than the others by more than chance");
}

TEST(MountLoads, AMountThatAloneHasErrorsOrOutstandingOpsIsNamed) {
  RunStats stats = stats_of(4, [](std::size_t) { return Nanos(1ms); });
  stats.clients[3].counts.errors = 29;
  stats.clients[1].record_outstanding(5s);
  EXPECT_EQ(figures_of(stats, four_mounts).mount_findings,
            (std::vector<std::string>{"/mnt/d: 29 ops failed, and none on the other mounts",
                                      "/mnt/b: 1 op had not ended, and none on the other mounts"}));
}

TEST(MountLoads, OnSeveralHostsAMountHasTheClientsOfAllHostsAndNoRpcsOfOneHost) {
  PointFigures point;
  point.hosts.resize(2);
  point.nfs = NfsFigures{};
  point.nfs->mounts = {nfs_mount("/mnt/c", 2000, Millis(0.01), Millis(2.9))};
  add_mount_loads(point, stats_of(8, slow_c), four_mounts);
  ASSERT_EQ(point.mounts.size(), 4u);
  EXPECT_EQ(point.mounts[2].clients, 2u);
  EXPECT_FALSE(point.mounts[2].rpcs);
  ASSERT_EQ(point.mount_findings.size(), 1u);
  EXPECT_NE(point.mount_findings[0].find("): service 1."), std::string::npos) << point.mount_findings[0];
}

TEST(MountLoads, AMountThatIsSlowerForSureButNotByMuchForSureIsNamedWithTheReserve) {
  PointFigures point;
  point.mounts.resize(2);
  point.mounts[1].path = "/mnt/b";
  point.mounts[1].against_others = OthersFigures{.ratio = 1.46, .least_ratio = 1.02, .slow = false};
  EXPECT_EQ(mount_findings(point),
            std::vector<std::string>{"/mnt/b: mean response 1.5 times the others', but only 1.02 times is sure by the "
                                     "scatter of this window; a longer --duration shows more"});
  point.mounts[1].against_others->least_ratio = 0.98;
  EXPECT_TRUE(mount_findings(point).empty()) << "as chance may have it";
  point.mounts[1].against_others = OthersFigures{.ratio = 1.09, .least_ratio = 1.05, .slow = false};
  EXPECT_TRUE(mount_findings(point).empty()) << "too little to matter";
}

TEST(MountLoads, AWaitThatIsThisHostsIsNotBlamedOnProcs) {
  PointFigures point;
  point.mounts.resize(4);
  for (MountLoadFigures& mount : point.mounts) mount.response_mean = Millis(1), mount.service_mean = Millis(0.5);
  point.mounts[2].path = "/mnt/c";
  point.mounts[2].response_mean = Millis(3);
  point.mounts[2].against_others = OthersFigures{.ratio = 3, .least_ratio = 2, .slow = true};
  point.generator_lag.mean = Millis(0.1);
  ASSERT_EQ(mount_findings(point).size(), 1u);
  EXPECT_TRUE(mount_findings(point)[0].ends_with(": ops wait for their procs, service is 0.500 ms against 0.500"))
      << mount_findings(point)[0];
  point.generator_lag.mean = Millis(2);
  EXPECT_TRUE(mount_findings(point)[0].ends_with(": this host began ops late, service is 0.500 ms against 0.500"))
      << mount_findings(point)[0];
  point.hosts.resize(2);
  EXPECT_TRUE(mount_findings(point)[0].ends_with(": the hosts began ops late, service is 0.500 ms against 0.500"))
      << mount_findings(point)[0];
}

TEST(MountLoads, MoreMountsThanClientsAndAPauseOfEdagenNameNothing) {
  EXPECT_EQ(figures_of(stats_of(2, slow_c), four_mounts).mounts.size(), 2u);
  PointFigures paused;
  paused.invalid = {Invalid::generator_paused};
  add_mount_loads(paused, stats_of(4, slow_c), four_mounts);
  EXPECT_TRUE(paused.mount_findings.empty());
  EXPECT_FALSE(paused.mounts[2].against_others);
}

/// The responses of four mounts, each a single-server queue of its own with a load of `load`, of which the third takes
/// `slower` times as long.
RunStats queues(std::uint64_t seed, double load, double slower) {
  RunStats all;
  std::vector<RunStats> mounts;
  for (std::uint64_t mount = 0; mount < 4; ++mount) {
    StationSetup station(1, 4e6 * (mount == 2 ? slower : 1), ServiceTimes::exponential, 10 * seed + mount);
    LoadPoint point;
    point.rate = OpenLoop{250 * load, Arrivals::poisson};
    point.warmup = 2s;
    point.duration = 20s;
    point.settle = false;
    mounts.push_back(station.runner().run(point, ignore_events));
  }
  all.clients.resize(4);
  for (std::size_t slice = 0; slice < 20; ++slice) {
    std::vector<ClientStats> seen(4);
    for (std::size_t mount = 0; mount < 4; ++mount) {
      const Interval& interval = mounts[mount].intervals.at(slice);
      for (std::uint64_t i = 0; i < interval.operations; ++i)
        seen[mount].time(OpKind::stat, std::chrono::duration_cast<Nanos>(*interval.response_mean), 1ms);
    }
    merge_clients(all.clients, seen);
    all.client_slices.add_interval(seen, same_means());
  }
  return all;
}

TEST(MountLoads, EqualMountsAreNotNamedIn98Of100WindowsAndOneThatIsHalfAsFastAgainIs) {
  for (const double load : {0.5, 0.8}) {
    int wrong = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed)
      wrong += figures_of(queues(seed, load, 1), four_mounts).mount_findings.empty() ? 0 : 1;
    EXPECT_LE(wrong, 2) << load;
  }
  int named = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PointFigures point = figures_of(queues(seed, 0.5, 1.5), four_mounts);
    named += point.mounts[2].against_others->slow ? 1 : 0;
    for (const std::size_t other : {0u, 1u, 3u}) EXPECT_FALSE(point.mounts[other].against_others->slow);
  }
  EXPECT_EQ(named, 20);
}

}  // namespace
}  // namespace edagen::testing
