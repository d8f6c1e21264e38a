#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "edagen/search.hpp"
#include "fakes/station_setup.hpp"
#include "search/answer.hpp"

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

/// Of the ops that are due, no more than a rate end, as fast as ever: the procs have no more of them in flight.
class ReachesNoMoreThan final : public LoadRunner {
 public:
  ReachesNoMoreThan(LoadRunner& real, double rate) : real_(real), rate_(rate) {}
  RunStats run(const LoadPoint& load, const EventSink& emit) override {
    LoadPoint reached = load;
    OpenLoop& loop = std::get<OpenLoop>(reached.rate);
    const double asked = std::exchange(loop.ops_per_sec, std::min(loop.ops_per_sec, rate_));
    RunStats stats = real_.run(reached, emit);
    stats.requested_ops_per_sec = asked;
    for (GroupStats& group : stats.groups)
      group.due = static_cast<std::uint64_t>(static_cast<double>(group.due) * asked / loop.ops_per_sec);
    return stats;
  }
  std::uint64_t end_load() override { return real_.end_load(); }

 private:
  LoadRunner& real_;
  double rate_;
};

TEST(LoadCurve, FixedPointsAreEquallySpacedAndAnswerToo) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({3ms});
  made.points = 10;
  made.max_rate = 900;
  const Curve curve = measure(setup.runner(), made, ignore_events);
  ASSERT_EQ(curve.points.size(), 10u);
  EXPECT_EQ(curve.points[4].stats.requested_ops_per_sec, 450);
  for (const CurvePoint& point : curve.points) EXPECT_EQ(point.purpose, Purpose::load_point);
  const AtTarget& answer = curve.answers[0];
  EXPECT_NEAR(answer.ops_per_sec, 1000 - 1000.0 / 3, 30);
  EXPECT_GE(answer.ops_per_sec, answer.low);
  EXPECT_LE(answer.ops_per_sec, answer.high);
  ASSERT_TRUE(answer.demonstrated);
  EXPECT_EQ(curve.points.at(answer.demonstrated->point).stats.requested_ops_per_sec, answer.demonstrated->ops_per_sec);
  EXPECT_FALSE(answer.limit);
}

TEST(LoadCurve, FixedPointsThatStayBelowTheTargetGiveALowerBound) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({5ms});
  made.points = 3;
  made.max_rate = 600;
  const AtTarget answer = measure(setup.runner(), made, ignore_events).answers[0];
  EXPECT_TRUE(answer.met);
  EXPECT_EQ(answer.limit, RateLimit::highest_rate);
  EXPECT_DOUBLE_EQ(answer.ops_per_sec, 600);
  EXPECT_EQ(answer.invalid, std::vector{Invalid::target_not_reached});
}

TEST(LoadCurve, FixedPointsThatAreAllOverTheTargetDoNotMeetIt) {
  StationSetup setup(1, 1e6, ServiceTimes::deterministic, 1);
  CurvePlan made = plan({500us});
  made.points = 3;
  made.max_rate = 600;
  const AtTarget answer = measure(setup.runner(), made, ignore_events).answers[0];
  EXPECT_FALSE(answer.met);
  EXPECT_NEAR(Millis(answer.lowest_latency).count(), 1 + 0.2 / (2 * 0.8), 0.05);
}

TEST(LoadCurve, FixedPointsThatSayNothingOfTheTargetDoNotSayThatNoneMeetsIt) {
  std::vector<SearchBlock> blocks(2);
  for (std::size_t i = 0; i < 2; ++i) {
    blocks[i].rate = blocks[i].requested = 1000.0 * static_cast<double>(i + 1);
    blocks[i].purpose = Purpose::load_point;
    blocks[i].reached = true;
    blocks[i].values = {5};
    blocks[i].late = {false};
  }
  EXPECT_FALSE(between_points(blocks, 0, plan({5ms})).limit) << "both are over it";
  blocks[0].counts = false;
  AtTarget answer = between_points(blocks, 0, plan({5ms}));
  EXPECT_FALSE(answer.met);
  EXPECT_EQ(answer.limit, RateLimit::search_time) << "the lower one may meet it";
  EXPECT_EQ(answer.invalid, (std::vector{Invalid::target_not_reached, Invalid::not_demonstrated}));
  blocks[0].invalid = {Invalid::generator_paused};
  blocks[1].counts = false;
  answer = between_points(blocks, 0, plan({5ms}));
  EXPECT_EQ(answer.limit, RateLimit::host);
  EXPECT_EQ(answer.invalid, (std::vector{Invalid::generator_limited, Invalid::not_demonstrated}));
}

