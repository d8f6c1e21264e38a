// How the leader puts the intervals of all hosts together.
#include <gtest/gtest.h>

#include <cerrno>

#include "fakes/fake_network.hpp"
#include "fakes/steered_load.hpp"
#include "hosts/steered_load.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

TEST(LedLoad, IntervalsOfARankThatWasHeldUpArePutTogetherByTime) {
  FakeNetwork network(2);
  RunStats measured;
  on_hosts(network, [&](Hosts& hosts) {
    const IntervalStats nothing(1);
    const auto seen = [&](Nanos start, Nanos length) {
      return IntervalSeen{start, length, to_wire(nothing), start + length == 4s, false};
    };
    LoadOutcome outcome;
    outcome.last = nothing;
    if (!hosts.leads()) {
      hosts.send(0, About::ready, {});
      hosts.send(0, About::interval, to_wire(seen(0s, 3s)));  // it was held up in them
      hosts.send(0, About::interval, to_wire(seen(3s, 1s)));
      hosts.send(0, About::outcome, to_wire(outcome));
      hosts.receive(0, About::start);
      hosts.receive(0, About::decision);
      return;
    }
    LedLoad led(hosts, {"procs"});
    led.begin(load_at(1e3, 0s, 4s, 1s), ignore_events);
    led.agree_start();
    for (const Nanos start : {0s, 1s, 2s, 3s}) {
      Interval interval;
      interval.start = start;
      interval.length = 1s;
      led.interval_ended(interval, nothing, start == 3s, false);
    }
    while (!led.decision()) hosts.rest();
    RunStats local;
    local.groups = {{.name = "procs"}};
    measured = led.finish(outcome, local);
  });
  std::vector<Nanos> lengths;
  for (const Interval& interval : measured.intervals) lengths.push_back(interval.length);
  EXPECT_EQ(lengths, (std::vector<Nanos>{3s, 1s}));
}

TEST(LedLoad, AnIntervalOfAllTellsWhatEachHostDidInIt) {
  FakeNetwork network(2);
  std::vector<std::vector<HostInterval>> kept;
  std::vector<std::string> names;
  on_hosts(network, [&](Hosts& hosts) {
    const auto stats_of = [](int operations) {
      IntervalStats stats(1);
      for (int i = 0; i < operations; ++i) stats.ops.record(OpKind::stat, {3ms, 2ms, 1ms}, {0, 4096, 0});
      stats.ops.record_error(OpKind::stat, ESTALE);
      if (operations > 0) stats.generator_lag.record(500us);
      return stats;
    };
    const auto seen = [&](Nanos start, Nanos length, int operations) {
      return to_wire(IntervalSeen{start, length, to_wire(stats_of(operations)), start + length == 2s, false});
    };
    LoadOutcome outcome;
    if (!hosts.leads()) {
      hosts.send(0, About::ready, {});
      hosts.send(0, About::interval, seen(0s, 400ms, 3));
      hosts.send(0, About::interval, seen(400ms, 600ms, 5));
      hosts.send(0, About::interval, seen(1s, 1s, 7));
      outcome.last = stats_of(9);
      hosts.send(0, About::outcome, to_wire(outcome));
      hosts.receive(0, About::start);
      hosts.receive(0, About::decision);
      return;
    }
    for (int rank = 0; rank < 2; ++rank) names.push_back(hosts.name(rank));
    LedLoad led(hosts, {"procs"});
    led.begin(load_at(1e3, 0s, 2s, 1s), on([&](const IntervalEnded& its) { kept.push_back(its.stats.hosts); }));
    led.agree_start();
    for (const Nanos start : {0s, 1s}) {
      Interval interval;
      interval.start = start;
      interval.length = 1s;
      led.interval_ended(interval, stats_of(0), start == 1s, false);
    }
    while (!led.decision()) hosts.rest();
    outcome.last = stats_of(0);
    RunStats local;
    local.groups = {{.name = "procs"}};
    led.finish(outcome, local);
  });
  ASSERT_EQ(kept.size(), 2u);
  for (const std::vector<HostInterval>& hosts : kept) {
    ASSERT_EQ(hosts.size(), 2u);
    for (std::size_t rank = 0; rank < 2; ++rank) {
      EXPECT_EQ(hosts[rank].name, names[rank]);
      EXPECT_EQ(hosts[rank].length, 1s);
    }
    EXPECT_EQ(hosts[0].counts.operations, 0u);
    EXPECT_FALSE(hosts[0].response_mean);
    EXPECT_FALSE(hosts[0].generator_lag_mean);
    EXPECT_EQ(hosts[1].response_mean, NanosF(3e6));
    EXPECT_EQ(hosts[1].generator_lag_mean, NanosF(5e5));
  }
  EXPECT_EQ(kept[0][1].counts.operations, 8u);
  EXPECT_EQ(kept[0][1].counts.errors, 2u);
  EXPECT_EQ(kept[0][1].counts.bytes, 8 * 4096);
  EXPECT_EQ(kept[1][1].counts.operations, 9u);  // with the ops that ended after the window
}

/// One interval of a second at each of two ranks. `meanwhile`: what the leader does when the load has begun.
RunStats measured_by_two(Hosts& hosts, const std::function<void()>& meanwhile) {
  const IntervalStats nothing(1);
  LoadOutcome outcome;
  outcome.last = nothing;
  if (!hosts.leads()) {
    hosts.send(0, About::ready, {});
    hosts.send(0, About::interval, to_wire(IntervalSeen{0s, 1s, to_wire(nothing), true, false}));
    hosts.send(0, About::outcome, to_wire(outcome));
    hosts.receive(0, About::start);
    hosts.receive(0, About::decision);
    return {};
  }
  LedLoad led(hosts, {"procs"});
  led.begin(load_at(1e3, 0s, 1s, 1s), ignore_events);
  led.agree_start();
  meanwhile();
  led.interval_ended({.length = 1s}, nothing, true, false);
  while (!led.decision()) hosts.rest();
  RunStats local;
  local.groups = {{.name = "procs"}};
  return led.finish(outcome, local);
}

TEST(LedLoad, TheClockOfAHostIsKnownAsItWasWhenTheLoadBeganByIt) {
  FakeNetwork network(2);
  std::vector<RunStats> measured;
  std::vector<Nanos> known;
  on_hosts(network, [&](Hosts& hosts) {
    for (int i = 0; i < 2; ++i) {
      if (hosts.leads()) hosts.synchronize();
      RunStats stats = measured_by_two(hosts, [&] {
        known.push_back(hosts.clock(1).uncertainty);
        while (hosts.clock(1).uncertainty == known.back()) hosts.synchronize();
      });
      if (hosts.leads()) measured.push_back(std::move(stats));
    }
  });
  ASSERT_EQ(measured.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(measured[i].hosts.size(), 2u);
    EXPECT_EQ(measured[i].hosts[0].clock_uncertainty, Millis(0));
    EXPECT_EQ(measured[i].hosts[1].clock_uncertainty, Millis(known[i])) << i;
  }
}

}  // namespace
}  // namespace edagen::testing
