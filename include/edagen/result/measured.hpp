// From what was measured to the figures that are told of it.
#pragma once

#include "edagen/curve/load_curve.hpp"
#include "edagen/result/result.hpp"

namespace edagen {

PointFigures point_figures(const CurvePoint& point);
IntervalFigures interval_figures(const Interval& interval);

/// Adds the load points (ascending by requested rate), the answers, what repeats say, the overall response time and the
/// end.
void add_curve(Result& result, const Curve& curve, Status status);

/// The machine this runs on.
Host this_host();

/// "2026-11-21T07:58:27Z"
std::string rfc3339_now();

}  // namespace edagen