TEST(LoadCurve, SeveralTargetsShareTheirPoints) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  const Curve curve = measure(setup.runner(), plan({2ms, 5ms}), ignore_events);
  ASSERT_EQ(curve.answers.size(), 2u);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 500, 30);
  EXPECT_NEAR(curve.answers[1].ops_per_sec, 800, 40);
}

TEST(LoadCurve, NoNumberOfJobSetsIsAskedForMoreThanTheHighestRate) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({5ms});
  made.job_sets = 10;
  made.own_rate = 900;
  made.max_rate = 500;  // 5.6 job sets
  const Curve curve = measure(setup.runner(), made, ignore_events);
  for (const CurvePoint& point : curve.points) EXPECT_LE(point.job_sets, 5u);
  EXPECT_EQ(curve.answers.at(0).limit, RateLimit::highest_rate);
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
  EXPECT_EQ(curve.points.at(answer.demonstrated->point).job_sets, 6u);
  for (const CurvePoint& point : curve.points)
    if (point.purpose == Purpose::demonstration) EXPECT_EQ(point.job_sets, 6u);
  EXPECT_EQ(std::ranges::count(answer.invalid, Invalid::not_demonstrated), 0);
}

TEST(LoadCurve, FixedPointsWhoseRateIsNotReachedBelowTheTargetGiveTheLimitOfTheProcs) {
  // All procs wait for their ops, and the storage would serve more of them: half of the ops that are due end.
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  ReachesNoMoreThan busy(setup.runner(), 250);
  CurvePlan made = plan({5ms});
  made.points = 3;
  made.max_rate = 600;
  const AtTarget some = measure(busy, made, ignore_events).answers[0];
  EXPECT_TRUE(some.met);
  EXPECT_EQ(some.limit, RateLimit::procs);
  EXPECT_NEAR(some.ops_per_sec, 250, 15);
  EXPECT_EQ(some.low, some.ops_per_sec);
  EXPECT_EQ(some.high, some.ops_per_sec);
  EXPECT_EQ(some.invalid, std::vector{Invalid::target_not_reached});
  EXPECT_EQ(some.demonstrated->ops_per_sec, 200);

  made.max_rate = 1200;  // nor is the lowest of them reached
  const AtTarget none = measure(busy, made, ignore_events).answers[0];
  EXPECT_TRUE(none.met) << "its latency is below the target";
  EXPECT_EQ(none.limit, RateLimit::procs);
  EXPECT_NEAR(none.ops_per_sec, 250, 15);
  EXPECT_EQ(none.invalid, (std::vector{Invalid::target_not_reached, Invalid::not_demonstrated}));
}

TEST(LoadCurve, FixedPointsFarBelowAPercentileDoNotPullTheAnswerTowardsThem) {
  // No op of the first point takes longer than the target. From nothing at 1,000 ops/s, the share over it is
  // log-linear.
  std::vector<SearchBlock> blocks(2);
  for (std::size_t i = 0; i < 2; ++i) {
    blocks[i].rate = blocks[i].requested = 1000.0 * static_cast<double>(i + 1);
    blocks[i].reached = true;
    blocks[i].late = {false};
    blocks[i].purpose = Purpose::load_point;
    blocks[i].point = i;
  }
  blocks[0].values = {0};
  blocks[1].values = {20};
  CurvePlan made = plan({5ms});
  made.load.statistic = LatencyStatistic::parse("p99", "response");
  EXPECT_NEAR(between_points(blocks, 0, made).ops_per_sec, 1500, 1) << "0 counts as 1/20";
}

