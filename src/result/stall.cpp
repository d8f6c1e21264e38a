#include "result/stall.hpp"

#include <algorithm>
#include <utility>

#include "result/flaw.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double longer_factor = 5;

/// The responses of an interval, added up.
double sum_of(const IntervalFigures& interval) {
  return interval.response_mean ? interval.response_mean->count() * interval.ops_per_sec * interval.length.count() : 0;
}

/// The fewest neighbouring intervals with so much of the sum, as indices of their first and one behind their last;
/// takes time in proportion to the number of intervals.
std::pair<std::size_t, std::size_t> shortest_part(const std::vector<IntervalFigures>& intervals, double least_sum) {
  std::pair<std::size_t, std::size_t> best{0, intervals.size()};
  double sum = 0;
  for (std::size_t from = 0, to = 0; to < intervals.size();) {
    sum += sum_of(intervals[to++]);
    for (; from < to && sum >= least_sum; sum -= sum_of(intervals[from++]))
      if (to - from < best.second - best.first) best = {from, to};
  }
  return best;
}

/// When the ops stopped that ended in the interval `from`. In an interval before it with fewer ops than usual, ops
/// ended until then; else the longest of them had been due by then.
Seconds beginning_of_stall(const std::vector<IntervalFigures>& intervals, std::size_t from) {
  constexpr double usual_share = 0.95;
  std::vector<double> rates;
  for (const IntervalFigures& interval : intervals) rates.push_back(interval.ops_per_sec);
  std::ranges::nth_element(rates, rates.begin() + std::ssize(rates) / 2);
  const double usual = rates[rates.size() / 2];
  std::size_t first = from;
  while (first > 0 && intervals[first - 1].ops_per_sec < usual_share * usual) --first;
  const IntervalFigures& interval = intervals[first];
  if (first < from) return interval.start + interval.length * (interval.ops_per_sec / usual);
  return std::max(Seconds(0), interval.start + interval.length - Seconds(*interval.response_p99));
}

}  // namespace

bool is_stall(Millis response, Millis median, std::size_t repeats) {
  return repeats > 2 && response > longer_factor * median;
}

std::vector<double> responses_of(const VariantFigures& variant, const RunFigures* left_out) {
  std::vector<double> responses;
  for (const RunFigures& run : variant.runs)
    if (&run != left_out && run.has_response()) responses.push_back(run.response.count());
  return responses;
}

bool is_stalled_run(const RunFigures& run, const VariantFigures& variant, const ComparisonResult& comparison) {
  if (comparison.at_latency_target || !run.has_response()) return false;
  if (comparison.is_sliced() && run.valid()) return false;
  if (has_flaw(run.invalid, {Flaw::generator, Flaw::cut_short})) return false;
  const std::vector<double> all = responses_of(variant);
  return is_stall(run.response, Millis(median_of(all)), all.size());
}

std::optional<StalledTime> stalled_time(const PointFigures& point) {
  constexpr std::size_t least_intervals = 4, parts = 4;
  constexpr double least_share = 0.8;
  const std::vector<IntervalFigures>& intervals = point.intervals;
  double sum = 0, ops = 0;
  for (const IntervalFigures& interval : intervals) {
    sum += sum_of(interval);
    if (interval.response_mean) ops += interval.ops_per_sec * interval.length.count();
  }
  if (intervals.size() < least_intervals || !point.has_response() || sum <= 0) return std::nullopt;
  const auto [from, to] = shortest_part(intervals, least_share * sum);
  if (to - from > intervals.size() / parts || !intervals[from].response_p99) return std::nullopt;
  double stalled = 0, stalled_ops = 0;
  for (std::size_t i = from; i < to; ++i) {
    stalled += sum_of(intervals[i]);
    stalled_ops += intervals[i].ops_per_sec * intervals[i].length.count();
  }
  const double others = ops > stalled_ops ? (sum - stalled) / (ops - stalled_ops) : 0;
  if (sum < longer_factor * others * ops) return std::nullopt;
  return StalledTime{beginning_of_stall(intervals, from), *intervals[from].response_p99, stalled / sum};
}

}  // namespace edagen
