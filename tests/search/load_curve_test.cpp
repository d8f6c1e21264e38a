#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "edagen/search.hpp"
#include "fakes/station_setup.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::StationSetup;

/// Times are virtual: a search takes a fraction of a second.
CurvePlan plan(std::vector<Nanos> targets) {
  CurvePlan made;
  made.arrivals = Arrivals::poisson;
  made.load.duration = 20s;
  made.load.warmup = 5s;
  made.targets = std::move(targets);
  made.own_rate = 100;
  return made;
}

TEST(LoadCurve, FixedPointsAreEquallySpacedAndAnswerToo) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({3ms});
  made.rates = equally_spaced_rates(10, 900);
  const Curve curve = measure(setup.runner(), made, ignore_events);
  ASSERT_EQ(curve.points.size(), 10u);
  EXPECT_EQ(curve.points[4].stats.requested_ops_per_sec, 450);
  for (const CurvePoint& point : curve.points) EXPECT_EQ(point.purpose, Purpose::load_point);
  const AtTarget& answer = curve.answers[0];
  EXPECT_NEAR(answer.ops_per_sec, 1000 - 1000.0 / 3, 30);
  EXPECT_GE(answer.ops_per_sec, answer.low);
  EXPECT_LE(answer.ops_per_sec, answer.high);
  ASSERT_TRUE(answer.demonstrated);
  EXPECT_EQ(curve.points.at(answer.demonstrated->load_point).stats.requested_ops_per_sec,
            answer.demonstrated->ops_per_sec);
  EXPECT_FALSE(answer.limit);
}

TEST(LoadCurve, FixedPointsThatStayBelowTheTargetGiveALowerBound) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({5ms});
  made.rates = {200, 400, 600};
  const AtTarget answer = measure(setup.runner(), made, ignore_events).answers[0];
  EXPECT_TRUE(answer.met);
  EXPECT_EQ(answer.limit, RateLimit::highest_rate);
  EXPECT_DOUBLE_EQ(answer.ops_per_sec, 600);
  EXPECT_EQ(answer.invalid, std::vector{Invalid::target_not_reached});
}

TEST(LoadCurve, FixedPointsThatAreAllOverTheTargetDoNotMeetIt) {
  StationSetup setup(1, 1e6, ServiceTimes::deterministic, 1);
  CurvePlan made = plan({500us});
  made.rates = {200, 400, 600};
  const AtTarget answer = measure(setup.runner(), made, ignore_events).answers[0];
  EXPECT_FALSE(answer.met);
  EXPECT_NEAR(Millis(answer.lowest_latency).count(), 1 + 0.2 / (2 * 0.8), 0.05);
  EXPECT_EQ(answer.lowest_latency_rate, 200);
}

TEST(LoadCurve, SeveralTargetsShareTheirPoints) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  const Curve curve = measure(setup.runner(), plan({2ms, 5ms}), ignore_events);
  ASSERT_EQ(curve.answers.size(), 2u);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 500, 30);
  EXPECT_NEAR(curve.answers[1].ops_per_sec, 800, 40);
}

TEST(LoadCurve, JobSetsAreDemonstratedByAsManyAsAreBelowTheTarget) {
  // 6.9 job sets reach the target: seven are over it.
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({from_seconds(1e-3 / 0.31)});
  made.job_sets = 10;
  made.own_rate = 1000;
  const Curve curve = measure(setup.runner(), made, ignore_events);
  const AtTarget& answer = curve.answers.at(0);
  EXPECT_NEAR(answer.ops_per_sec, 690, 30);
  ASSERT_TRUE(answer.demonstrated);
  EXPECT_EQ(curve.points.at(answer.demonstrated->load_point).job_sets, 6u);
  for (const CurvePoint& point : curve.points)
    if (point.purpose == Purpose::demonstration) EXPECT_EQ(point.job_sets, 6u);
  EXPECT_EQ(std::ranges::count(answer.invalid, Invalid::not_demonstrated), 0);
}

/// Each op takes 4 ms, however many there are: one proc, with one op at a time, makes no more than 250 ops/s.
StationSetup one_proc() {
  VolumeModel model;
  model.delay.fill(4ms);
  return StationSetup(model);
}

