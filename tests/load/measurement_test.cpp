#include "load/measurement.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// Feeds intervals of ops with the latency that `latency(t)` says, of none where it is 0; returns the result.
template <class Latency>
RunStats feed(bool settle, Latency latency, Nanos settle_within = Nanos::max(), EventSink emit = ignore_events,
              Nanos warmup = 10s) {
  LoadPoint load;
  load.rate = OpenLoop{10};
  load.warmup = warmup;
  load.duration = 10s;
  load.settle = settle;
  load.settle_within = settle_within;
  const std::vector<std::string> groups = {"one"};
  Measurement measurement(load, groups, std::move(emit));
  measurement.load_began();
  for (;;) {
    const Nanos end = measurement.interval_end();
    IntervalStats seen(1);
    const Nanos value = latency(to_seconds(end));
    for (int i = 0; i < 10 && value > 0ns; ++i) seen.ops.record(OpKind::stat, {value + Nanos(i), value, 0ms}, {});
    seen.group_operations[0] = 10;
    const Measurement::Next next = measurement.interval_ended(end, seen, false);
    if (next == Measurement::Next::window) measurement.begin_window(end);
    if (next == Measurement::Next::end) return measurement.finish(seen);
  }
}

TEST(Measurement, WarmUpIsNotCounted) {
  const RunStats stats = feed(false, [](double t) { return t <= 10 ? Nanos(100ms) : Nanos(1ms); });
  EXPECT_EQ(stats.warmup, 10s);
  EXPECT_EQ(stats.length, 10s);
  EXPECT_EQ(stats.ops.operations(), 100u);
  EXPECT_EQ(stats.groups[0].operations, 100u);
  EXPECT_LT(stats.ops.response().max(), 2ms);
}

TEST(Measurement, IntervalsCountOpsByResponseInHalfOctaves) {
  const RunStats stats = feed(false, [](double t) { return t <= 15 ? Nanos(500) : Nanos(1ms); });
  ASSERT_EQ(stats.intervals.size(), 10u);
  EXPECT_EQ(stats.intervals[0].response_counts, std::vector<std::uint64_t>{10});  // all below 2^(1/2) us
  std::vector<std::uint64_t> late(20);
  late[19] = 10;  // 2^(19/2) us = 0.72 ms
  EXPECT_EQ(stats.intervals[9].response_counts, late);
}

TEST(Measurement, OpsOfClientsAreOfTheWindowAlone) {
  LoadPoint load;
  load.warmup = 1s;
  load.duration = 2s;
  const std::vector<std::string> groups = {"one"};
  Measurement measurement(load, groups, ignore_events);
  IntervalStats seen(1);
  seen.clients.resize(2);
  seen.clients[0].counts = {.operations = 3, .errors = 1, .bytes = 10};
  seen.clients[1].counts = {.operations = 2, .errors = 0, .bytes = 0};
  seen.clients[1].time(OpKind::stat, 2ms, 1ms);
  ASSERT_EQ(measurement.interval_ended(1s, seen, false), Measurement::Next::window);
  measurement.begin_window(1s);
  measurement.interval_ended(2s, seen, false);
  seen.clients.resize(3);
  measurement.interval_ended(3s, seen, false);
  const RunStats stats = measurement.finish(seen);
  ASSERT_EQ(stats.clients.size(), 3u);
  EXPECT_EQ(stats.clients[0].counts.operations, 6u);
  EXPECT_EQ(stats.clients[0].counts.errors, 2u);
  EXPECT_EQ(stats.clients[0].counts.bytes, 20);
  EXPECT_EQ(stats.clients[1].counts.operations, 4u);
  EXPECT_EQ(stats.clients[1].response().count(), 2u);
  ASSERT_EQ(stats.client_slices.slices().size(), 2u) << "without the warm-up";
  EXPECT_EQ(stats.client_slices.slices()[0].at(1).total, 2e6);
  EXPECT_EQ(stats.clients[2].counts.operations, 0u);
}

TEST(Measurement, ALoadThatHasNotSettledIsWarmedUpOn) {
  const auto settling = [](double t) { return from_seconds(0.001 + 0.1 * std::max(0.0, 25 - t)); };
  EXPECT_EQ(feed(false, settling).warmup, 10s);
  const RunStats stats = feed(true, settling);
  EXPECT_GE(stats.warmup, 30s);
  EXPECT_FALSE(stats.unsteady);
  EXPECT_NEAR(stats.ops.response().mean(), 1e6, 100);
}

TEST(Measurement, AWarmUpOfFiveIntervalsIsExtendedAndAShorterOneIsNot) {
  const auto settling = [](double t) { return from_seconds(0.001 + 0.1 * std::max(0.0, 12 - t)); };
  const RunStats of_default_length = feed(true, settling, Nanos::max(), ignore_events, 5s);
  EXPECT_EQ(of_default_length.longer_warmup, 15s);
  EXPECT_EQ(of_default_length.first_window, 0s);
  EXPECT_NEAR(of_default_length.ops.response().mean(), 1e6, 100);
  EXPECT_EQ(feed(true, settling, Nanos::max(), ignore_events, 4s).longer_warmup, 0s) << "four values show no trend";
  const auto level = [](double) { return Nanos(1ms); };
  EXPECT_EQ(feed(true, level, Nanos::max(), ignore_events, 5s).warmup, 5s);
}

