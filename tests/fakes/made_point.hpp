// A load point as a search would have measured it.
#pragma once

#include "search/curve_point.hpp"

namespace edagen::testing {

inline CurvePoint made_point(Purpose purpose, double rate, double latency_ms, double error_ms) {
  CurvePoint point;
  point.purpose = purpose;
  point.stats.length = std::chrono::seconds(10);
  point.stats.requested_ops_per_sec = rate;
  point.stats.ops.record(OpKind::stat, {Nanos(1'000'000), Nanos(1'000'000), Nanos(0)}, {});
  point.rate = rate;
  point.latency = point.typical_latency = Millis(latency_ms);
  point.latency_error = Millis(error_ms);
  point.degrees_of_freedom = 19;
  return point;
}

}  // namespace edagen::testing
