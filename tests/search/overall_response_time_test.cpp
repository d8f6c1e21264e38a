#include "search/overall_response_time.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// A point of the curve of an M/M/1 station with 1,000 ops/s.
CurvePoint mm1(double rate, Purpose purpose = Purpose::load_point) {
  CurvePoint point;
  point.purpose = purpose;
  point.stats.length = 1s;
  point.stats.requested_ops_per_sec = rate;
  point.stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  point.rate = rate;
  point.latency = Seconds(1 / (1000 - rate));
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

TEST(OverallResponseTime, IsTheAreaOverTheSpanOfRates) {
  Curve curve;
  curve.points = {mm1(1e-9), mm1(500), mm1(750)};  // 1, 2 and 4 ms
  EXPECT_NEAR(overall_response_time(curve)->count(), (500 * 1.5e6 + 250 * 3e6) / 750, 1);
  curve.points.push_back(saturated(2000));  // is not on the curve
  EXPECT_NEAR(overall_response_time(curve)->count(), 2e6, 1);
  curve.points = {mm1(100)};
  EXPECT_FALSE(overall_response_time(curve));
}

TEST(OverallResponseTime, OfASearchIsThatOfItsShapeUpToTheAnswer) {
  Curve curve;
  curve.points = {mm1(100, Purpose::climb),  mm1(740, Purpose::block), mm1(700, Purpose::demonstration),
                  mm1(1e-9, Purpose::shape), mm1(500, Purpose::shape), mm1(750, Purpose::shape)};
  curve.answers.resize(1);
  curve.answers[0].ops_per_sec = 750;
  EXPECT_NEAR(overall_response_time(curve)->count(), 2e6, 1) << "as of load points that were asked for at these rates";
  curve.points.push_back(mm1(900, Purpose::shape));
  EXPECT_NEAR(overall_response_time(curve)->count(), 2e6, 1) << "a point beyond the answer changes nothing";
  curve.points[5].invalid = {Invalid::generator_paused};
  EXPECT_FALSE(overall_response_time(curve)) << "of a curve without its end it would be lower";
  curve.points[5].invalid.clear();
  curve.answers[0].limit = RateLimit::host;
  EXPECT_FALSE(overall_response_time(curve)) << "a lower bound is no end of a curve";
  curve.answers[0].limit.reset();
  curve.points.resize(3);
  EXPECT_FALSE(overall_response_time(curve)) << "blocks lie where the search happened to try";
}

}  // namespace
}  // namespace edagen
