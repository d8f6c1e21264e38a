#include "search/full_runs.hpp"

#include <algorithm>
#include <cmath>

#include "search/curve_point.hpp"
#include "stats/distribution.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

// Distances between rates are differences of their natural logarithms.
constexpr double near_log = 0.2;  ///< rates that differ by less are near each other
constexpr double farthest_extrapolation = 0.15;
constexpr double jump = 2;  ///< factor over the target, and below it
/// Steps from the outermost run when all are on one side; the farthest doubles with each run.
constexpr double farthest_step = 0.07, least_step = 0.01;
/// Step from a run that only a pause or two put over the target, which may happen at any rate.
constexpr double pause_step = 0.05;
/// Enough is known with at least this many runs and an interval at most this wide to either side.
constexpr std::size_t least_runs = 3;
constexpr double precision = 0.03;

bool near(double a, double b) { return std::abs(std::log(a / b)) <= near_log; }

struct Run {
  double rate;      ///< requested: runs are steered by it
  double achieved;  ///< what the estimate is about
  double latency_ns, typical_ns;
  double log_error;  ///< of the latency
  bool over;
};

std::vector<Run> runs_of(const std::vector<CurvePoint>& points, Nanos target) {
  std::vector<Run> runs;
  for (const CurvePoint& point : points)
    if (is_evidence(point, target))
      runs.push_back({.rate = point.stats.requested_ops_per_sec.value_or(0),
                      .achieved = point.rate,
                      .latency_ns = point.latency.count(),
                      .typical_ns = point.typical_latency.count(),
                      .log_error = point.latency_error / point.latency,
                      .over = point.above(target)});
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.rate < b.rate || (a.rate == b.rate && a.over < b.over); });
  return runs;
}

/// Sets highest_met, with what was achieved there, and lowest_over: splits the runs by rate so that the fewest are on
/// the wrong side. Where several splits are equally good, the whole range of them.
void split(const std::vector<Run>& runs, FullRuns& result) {
  std::size_t wrong = result.met, fewest = wrong;  // split below the first: all that were met are on the wrong side
  std::size_t first = 0, last = 0;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    wrong = runs[i].over ? wrong + 1 : wrong - 1;
    if (wrong < fewest) fewest = wrong, first = i + 1;
    if (wrong == fewest) last = i + 1;
  }
  result.contradictions = fewest;
  const bool both = result.met > 0 && result.over > 0;
  if (first > 0 || both) {
    const Run& met = first > 0 ? runs[first - 1] : runs.front();
    result.highest_met = met.rate;
    result.achieved_at_highest_met = met.achieved;
  }
  if (last < runs.size()) result.lowest_over = runs[last].rate;
  else if (both) result.lowest_over = runs.back().rate;
}

/// Slope of log latency over log rate just below the target at `rate`: the lower quartile of the secants from the
/// points below it in rate and latency. A low estimate errs towards a wide interval.
double log_slope(const std::vector<CurvePoint>& points, Nanos target, double rate) {
  const double goal = static_cast<double>(target.count());
  std::vector<double> secants;
  for (const CurvePoint& point : points)
    if (point.reached() && !point.above(target) && point.rate > 0.7 * rate && point.rate < 0.95 * rate &&
        point.latency.count() > 0)
      secants.push_back(std::log(goal / point.latency.count()) / std::log(rate / point.rate));
  return secants.empty() ? 2 : std::clamp(quantile_of(secants, 0.25), 0.5, 20.0);
}

/// The logarithm of the ratio of the rate at the target to this run's, by its latency and the slope.
double extrapolate(const Run& run, double slope, Nanos target, double farthest) {
  const double off = std::log(static_cast<double>(target.count()) / run.latency_ns) / slope;
  // A run that did not reach its rate is over the target, whatever its latency.
  return std::clamp(run.over ? std::min(off, 0.0) : off, -farthest, farthest);
}

std::optional<FullRunEstimate> estimate(const std::vector<Run>& runs, double center, double slope, Nanos target) {
  std::vector<double> rates, errors;
  for (const Run& run : runs) {
    if (!near(run.rate, center)) continue;
    rates.push_back(run.achieved * std::exp(extrapolate(run, slope, target, farthest_extrapolation)));
    errors.push_back(rates.back() * std::min(run.log_error / slope, farthest_extrapolation));
  }
  if (rates.size() < 2) return std::nullopt;
  const double middle = median_of(rates);
  std::vector<double> distances;
  for (const double rate : rates) distances.push_back(std::abs(rate - middle));
  const double far = std::max(6 * robust_deviation(distances), 0.05 * middle);
  const auto off = [&](double rate) { return std::abs(rate - middle) > far; };
  // More than a third of them are no outliers.
  if (rates.size() > 3 && 3 * std::count_if(rates.begin(), rates.end(), off) <= std::ssize(rates))
    std::erase_if(rates, off);
  const double mean = mean_of(rates), root = std::sqrt(static_cast<double>(rates.size()));
  const double between =
      student_quantile(0.95, static_cast<int>(rates.size()) - 1) * std::sqrt(variance_of(rates)) / root;
  // Few runs may agree by chance: the interval is never narrower than their own errors.
  const double half = std::max(between, normal_quantile(0.95) * median_of(errors) / root);
  return FullRunEstimate{.rate = mean, .low = std::max(0.0, mean - half), .high = mean + half, .runs = rates.size()};
}

