#include "search/rate_at_latency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/random.hpp"
#include "search/full_runs.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// A point of the curve of an M/M/1 station with 1,000 ops/s, give or take `noise`.
CurvePoint mm1(double rate, double noise = 0, double factor = 1) {
  CurvePoint point;
  point.stats.length = 1s;
  point.stats.requested_ops_per_sec = rate;
  point.stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  point.rate = rate;
  point.latency = factor * Seconds(1 / (1000 - rate));
  point.latency_error = noise * point.latency;
  point.degrees_of_freedom = 19;
  return point;
}

CurvePoint saturated(double requested) {
  CurvePoint point = mm1(900);
  point.stats.requested_ops_per_sec = requested;
  point.rate = 990;
  point.latency = 1s;
  point.invalid = {Invalid::achieved_rate_low};
  return point;
}

TEST(RateAtLatency, ACrossingBetweenClosePointsIsFound) {
  std::vector<CurvePoint> points;
  for (const double rate : {400.0, 700.0, 770.0, 785.0, 800.0, 815.0, 830.0, 900.0}) points.push_back(mm1(rate, 0.01));
  const AtTarget answer = rate_at_latency(points, 5ms);
  EXPECT_TRUE(answer.bounded);
  EXPECT_NEAR(answer.ops_per_sec, 800, 3);
  EXPECT_LT(answer.low, 800);
  EXPECT_GT(answer.high, 800);
  EXPECT_LT(answer.high - answer.low, 30);
}

TEST(RateAtLatency, OneWildPointIsOutvoted) {
  std::vector<CurvePoint> points;
  for (const double rate : {770.0, 780.0, 790.0, 795.0, 800.0, 805.0, 810.0, 820.0, 830.0})
    points.push_back(mm1(rate, 0.02));
  points.push_back(mm1(788, 0.3, 1.6));
  EXPECT_NEAR(rate_at_latency(points, 5ms).ops_per_sec, 800, 8);
}

TEST(RateAtLatency, PointsThatScatterMoreThanTheirErrorsSayWidenTheInterval) {
  int covered = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    std::vector<CurvePoint> points;
    // Each is known to 1 %, but the volume was up to 15 % slower or faster in its probe.
    for (const double rate : {770.0, 780.0, 785.0, 790.0, 800.0, 805.0, 810.0, 815.0, 825.0})
      points.push_back(mm1(rate, 0.01, 0.85 + 0.3 * random.uniform()));
    const AtTarget answer = rate_at_latency(points, 5ms, seed);
    covered += answer.low <= 800 && 800 <= answer.high ? 1 : 0;
  }
  EXPECT_GE(covered, 88) << "of 100; the errors of the points alone cover 15";
}

TEST(RateAtLatency, TheLowestPointsMayLieALittleAboveTheTarget) {
  std::vector<CurvePoint> points;
  for (const double rate : {803.0, 810.0, 820.0, 830.0, 900.0}) points.push_back(mm1(rate, 0.02));
  const AtTarget answer = rate_at_latency(points, 5ms);
  EXPECT_TRUE(answer.met);
  EXPECT_TRUE(answer.bounded);
  EXPECT_NEAR(answer.ops_per_sec, 800, 4);
}

TEST(RateAtLatency, ALateGeneratorBelowTheTargetIsEvidenceAboveItIsNone) {
  const auto late = [](double rate, double factor) {
    CurvePoint point = mm1(rate, 0.02, factor);
    point.invalid = {Invalid::generator_limited};
    return point;
  };
  // Without the point at 780 the answer would lie halfway from 100 to 820.
  EXPECT_NEAR(rate_at_latency({mm1(100, 0.02), late(780, 1.02), mm1(820, 0.02)}, 5ms).ops_per_sec, 800, 10);
  EXPECT_NEAR(rate_at_latency({mm1(100, 0.02), mm1(780, 0.02), late(500, 4), mm1(820, 0.02)}, 5ms).ops_per_sec, 800,
              10);
}

CurvePoint full_run(double rate, double latency_ms) {
  CurvePoint point = mm1(rate, 0.005);
  point.purpose = Purpose::full_run;
  point.latency = point.typical_latency = Millis(latency_ms);
  return point;
}

TEST(RateAtLatency, ProbesThatFullRunsRefuteDoNotCountAndTheIntervalSaysSo) {
  std::vector<CurvePoint> points = {full_run(100, 50), full_run(100, 60), full_run(80, 1.2), full_run(90, 6)};
  for (const double rate : {60.0, 95.0, 98.0, 100.0, 102.0, 104.0}) {
    points.push_back(full_run(rate, 2 * rate / 100));
    points.back().purpose = Purpose::refinement;
  }
  const AtTarget answer = rate_at_latency(points, 2ms);
  EXPECT_TRUE(answer.bounded);
  EXPECT_GE(answer.ops_per_sec, 80);
  EXPECT_LE(answer.ops_per_sec, 90);
  EXPECT_LE(answer.low, 80);
  EXPECT_GE(answer.high, 90);
}

