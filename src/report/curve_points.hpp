// Which load points draw a curve, and how high its plots are.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "edagen/result.hpp"
#include "result/flaw.hpp"

namespace edagen {

/// A block of a search, which shows no answer by itself.
inline bool is_block(Purpose purpose) { return purpose == Purpose::climb || purpose == Purpose::block; }

/// A point of the line from idle to over the knee: one that was asked for, or of the shape after a search.
inline bool is_of_line(Purpose purpose) { return purpose == Purpose::load_point || purpose == Purpose::shape; }

/// Whether the load points are those of a sweep or of repeats, which draw no curve. A sweep that was killed has no
/// series.
inline bool is_series(const Result& result) {
  return result.series || std::ranges::any_of(result.load_points, [](const PointFigures& point) {
           return point.sweep_value != 0 || point.repeat > 1;
         });
}

/// Whether all load points were asked for. Then an answer has no confidence interval but the two rates beside it.
inline bool are_fixed(const auto& points) {
  return std::ranges::all_of(points, [](const auto& point) { return point.purpose == Purpose::load_point; });
}

/// The rate or the latency of an overload is not the volume's at this load, and the point is drawn hollow.
inline bool is_overload(const std::vector<Invalid>& reasons) { return has_flaw(reasons, {Flaw::overload}); }

/// The highest latency that a plot shows: what lies over the knee would flatten the rest.
inline Millis plot_ceiling(const std::vector<AnswerFigures>& answers) {
  constexpr double targets = 2.5;
  return answers.empty() ? Millis(std::numeric_limits<double>::infinity()) : targets * answers.back().target;
}

}  // namespace edagen
