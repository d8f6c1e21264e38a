#include "compare/settled_slices.hpp"

#include <algorithm>
#include <cmath>

#include "compare/rates_at_target.hpp"
#include "compare/slice_blocks.hpp"
#include "stats/signed_rank.hpp"

namespace edagen {
namespace {

/// A smaller rise from one half of a window to the other hardly changes a ratio.
constexpr double tolerated_rise = 0.05;
/// Probability that slices of a variant that settles are marked, for either sign.
constexpr double error_probability_of_marks = 0.01;
/// The last slices show it as well as all of them, and signed ranks need memory for each pair.
constexpr std::size_t most_slices = 1000;

bool rises_within_slices(const std::vector<RunFigures>& slices) {
  std::vector<double> rises;
  for (const RunFigures& run : slices) {
    if (!run.slice || run.slice->distance_from_target || !is_usable_slice(run)) continue;
    const Millis first = run.slice->first_half, second = run.slice->second_half;
    if (first > Millis(0) && second > Millis(0)) rises.push_back(std::log(second / first));
  }
  if (rises.size() > most_slices) rises.erase(rises.begin(), rises.end() - most_slices);
  const SignedRank found = signed_rank(rises, 0.95, std::log(1 + tolerated_rise));
  return found.center > 0 && found.p <= error_probability_of_marks;
}

}  // namespace

std::vector<RunFigures> marked_where_unsettled(std::vector<RunFigures> slices) {
  if (!rises_within_slices(slices)) return slices;
  for (RunFigures& run : slices)
    if (std::ranges::find(run.invalid, Invalid::window_short) == run.invalid.end())
      run.invalid.push_back(Invalid::window_short);
  return slices;
}

std::vector<RunFigures> judged_slices(std::vector<RunFigures> slices) {
  return marked_where_unsettled(at_target(std::move(slices)));
}

}  // namespace edagen
