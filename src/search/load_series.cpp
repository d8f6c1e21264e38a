#include <fmt/format.h>

#include "search/curve_point.hpp"

namespace edagen {

LoadPoint LoadSeries::at(double value) const {
  LoadPoint point = load;
  switch (swept) {
    case Swept::nothing: break;
    case Swept::io_depth: point.io_depth = static_cast<unsigned>(value); break;
    case Swept::clients: point.clients = static_cast<std::size_t>(value); break;
    case Swept::read_percent: point.read_percent = value; break;
  }
  return point;
}

Curve measure(LoadRunner& runner, const LoadSeries& series, const EventSink& emit) {
  Curve curve;
  curve.swept = series.swept;
  for (std::size_t repeat = 0; repeat < series.repeats; ++repeat)
    for (const double value : series.values) {
      const LoadPoint load = series.at(value);
      std::string what = series.swept == Swept::nothing ? "" : fmt::format("{} {:g}", to_string(series.swept), value);
      if (series.repeats > 1) what += fmt::format("{}repeat {}", what.empty() ? "" : ", ", repeat + 1);
      emit(PointBegan{load.requested_ops_per_sec(), what});
      CurvePoint point = make_point(runner.run(load, emit), load.statistic, std::nullopt, Purpose::load_point);
      point.sweep_value = value;
      point.repeat = repeat + 1;
      emit(PointEnded{point});
      const RunStats& stats = point.stats;
      const bool ended = stats.interrupted || stats.too_many_errors || stats.stuck_ops > 0;
      curve.interrupted = stats.interrupted;
      curve.points.push_back(std::move(point));
      if (ended) return curve;
    }
  return curve;
}

}  // namespace edagen
