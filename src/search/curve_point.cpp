#include "search/curve_point.hpp"

#include <algorithm>

#include "result/flaw.hpp"
#include "search/validity.hpp"
#include "stats/series.hpp"

namespace edagen {

bool CurvePoint::reached() const {
  return stats.ops.operations() > 0 && stats.requested_ops_per_sec &&
         !has_flaw(invalid, {Flaw::empty, Flaw::overload, Flaw::cut_short});
}

bool CurvePoint::generator_limited() const { return has_flaw(invalid, {Flaw::generator}); }

bool CurvePoint::on_curve() const { return reached() && !generator_limited(); }

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, std::optional<Nanos> target, Purpose purpose,
                      std::size_t job_sets) {
  CurvePoint point;
  point.purpose = purpose;
  point.job_sets = job_sets;
  point.invalid = invalid_reasons(stats, statistic, target, purpose);
  point.lag_limit = generator_lag_limit(stats, statistic, target, purpose);
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
  for (const OpKind kind : all_op_kinds()) {
    const OpKindStats& ops = stats.ops.of(kind);
    const LatencyHistogram& latency = statistic.service ? ops.service : ops.response();
    if (target && latency.count() > 0) point.within_target_share[kind] = latency.share_below(*target);
  }
  point.stats = std::move(stats);
  return point;
}

}  // namespace edagen
