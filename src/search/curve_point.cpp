#include "search/curve_point.hpp"

#include <algorithm>

#include "search/validity.hpp"
#include "stats/series.hpp"

namespace edagen {

bool CurvePoint::reached() const {
  if (stats.ops.operations() == 0 || !stats.requested_ops_per_sec) return false;
  return std::all_of(invalid.begin(), invalid.end(), [](Invalid reason) {
    using enum Invalid;
    return reason == proc_rate_low || reason == mix_off || reason == unsteady || reason == window_short ||
           reason == Invalid::generator_limited || reason == generator_paused || reason == errors;
  });
}

bool CurvePoint::generator_limited() const {
  return std::ranges::any_of(invalid, [](Invalid reason) {
    return reason == Invalid::generator_limited || reason == Invalid::generator_paused;
  });
}

bool CurvePoint::on_curve() const { return reached() && !generator_limited(); }

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, std::optional<Nanos> target, Purpose purpose,
                      std::size_t job_sets) {
  CurvePoint point;
  point.purpose = purpose;
  point.job_sets = job_sets;
  point.invalid = invalid_reasons(stats, statistic, target);
  point.rate = stats.length > Nanos(0) ? stats.ops_per_sec() : 0;
  point.latency = NanosF(statistic.of(stats.ops));
  std::vector<double> values;
  for (const Interval& interval : stats.intervals)
    if (interval.statistic) values.push_back(interval.statistic->count());
  const MeanEstimate estimate = mean_of_series(values);
  point.latency_error = NanosF(estimate.standard_error);
  point.degrees_of_freedom = estimate.degrees_of_freedom;
  // A search judges the scatter of its blocks itself.
  const bool is_unsteady = std::ranges::count(point.invalid, Invalid::unsteady) > 0;
  if (purpose == Purpose::load_point && estimate.is_short && !is_unsteady)
    point.invalid.push_back(Invalid::window_short);
  point.stats = std::move(stats);
  return point;
}

}  // namespace edagen