/// The station serves 1,000 ops/s, and its proc has as many ops in flight as are due.
StationSetup deep_proc() { return {1, 1e6, ServiceTimes::exponential, 1, 1, {}, {}, 100'000}; }

TEST(LoadCurve, FixedPointsWhoseRateIsNotReachedBelowTheTargetGiveTheLimitOfTheProcs) {
  StationSetup setup = one_proc();
  CurvePlan made = plan({5ms});
  made.load.statistic.service = true;
  made.rates = {200, 400, 600};
  const AtTarget some = measure(setup.runner(), made, ignore_events).answers[0];
  EXPECT_TRUE(some.met);
  EXPECT_EQ(some.limit, RateLimit::procs);
  EXPECT_NEAR(some.ops_per_sec, 250, 15);
  EXPECT_EQ(some.low, some.ops_per_sec);
  EXPECT_EQ(some.high, some.ops_per_sec);
  EXPECT_EQ(some.invalid, std::vector{Invalid::target_not_reached});
  EXPECT_EQ(some.demonstrated->ops_per_sec, 200);

  StationSetup other = one_proc();
  made.rates = {400, 800, 1200};  // nor is the lowest of them reached
  const AtTarget none = measure(other.runner(), made, ignore_events).answers[0];
  EXPECT_TRUE(none.met) << "its latency is below the target";
  EXPECT_EQ(none.limit, RateLimit::procs);
  EXPECT_NEAR(none.ops_per_sec, 250, 15);
  EXPECT_EQ(none.invalid, (std::vector{Invalid::target_not_reached, Invalid::not_demonstrated}));
}

TEST(LoadCurve, PointsThatEndBeforeAQueueReachesTheTargetGiveWhatTheStorageServed) {
  StationSetup setup = deep_proc();
  CurvePlan made = plan({10s});
  made.rates = {800, 1100};
  const AtTarget some = measure(setup.runner(), made, ignore_events).answers[0];
  EXPECT_FALSE(some.limit) << "more procs would not serve more ops";
  EXPECT_NEAR(some.ops_per_sec, 1000, 20);
  EXPECT_EQ(some.low, 800);
  EXPECT_EQ(some.high, some.ops_per_sec);

  StationSetup other = deep_proc();
  made.rates = {1100, 1200};
  const AtTarget none = measure(other.runner(), made, ignore_events).answers[0];
  EXPECT_FALSE(none.limit);
  EXPECT_NEAR(none.ops_per_sec, 1000, 20);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.invalid, std::vector{Invalid::not_demonstrated});
}

TEST(LoadCurve, ASearchNamesTheProcsAsTheLimitOnlyWhereOpsWaitForThem) {
  StationSetup few = one_proc(), many = deep_proc();
  CurvePlan made = plan({5ms});
  made.load.statistic.service = true;
  const AtTarget of_procs = measure(few.runner(), made, ignore_events).answers[0];
  EXPECT_EQ(of_procs.limit, RateLimit::procs);
  EXPECT_NEAR(of_procs.ops_per_sec, 250, 15) << "not what a short block reached by chance";
  EXPECT_EQ(of_procs.low, of_procs.ops_per_sec);
  EXPECT_EQ(of_procs.high, of_procs.ops_per_sec);

  // The blocks are short for such a queue: some miss their rate before the queue reaches the target.
  const AtTarget of_storage = measure(many.runner(), plan({5s}), ignore_events).answers[0];
  EXPECT_FALSE(of_storage.limit);
  EXPECT_LE(of_storage.low, 1000);
  EXPECT_GE(of_storage.high, 1000);
}

TEST(LoadCurve, ATargetBelowTheServiceTimeIsNotMet) {
  StationSetup setup(1, 1e6, ServiceTimes::deterministic, 1);
  const AtTarget answer = measure(setup.runner(), plan({500us}), ignore_events).answers[0];
  EXPECT_FALSE(answer.met);
  EXPECT_EQ(answer.invalid, std::vector{Invalid::no_load_meets_target});
  EXPECT_GE(answer.lowest_latency, 1ms);
  EXPECT_LT(answer.lowest_latency, 1200us);
}

TEST(LoadCurve, WhereEveryLoadIsAnOverloadItsLatencyIsTold) {
  // One op in 4 s is served, and the lowest rate is 2 ops/s.
  StationSetup setup(1, 4e9, ServiceTimes::deterministic, 1);
  const AtTarget answer = measure(setup.runner(), plan({2ms}), ignore_events).answers[0];
  EXPECT_FALSE(answer.met);
  EXPECT_GE(answer.lowest_latency, 1s);
}

TEST(LoadCurve, ATargetAboveTheHighestRateAllowedIsALowerBound) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({5ms});
  made.max_rate = 300;
  const Curve curve = measure(setup.runner(), made, ignore_events);
  EXPECT_EQ(curve.answers[0].limit, RateLimit::highest_rate);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 300, 5);
  EXPECT_EQ(curve.answers[0].invalid, std::vector{Invalid::target_not_reached});
}

}  // namespace
}  // namespace edagen
