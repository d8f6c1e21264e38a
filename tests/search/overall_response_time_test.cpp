#include "search/overall_response_time.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// A point of the curve of an M/M/1 station with 1,000 ops/s.
CurvePoint mm1(double rate) {
  CurvePoint point;
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
  std::vector<CurvePoint> points = {mm1(1e-9), mm1(500), mm1(750)};  // 1, 2 and 4 ms
  EXPECT_NEAR(overall_response_time(points)->count(), (500 * 1.5e6 + 250 * 3e6) / 750, 1);
  points.push_back(saturated(2000));  // is not on the curve
  EXPECT_NEAR(overall_response_time(points)->count(), 2e6, 1);
  EXPECT_NEAR(overall_response_time(points, NanosF(3ms))->count(), 1.5e6, 1);
  EXPECT_FALSE(overall_response_time({mm1(100)}));
}

}  // namespace
}  // namespace edagen
