// A comparison by slices of two stations at one rate, as the program makes it.
#pragma once

#include <array>

#include "compare/comparison.hpp"
#include "compare/settled_slices.hpp"
#include "compare/slice_series.hpp"
#include "fakes/station_setup.hpp"

namespace edagen::testing {

struct FoundBySlices {
  Difference difference;
  bool is_valid = false;                       ///< there are enough blocks, and most slices are valid
  double seconds = 0;                          ///< of all load
  std::optional<SliceObstacle> obstacle = {};  ///< then there are no slices

  bool has_verdict() const { return is_valid && difference.p && *difference.p <= error_left(true, false); }
  bool holds(double ratio) const { return difference.low <= ratio && ratio <= difference.high; }
};

inline FoundBySlices by_slices(const std::array<LoadRunner*, 2>& stations, const SlicePlan& plan) {
  SliceSeries series(plan);
  FoundBySlices found;
  while (const std::optional<Slice> slice = series.next()) {
    LoadPoint load;
    load.rate = OpenLoop{plan.ops_per_sec, Arrivals::poisson};
    load.warmup = slice->settle;
    load.duration = slice->length;
    load.interval = slice->length / static_cast<Nanos::rep>(slice->intervals);
    load.settle = false;
    const RunStats stats = stations[slice->variant]->run(load, ignore_events);
    SliceSeen seen{.figures = RunFigures()};
    seen.figures->ops_per_sec = stats.ops_per_sec();
    seen.figures->response = Millis(NanosF(stats.ops.response().mean()));
    for (const Interval& interval : stats.intervals)
      seen.interval_responses.push_back(Millis(interval.response_mean.value_or(NanosF(0))).count());
    seen.took = stats.all_time();
    found.seconds += to_seconds(seen.took);
    series.add(std::move(seen));
  }
  found.obstacle = series.obstacle();
  if (found.obstacle) return found;
  const auto a = judged_slices(series.slices(0)), b = judged_slices(series.slices(1));
  const SliceBlocks blocks = slice_blocks(a, b, ComparedBy::response);
  found.difference = difference_of_blocks(blocks.log_ratios, 1 - error_left(true, plan.until.has_value()));
  found.is_valid = are_enough_blocks(blocks, a, b);
  return found;
}

}  // namespace edagen::testing
