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
/// Longest time that a queue remembers, in mean responses times the mean number of ops in it: twice the relaxation time
/// of M/M/1 near saturation.
constexpr double longest_memory = 8;

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
  if (mean <= 0 || responses.size() != intervals_) return;
  std::vector<double> relative;
  for (const double response : responses) relative.push_back(response > 0 ? response / mean : 1);
  Seen& seen = variants_[variant];
  seen.responses.push_back(std::move(relative));
  seen.response_seconds += mean / 1000;
  seen.ops_per_sec += pilot.ops_per_sec;
}

/// For how many intervals the queue of a variant settles.
double Pilots::queue_intervals(const Seen& seen) const {
  if (seen.responses.empty()) return 0;
  std::vector<std::vector<double>> ranks;
  for (const std::vector<double>& responses : seen.responses) ranks.push_back(ranks_of(responses));
  const auto pilots = static_cast<double>(ranks.size());
  const double correlation = common_correlation(ranks) - 1 / std::sqrt(pilots * static_cast<double>(intervals_));
  if (correlation <= 0) return 0;
  const double response = seen.response_seconds / pilots, ops = seen.ops_per_sec / pilots * response;
  return std::min(-memories_to_settle / std::log(correlation), longest_memory * response * ops / to_seconds(interval_));
}

Settling Pilots::settling(bool with_queues) const {
  std::vector<double> sum(intervals_);
  for (const Seen& seen : variants_)
    for (const std::vector<double>& responses : seen.responses)
      for (std::size_t i = 0; i < intervals_; ++i) sum[i] += responses[i];
  Settling found{.intervals = std::max<std::size_t>(1, values_to_settle(sum))};
  for (std::size_t variant = 0; variant < variants_.size() && with_queues; ++variant) {
    const auto intervals = static_cast<std::size_t>(std::ceil(queue_intervals(variants_[variant])));
    if (intervals > found.intervals) found = {intervals, variant};
  }
  return found;
}

}  // namespace edagen