TEST(LoadCurve, PercentilesCanBeTheTarget) {
  // The response of M/M/1 is exponential: p99 = ln(100) / (mu - lambda).
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan made = plan({from_seconds(std::log(100) * 0.002)});
  made.load.statistic = LatencyStatistic::parse("p99", "response");
  EXPECT_NEAR(measure(setup.runner(), made, ignore_events).answers[0].ops_per_sec, 500, 40);
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

/// Makes all ops of some blocks slow, as a burst from elsewhere does.
class SlowBlocks final : public LoadRunner {
 public:
  /// `which`: told of the load and of how many there were with this one.
  SlowBlocks(LoadRunner& real, std::function<bool(const LoadPoint&, int)> which, Nanos latency = 50ms)
      : real_(real), which_(std::move(which)), latency_(latency) {}
  RunStats run(const LoadPoint& load, const EventSink& emit) override {
    RunStats stats = real_.run(load, emit);
    if (!which_(load, ++runs_)) return stats;
    OpStats slow;
    for (std::uint64_t i = 0; i < stats.ops.operations(); ++i) slow.record(OpKind::stat, {latency_, latency_, 0ms}, {});
    stats.ops = slow;
    for (Interval& interval : stats.intervals) interval.statistic = latency_;
    return stats;
  }
  std::uint64_t end_load() override { return real_.end_load(); }

 private:
  LoadRunner& real_;
  std::function<bool(const LoadPoint&, int)> which_;
  Nanos latency_;
  int runs_ = 0;
};

AtTarget found_despite(int first, int count) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3);
  SlowBlocks noisy(setup.runner(), [&](const LoadPoint&, int run) { return run >= first && run < first + count; });
  return measure(noisy, plan({5ms}), ignore_events).answers[0];
}

/// A block in which all ops were slow counts with all they are, as it would for users: its place among the others
/// decides how far the rate goes down. The interval has to say so.
void expect_told(const AtTarget& answer, int first) {
  EXPECT_TRUE(answer.met) << "block " << first;
  EXPECT_LE(answer.low, 820) << "block " << first;
  EXPECT_GE(answer.high, 780) << "block " << first;
  EXPECT_NEAR(answer.ops_per_sec, 800, 120) << "block " << first;
}

/// Which of the blocks are tried where each takes long.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int step = 4;
#else
constexpr int step = 1;
#endif

TEST(LoadCurve, OneSlowBlockIsInTheIntervalWhereverItIs) {
  for (int which = 1; which <= 12; which += step) expect_told(found_despite(which, 1), which);
}

TEST(LoadCurve, ABurstThatLastsForTwoBlocksDoesNotEndTheSearch) {
  // Such as the writing back of what came before: both blocks that set the upper end say the same, and are wrong.
  for (int first = 2; first <= 6; first += step) expect_told(found_despite(first, 2), first);
}

TEST(LoadCurve, ABlockOfTheClimbThatIsSlowByChanceIsNoValidAnswerWhereThereIsNoTimeForMore) {
  for (std::uint64_t seed = 1; seed <= 20; seed += step) {
    StationSetup setup(1, 1e6, ServiceTimes::exponential, seed);
    SlowBlocks noisy(
        setup.runner(), [&](const LoadPoint&, int run) { return run == 4; }, 5500us);
    CurvePlan hurried = plan({5ms});
    hurried.search_time = 30s;
    const AtTarget answer = measure(noisy, hurried, ignore_events).answers[0];
    EXPECT_NEAR(answer.ops_per_sec, 337.5, 1) << "of the climb: 12.5, 37.5, 112.5, 337.5";
    EXPECT_FALSE(answer.invalid.empty()) << answer.low << " to " << answer.high << ", seed " << seed;
  }
}

/// Wakes up late while there is little to do, as machines do that save power: that is no limit of the volume.
class LateWhenIdle final : public LoadRunner {
 public:
  explicit LateWhenIdle(LoadRunner& real) : real_(real) {}
  RunStats run(const LoadPoint& load, const EventSink& emit) override {
    RunStats stats = real_.run(load, emit);
    if (load.open_loop()->ops_per_sec < 600)
      for (std::uint64_t i = 0; i < stats.ops.operations(); ++i) stats.generator_lag.record(Nanos(300'000));
    return stats;
  }
  std::uint64_t end_load() override { return real_.end_load(); }

 private:
  LoadRunner& real_;
};

TEST(LoadCurve, AGeneratorThatIsLateBelowTheTargetDoesNotEndTheSearch) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 3);
  LateWhenIdle late(setup.runner());
  const Curve curve = measure(late, plan({5ms}), ignore_events);
  EXPECT_NEAR(curve.answers[0].ops_per_sec, 800, 40);
}

}  // namespace
}  // namespace edagen
