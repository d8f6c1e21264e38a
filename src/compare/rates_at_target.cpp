#include "compare/rates_at_target.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "compare/slice_blocks.hpp"

namespace edagen {
namespace {

/// The slope before any block, which counts as two blocks whose slices are 5 % below and over the target: about that of
/// M/M/1 at four service times.
constexpr double first_slope = 4, first_slope_weight = 0.02;
/// Flatter ones are not believed.
constexpr double min_slope = 0.1;

/// A slope must be so many standard errors above 0 for its variant's rates to be known.
constexpr double min_slope_errors = 3;

struct Slope {
  double slope = 0;
  bool is_shown = false;  ///< it is surely above 0
};

Slope slope_of(const std::vector<RunFigures>& slices) {
  struct Rise {
    double step, distance;  ///< between the slices of a block
  };
  std::vector<Rise> rises;
  std::map<std::uint64_t, const SliceFigures*> others;  // the first slice of each block
  for (const RunFigures& run : slices) {
    if (!run.slice || !run.slice->distance_from_target || !is_usable_slice(run)) continue;
    const auto [other, is_first] = others.emplace(run.slice->block, &*run.slice);
    if (is_first) continue;
    const double distance = *run.slice->distance_from_target, before = *other->second->distance_from_target;
    if (std::min(distance, before) >= max_distance || std::max(distance, before) <= -max_distance) continue;
    rises.push_back(
        {std::log(*run.slice->offered_ops_per_sec / *other->second->offered_ops_per_sec), distance - before});
  }
  double products = 0, squares = 0, errors = 0;
  for (const Rise& rise : rises) products += rise.step * rise.distance, squares += rise.step * rise.step;
  const double slope = (products + first_slope_weight * first_slope) / (squares + first_slope_weight);
  for (const Rise& rise : rises) errors += std::pow(rise.step * (rise.distance - slope * rise.step), 2);
  return {std::max(slope, min_slope), products > min_slope_errors * std::sqrt(errors)};
}

}  // namespace

double slope_at_target(const std::vector<RunFigures>& slices) { return slope_of(slices).slope; }

double log_rate_at_target(const SliceFigures& slice, double slope) {
  return std::log(*slice.offered_ops_per_sec) - *slice.distance_from_target / slope;
}

std::vector<RunFigures> at_target(std::vector<RunFigures> slices) {
  const auto [slope, is_shown] = slope_of(slices);
  for (RunFigures& run : slices) {
    if (!run.slice || !run.slice->distance_from_target || !run.has_rate()) continue;
    const double rate = std::exp(log_rate_at_target(*run.slice, slope));
    run.mib_per_sec *= rate / run.ops_per_sec;
    run.ops_per_sec = rate;
    if (!is_shown) run.invalid.push_back(Invalid::imprecise);
  }
  return slices;
}

std::optional<AtTarget> answer_of_slices(const std::vector<RunFigures>& slices, Nanos target) {
  AtTarget answer;
  answer.target = target;
  double usable = 0;
  for (const RunFigures& run : at_target(slices)) {
    if (!is_usable_slice(run)) continue;
    ++usable;
    answer.ops_per_sec += run.ops_per_sec;
    answer.mib_per_sec += run.mib_per_sec;
  }
  if (usable == 0) return std::nullopt;
  answer.ops_per_sec /= usable;
  answer.mib_per_sec /= usable;
  if (!slope_of(slices).is_shown) answer.invalid.push_back(Invalid::imprecise);
  return answer;
}

}  // namespace edagen
