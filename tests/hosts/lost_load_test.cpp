// A load on many hosts that does not go as it should: a rank is lost, an op never returns.
#include <gtest/gtest.h>

#include "fakes/fake_network.hpp"
#include "fakes/steered_load.hpp"
#include "hosts/steered_load.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

TEST(SteeredLoad, ARankThatIsLostEndsTheLoadWithWhatWasMeasured) {
  FakeNetwork network(3);
  RunStats measured;
  const auto ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        if (hosts.leads()) {
          LedVolume here(hosts, "regular", {}, 5ms);
          int seen = 0;
          const EventSink cut_in_mid_window = on([&](const IntervalEnded& its) {
            if (its.in_window && ++seen == 3) network.cut(2);
          });
          measured = here.steered.run(load_at(10e3, 100ms, 1h, 100ms), cut_in_mid_window);
          if (const auto failure = hosts.failure()) throw Error(*failure);
        } else {
          follow(hosts, "regular", {}, 5ms);
        }
      },
      1500ms);
  EXPECT_EQ(ends[0].status, 1);
  EXPECT_NE(ends[0].errors.at(0).find("host2 (rank 2)"), std::string::npos) << ends[0].errors.at(0);
  EXPECT_TRUE(measured.interrupted);
  EXPECT_GT(measured.ops.operations(), 100u);
  EXPECT_GE(measured.intervals.size(), 3u);
  double due = 0;
  for (const GroupStats& group : measured.groups) due += static_cast<double>(group.due);
  EXPECT_NEAR(due, 10e3 * to_seconds(measured.length), 2) << "of all three, or more ops ended than were due";
}

TEST(SteeredLoad, WhenALauncherEndsAllBecauseOneHasDiedThatOneIsNamed) {
  FakeNetwork network(3);
  std::stop_source launcher;
  const auto ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        std::stop_source here;
        const std::stop_callback on_signal(launcher.get_token(), [&] {
          if (hosts.rank() != 2) here.request_stop();
        });
        hosts.stop_when_told(here.get_token(), [here]() mutable { here.request_stop(); });
        if (hosts.leads()) {
          LedVolume own(hosts, "regular", here.get_token(), 5ms);
          /// One rank dies in mid-window; its launcher stops the others.
          int seen = 0;
          const EventSink dies = on([&](const IntervalEnded& its) {
            if (!its.in_window || ++seen != 3) return;
            network.cut(2);
            launcher.request_stop();
          });
          own.steered.run(load_at(10e3, 100ms, 1h, 100ms), dies);
          ASSERT_TRUE(hosts.failure());
          throw Error(*hosts.failure());
        }
        follow(hosts, "regular", here.get_token(), 5ms);
      },
      2s);
  EXPECT_EQ(ends[0].errors.at(0).find("host2 (rank 2): has ended or hangs"), 0u) << ends[0].errors.at(0);
}

TEST(SteeredLoad, ARankThatIsLostBeforeTheStartEndsTheLoad) {
  FakeNetwork network(4);
  RunStats measured;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.rank() == 1) throw run_error("mount /m", "is gone");
    if (hosts.leads()) {
      LedVolume here(hosts);
      while (!hosts.failure()) hosts.rest();  // the others say that they are ready, and nobody has waited for it
      measured = here.steered.run(load_at(10e3, 100ms, 1h, 100ms), ignore_events);
      throw Error(*hosts.failure());
    }
    follow(hosts);
  });
  EXPECT_TRUE(measured.interrupted);
  EXPECT_EQ(ends[0].errors.at(0), "host1 (rank 1): mount /m: is gone");
}

TEST(SteeredLoad, WhenTheLeaderCannotBeginTheOthersDoNotWaitForAStart) {
  FakeNetwork network(3);
  RunStats measured;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      NoCounters none;
      LedLoad led(hosts, mixed_kinds);
      AskedRunner cannot;
      cannot.stuck_ops = 3;  // of an earlier load
      measured =
          SteeredLoad(hosts, led, cannot, none, {all_clients}).run(load_at(10e3, 100ms, 1h, 100ms), ignore_events);
      return;
    }
    follow(hosts);
  });
  for (const auto& end : ends) EXPECT_EQ(end.status, 0);
  EXPECT_EQ(measured.stuck_ops, 3u);
}

TEST(SteeredLoad, AnotherHostTellsItsOpsThatNeverReturnAndEndsWithItsLeader) {
  FakeNetwork network(2);
  std::uint64_t stuck = 0, told = 0;
  on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      const LoadPoint load = load_at(10e3, 100ms, 1s, 100ms);
      hosts.send_all(About::command, to_wire(HostCommand{.what = HostCommand::What::run, .load = load}));
      told = from_wire<LoadOutcome>(hosts.receive(1, About::outcome)).stuck_ops;
      return;  // it says nothing but that it has ended, as one that leaves threads of its own behind
    }
    NoCounters none;
    AskedRunner here;
    here.stuck_ops = 2;
    FollowedLoad followed(hosts);
    follow_load(hosts, followed, here, none, 2, {all_clients}, ignore_events, stuck);
  });
  EXPECT_EQ(told, 2u);
  EXPECT_EQ(stuck, 2u);
}

/// Some ops have not returned at the end of the load.
struct OpsLeftBehind final : LoadRunner {
  OpsLeftBehind(LoadRunner& its_load, bool is_interrupted) : load(its_load), interrupted(is_interrupted) {}
  RunStats run(const LoadPoint& point, const EventSink& emit) override {
    RunStats stats = load.run(point, emit);
    stats.stuck_ops = 2;
    stats.interrupted = interrupted;
    return stats;
  }
  LoadRunner& load;
  bool interrupted;
};

TEST(SteeredLoad, OpsThatAnInterruptLeavesBehindAreNoFailureOfTheirHost) {
  for (const bool interrupted : {false, true}) {
    FakeNetwork network(2);
    RunStats measured;
    bool failed = false;
    on_hosts(network, [&](Hosts& hosts) {
      if (hosts.leads()) {
        measured = LedVolume(hosts).steered.run(load_at(1e3, 0ms, 200ms, 100ms), ignore_events);
        failed = hosts.failure().has_value();
        return;
      }
      FollowedLoad followed(hosts);
      SteeredVolume volume("regular", &hosts, &followed);
      OpsLeftBehind here(volume.runner(), interrupted);
      follow(hosts, followed, here);
    });
    EXPECT_EQ(measured.stuck_ops, 2u);
    EXPECT_EQ(measured.interrupted, interrupted);
    EXPECT_EQ(failed, !interrupted);
  }
}

}  // namespace
}  // namespace edagen::testing