TEST(RateAtLatency, WhereTheLatencyJumpsTheIntervalIsNotFinerThanProbesArePlaced) {
  // No line leads over a jump between two probes.
  std::vector<CurvePoint> points = {full_run(50, 0.5), full_run(100, 0.5), full_run(100.1, 400)};
  for (CurvePoint& point : points) point.purpose = Purpose::exploration;
  const AtTarget answer = rate_at_latency(points, 2ms);
  EXPECT_NEAR(answer.ops_per_sec, 100, 0.2);
  EXPECT_LT(answer.low, 98.7);
  EXPECT_GT(answer.high, 101.3);
}

TEST(RateAtLatency, ThroughputIsThatOfAllOpsNearTheRateNotOfOneLoadPoint) {
  const auto moving = [](double rate, std::int64_t bytes, std::chrono::seconds length) {
    CurvePoint point = mm1(rate, 0.01);
    point.stats.length = length;
    point.stats.ops = {};
    const auto ops = static_cast<int>(rate) * static_cast<int>(length.count());
    for (int i = 0; i < ops; ++i) point.stats.ops.record(OpKind::read_rand, {1ms, 1ms, 0ms}, {0, bytes, 0});
    return point;
  };
  const AtTarget answer = rate_at_latency(
      {moving(100, 1, 1s), moving(780, 1 << 20, 9s), moving(800, 11 << 20, 1s), moving(820, 1 << 20, 9s)}, 5ms);
  EXPECT_NEAR(answer.mib_per_sec / answer.ops_per_sec, 28.5 / 19, 0.05) << "one of 19 s had eleven times as much";
}

TEST(RateAtLatency, AnAnswerWhoseNextFullRunIsInvalidIsInvalidForThoseReasons) {
  std::vector<CurvePoint> points;
  for (const double rate : {400.0, 700.0, 770.0, 785.0, 800.0, 815.0, 830.0}) points.push_back(mm1(rate, 0.01));
  points.push_back(full_run(800, 5));
  EXPECT_TRUE(rate_at_latency(points, 5ms).invalid.empty());
  points.front().invalid = {Invalid::unsteady};  // far from the answer
  EXPECT_TRUE(rate_at_latency(points, 5ms).invalid.empty());
  points.back().invalid = {Invalid::errors};
  EXPECT_EQ(rate_at_latency(points, 5ms).invalid, std::vector{Invalid::errors});
}

TEST(RateAtLatency, OfSeveralFullRunsOneThatIsValidAtTheAnswerWillDo) {
  std::vector<CurvePoint> points = {full_run(96, 1.9), full_run(100, 2), full_run(102, 2.1), full_run(104, 2.2)};
  points.insert(points.begin(), full_run(1, 50));  // refutes probes
  for (CurvePoint& point : points) point.invalid = {Invalid::unsteady};
  AtTarget answer = rate_at_latency(points, 2ms);
  ASSERT_GT(answer.full_runs, 1u);
  EXPECT_EQ(answer.invalid, std::vector{Invalid::unsteady});
  points.back().invalid.clear();
  EXPECT_TRUE(rate_at_latency(points, 2ms).invalid.empty());
  points.back().invalid = {Invalid::unsteady};
  points.front().invalid.clear();  // far from the answer
  EXPECT_FALSE(rate_at_latency(points, 2ms).invalid.empty());
}

TEST(RateAtLatency, ATargetThatIsNotReachedGivesALowerBound) {
  const AtTarget answer = rate_at_latency({mm1(100, 0.01), mm1(500, 0.01)}, 5ms);
  EXPECT_FALSE(answer.bounded);
  EXPECT_TRUE(answer.met);
  EXPECT_DOUBLE_EQ(answer.ops_per_sec, 500);
}

TEST(RateAtLatency, SaturationBoundsTheRateFromAbove) {
  const AtTarget answer = rate_at_latency({mm1(100, 0.01), mm1(500, 0.01), saturated(2000)}, 5ms);
  EXPECT_TRUE(answer.bounded);
  EXPECT_DOUBLE_EQ(answer.low, 500);
  EXPECT_DOUBLE_EQ(answer.high, 2000);
}

TEST(RateAtLatency, ATargetBelowEveryLatencyIsNotMet) {
  EXPECT_FALSE(rate_at_latency({mm1(100, 0.01), mm1(500, 0.01)}, 500us).met);
  EXPECT_FALSE(rate_at_latency({}, 5ms).met);
}

TEST(OverallResponseTime, IsTheAreaOverTheSpanOfRates) {
  std::vector<CurvePoint> points = {mm1(1e-9), mm1(500), mm1(750)};  // 1, 2 and 4 ms
  EXPECT_NEAR(*overall_response_time(points), (500 * 1.5e6 + 250 * 3e6) / 750, 1);
  points.push_back(saturated(2000));  // is not on the curve
  EXPECT_NEAR(*overall_response_time(points), 2e6, 1);
  EXPECT_NEAR(*overall_response_time(points, 3e6), 1.5e6, 1);
  EXPECT_FALSE(overall_response_time({mm1(100)}));
}

}  // namespace
}  // namespace edagen