bool jumps(const std::vector<Run>& runs, const FullRuns& result, Nanos target) {
  if (result.contradictions > 0 || result.lowest_over <= 1.002 * result.highest_met) return false;
  const double goal = static_cast<double>(target.count());
  return std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
    if (!near(run.rate, result.highest_met) && !near(run.rate, result.lowest_over)) return true;
    return run.over ? run.typical_ns > jump * goal : run.latency_ns < goal / jump && run.log_error < vague_error;
  });
}

/// The next rate when all runs are on one side of the target: beyond the outermost.
double outwards(const std::vector<Run>& runs, const Run& outermost, double slope, Nanos target) {
  const double goal = static_cast<double>(target.count());
  if (outermost.over && outermost.typical_ns <= goal) return outermost.rate * std::exp(-pause_step);
  // A run that is clearly slower than another at a higher rate was disturbed: repeat it.
  const bool alone =
      std::count_if(runs.begin(), runs.end(), [&](const Run& run) { return run.rate == outermost.rate; }) < 2;
  if (outermost.over && alone)
    for (const Run& run : runs)
      if (run.rate > outermost.rate && run.typical_ns < outermost.typical_ns / 2) return outermost.rate;
  const double farthest = std::min(farthest_step * std::pow(2, static_cast<double>(runs.size()) - 1), 0.7);
  const double wanted = extrapolate(outermost, slope, target, farthest);
  const double least = least_step * static_cast<double>(runs.size());
  return outermost.rate * std::exp(outermost.over ? std::min(wanted, -least) : std::max(wanted, least));
}

/// Bisects a jump until its ends are close; then repeats each end once.
double next_at_jump(const std::vector<Run>& runs, const FullRuns& result, double resolution) {
  if (result.lowest_over > std::max(1.05 * result.highest_met, result.highest_met + resolution))
    return std::sqrt(result.highest_met * result.lowest_over);
  for (const double end : {result.highest_met, result.lowest_over})
    if (std::count_if(runs.begin(), runs.end(), [&](const Run& run) { return std::abs(run.rate / end - 1) < 0.005; }) <
        2)
      return end;
  return 0;
}

}  // namespace

bool is_full_run(const CurvePoint& point) { return point.purpose == Purpose::full_run && !point.stats.interrupted; }

bool is_evidence(const CurvePoint& point, Nanos target) {
  const bool over = point.latency > target;
  return is_full_run(point) && point.latency.count() > 0 && !(over && point.generator_limited());
}

FullRuns full_runs(const std::vector<CurvePoint>& points, Nanos target, double resolution) {
  const std::vector<Run> runs = runs_of(points, target);
  FullRuns result;
  result.over =
      static_cast<std::size_t>(std::count_if(runs.begin(), runs.end(), [](const Run& run) { return run.over; }));
  result.met = runs.size() - result.over;
  if (runs.empty()) return result;
  split(runs, result);
  if (result.met == 0 || result.over == 0) {
    const Run& outermost = result.met == 0 ? runs.front() : runs.back();
    result.next = outwards(runs, outermost, log_slope(points, target, outermost.rate), target);
    return result;
  }
  const double center = std::sqrt(result.highest_met * result.lowest_over);
  result.next = center;
  if (!near(result.highest_met, result.lowest_over)) return result;
  result.jumps = jumps(runs, result, target);
  if (result.jumps) {
    result.estimate = {.rate = center, .low = result.highest_met, .high = result.lowest_over, .runs = runs.size()};
    result.next = next_at_jump(runs, result, resolution);
    return result;
  }
  result.estimate = estimate(runs, center, log_slope(points, target, center), target);
  if (!result.estimate) return result;
  const double half = (result.estimate->high - result.estimate->low) / 2;
  const bool enough =
      result.estimate->runs >= least_runs && half <= std::max(precision * result.estimate->rate, resolution);
  result.next = enough ? 0 : result.estimate->rate;
  return result;
}

const CurvePoint* full_run_next_to(const std::vector<CurvePoint>& points, double ops_per_sec) {
  const CurvePoint* next = nullptr;
  const auto distance = [&](const CurvePoint& point) {
    return std::abs(point.stats.requested_ops_per_sec.value_or(0) - ops_per_sec);
  };
  for (const CurvePoint& point : points)
    if (is_full_run(point) && (next == nullptr || distance(point) <= distance(*next))) next = &point;
  return next;
}

}  // namespace edagen