TEST(Measurement, ALoadThatNeverSettlesIsExtendedOnceAndMarked) {
  const RunStats stats = feed(true, [](double t) { return from_seconds(0.01 * t); });
  EXPECT_TRUE(stats.unsteady);
  EXPECT_EQ(stats.length, 10s);
  EXPECT_EQ(stats.warmup, 40s + 10s);  // four times the warm-up, and the window that was thrown away
}

TEST(Measurement, ALongerWarmUpAndASecondWindowAreEmittedAndKept) {
  const auto never = [](double t) { return from_seconds(0.01 * t); };
  std::string events;
  const EventSink emit = on([&](const WarmupExtended&) { events += "longer "; },
                            [&](const WindowBegan& window) { events += window.again ? "again" : "window "; });
  const RunStats both = feed(true, never, Nanos::max(), emit);
  EXPECT_EQ(events, "longer longer longer window again");
  EXPECT_EQ(both.longer_warmup, 30s);
  EXPECT_EQ(both.first_window, 10s);
  events.clear();
  const RunStats neither = feed(false, never, Nanos::max(), emit);
  EXPECT_EQ(events, "window ");
  EXPECT_EQ(neither.longer_warmup, 0s);
  EXPECT_EQ(neither.first_window, 0s);
}

TEST(Measurement, IntervalsInWhichNothingEndedAreNoTrend) {
  const RunStats stats = feed(true, [](double t) { return t <= 16 ? Nanos(1ms) : Nanos(0); });
  EXPECT_FALSE(stats.unsteady);
  EXPECT_EQ(stats.warmup, 10s) << "not extended";
  EXPECT_EQ(stats.intervals.size(), 10u);
}

TEST(Measurement, ALoadThatDoesNotSettleInItsTimeIsMarkedAndTakesNoLonger) {
  const auto never = [](double t) { return from_seconds(0.01 * t); };
  const RunStats once = feed(true, never, 35s);  // a longer warm-up, but no second window
  EXPECT_TRUE(once.unsteady);
  EXPECT_EQ(once.warmup, 20s);
  EXPECT_EQ(once.length, 10s);
  const RunStats none = feed(true, never, 0s);
  EXPECT_TRUE(none.unsteady);
  EXPECT_EQ(none.warmup, 10s);
  EXPECT_EQ(none.length, 10s);
}

TEST(Measurement, WhatEndsAfterTheWindowBelongsToItsLastInterval) {
  LoadPoint load;
  load.duration = 2s;
  const std::vector<std::string> groups = {"one"};
  Measurement measurement(load, groups, ignore_events);
  IntervalStats seen(1);
  seen.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  EXPECT_EQ(measurement.interval_ended(1s, seen, false), Measurement::Next::interval);
  EXPECT_EQ(measurement.interval_ended(2s + 3ms, seen, false), Measurement::Next::end);
  seen.ops.of(OpKind::stat).time({99ms, 99ms, 0ms});
  const RunStats stats = measurement.finish(seen);
  EXPECT_EQ(stats.length, 2s) << "whenever its end was noticed";
  EXPECT_EQ(stats.ops.operations(), 2u);
  EXPECT_EQ(stats.ops.response().count(), 3u);
  EXPECT_EQ(stats.intervals[1].operations, 1u);
  EXPECT_NEAR(stats.intervals[1].response_mean->count(), 50e6, 1);
}

TEST(Measurement, AnIntervalInWhichNothingEndedHasNoLatency) {
  LoadPoint load;
  load.duration = 2s;
  const std::vector<std::string> groups = {"one"};
  Measurement measurement(load, groups, ignore_events);
  measurement.interval_ended(1s, IntervalStats(1), false);
  measurement.interval_ended(2s, IntervalStats(1), false);
  const RunStats stats = measurement.finish(IntervalStats(1));
  EXPECT_FALSE(stats.intervals[0].response_mean);
  EXPECT_FALSE(stats.intervals[0].response_p99);
  EXPECT_FALSE(stats.intervals[1].statistic);
}

TEST(Measurement, ALoadThatEndsBeforeItsWindowHasBegunHasAWindowOfNoLength) {
  LoadPoint load;
  load.warmup = load.duration = 1s;
  const std::vector<std::string> groups = {"one"};
  for (const bool is_seen : {true, false}) {
    Measurement measurement(load, groups, ignore_events);
    ASSERT_EQ(measurement.interval_ended(1s, IntervalStats(1), false), Measurement::Next::window);
    measurement.begin_window(1020ms);
    if (is_seen) {
      EXPECT_EQ(measurement.interval_ended(1005ms, IntervalStats(1), true), Measurement::Next::end);
    }
    const RunStats stats = measurement.finish(IntervalStats(1));
    EXPECT_EQ(stats.length, 0ns);
    EXPECT_TRUE(stats.intervals.empty()) << "an interval of no length has no rate";
  }
}

TEST(Measurement, ALoadThatEndsInItsWarmUpHasNoWindow) {
  LoadPoint load;
  load.warmup = 10s;
  load.duration = 10s;
  int windows = 0;
  const std::vector<std::string> groups = {"one"};
  Measurement measurement(load, groups, on([&](const WindowEnded&) { ++windows; }));
  measurement.load_began();
  IntervalStats seen(1);
  seen.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  EXPECT_EQ(measurement.interval_ended(700ms, seen, true), Measurement::Next::end);
  measurement.end_window();
  const RunStats stats = measurement.finish(seen);
  EXPECT_EQ(stats.length, 0s);
  EXPECT_EQ(stats.warmup, 700ms);
  EXPECT_EQ(stats.ops.operations() + stats.intervals.size(), 0u);
  EXPECT_EQ(windows, 0);
}

}  // namespace
}  // namespace edagen
