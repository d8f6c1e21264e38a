#include "edagen/curve/load_series.hpp"

#include <fmt/format.h>

namespace edagen {

Curve measure_series(LoadRunner& runner, const LoadSeries& series, CurveObserver& observer) {
  Curve curve;
  curve.parameter = series.parameter;
  for (std::size_t repeat = 0; repeat < series.repeats; ++repeat)
    for (const double value : series.values) {
      const LoadPoint load = series.load_at(value);
      std::string what = series.parameter.empty() ? "" : fmt::format("{} {:g}", series.parameter, value);
      if (series.repeats > 1) what += fmt::format("{}repeat {}", what.empty() ? "" : ", ", repeat + 1);
      if (!what.empty()) observer.point_begins(load.ops_per_sec, what);
      CurvePoint point = make_point(runner.run(load, observer), load.statistic, Purpose::load_point);
      point.sweep_value = value;
      point.repeat = repeat + 1;
      observer.point_done(point);
      const RunStats& stats = point.stats;
      const bool ended = stats.interrupted || stats.too_many_errors || stats.stuck_ops > 0;
      curve.interrupted = stats.interrupted;
      curve.points.push_back(std::move(point));
      if (ended) return curve;
    }
  return curve;
}

}  // namespace edagen
