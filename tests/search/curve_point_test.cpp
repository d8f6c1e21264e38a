#include "search/curve_point.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

CurvePoint point_at(const LatencyStatistic& statistic, std::optional<Nanos> target) {
  RunStats stats;
  stats.length = 1s;
  for (int i = 0; i < 3; ++i) stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  stats.ops.record(OpKind::stat, {9ms, 1ms, 8ms}, {});
  stats.ops.of(OpKind::open).count({});  // it was due before the window
  return make_point(std::move(stats), statistic, target, Purpose::load_point);
}

TEST(CurvePoint, KindsOfOpHaveTheShareThatEndedWithinTheTarget) {
  using Shares = std::map<OpKind, double>;
  EXPECT_EQ(point_at({}, 5ms).within_target_share, (Shares{{OpKind::stat, 0.75}}));
  EXPECT_EQ(point_at({.service = true}, 5ms).within_target_share, (Shares{{OpKind::stat, 1.0}})) << "of the service";
  EXPECT_EQ(point_at({}, std::nullopt).within_target_share, Shares());
}

}  // namespace
}  // namespace edagen
