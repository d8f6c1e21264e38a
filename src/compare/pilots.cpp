#include "compare/pilots.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compare/run_figures.hpp"
#include "stats/ranks.hpp"
#include "stats/series.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

/// After so many times the memory of a load its beginning does not show any more.
constexpr double memories_to_settle = 6;
/// Longest time in which a queue settles, in mean responses times the mean number of ops in it: twice the relaxation
/// time of M/M/1 near saturation.
constexpr double longest_settling = 8;
/// Least variance of the responses of intervals, over the square of their mean: that of a queue that remembers for
/// long is about 1, as the number of ops in it is then exponential. A disturbance of 40 % in waves has 0.08.
constexpr double least_variance = 0.1;

/// From which value on a series is steady, by the marginal standard error rule.
std::size_t values_to_settle(std::span<const double> values) {
  std::size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t left_out = 0; left_out <= values.size() / 2; ++left_out) {
    const std::span<const double> rest = values.subspan(left_out);
    const auto count = static_cast<double>(rest.size());
    const double mean = mean_of(rest);
    double squares = 0;
    for (const double value : rest) squares += (value - mean) * (value - mean);
    if (squares / (count * count) >= least) continue;
    least = squares / (count * count);
    best = left_out;
  }
  return best;
}

}  // namespace

Pilots::Pilots(std::size_t variants, std::size_t intervals, Nanos interval)
    : intervals_(intervals), interval_(interval), variants_(variants) {}

void Pilots::add(std::size_t variant, const RunFigures& pilot, std::span<const double> responses) {
  const double mean = response_of(pilot);
  if (mean <= 0) return;
  std::vector<double> relative(intervals_, 1);
  for (std::size_t i = 0; i < std::min(intervals_, responses.size()); ++i)
    if (responses[i] > 0) relative[i] = responses[i] / mean;
  Seen& seen = variants_[variant];
  seen.responses.push_back(std::move(relative));
  seen.response_seconds += mean / 1000;
  seen.ops_per_sec += pilot.ops_per_sec;
}

/// For how many intervals the queue of a variant settles, from the intervals after the first `left_out`.
double Pilots::queue_intervals(const Seen& seen, std::size_t left_out) const {
  if (seen.responses.empty()) return 0;
  std::vector<std::vector<double>> ranks;
  double variance = 0;
  for (const std::vector<double>& responses : seen.responses) {
    ranks.push_back(ranks_of(std::span(responses).subspan(left_out)));
    variance += variance_of(std::span(responses).subspan(left_out));
  }
  const auto pilots = static_cast<double>(ranks.size());
  if (variance < pilots * least_variance) return 0;
  const double correlation =
      common_correlation(ranks) - 1 / std::sqrt(pilots * static_cast<double>(intervals_ - left_out));
  if (correlation <= 0) return 0;
  const double response = seen.response_seconds / pilots, ops = seen.ops_per_sec / pilots * response;
  return std::min(-memories_to_settle / std::log(correlation),
                  longest_settling * response * ops / to_seconds(interval_));
}

Settling Pilots::settling(bool with_queues) const {
  std::size_t seen_to_settle = 1;
  for (const Seen& seen : variants_) {
    std::size_t shorter = intervals_;
    for (const std::vector<double>& responses : seen.responses)
      shorter = std::min(shorter, values_to_settle(responses));
    if (!seen.responses.empty()) seen_to_settle = std::max(seen_to_settle, shorter);
  }
  Settling found{.intervals = seen_to_settle};
  for (std::size_t variant = 0; variant < variants_.size() && with_queues; ++variant) {
    const auto intervals = static_cast<std::size_t>(std::ceil(queue_intervals(variants_[variant], seen_to_settle)));
    if (intervals > found.intervals) found = {intervals, variant};
  }
  return found;
}

}  // namespace edagen
