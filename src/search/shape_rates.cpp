#include "search/shape_rates.hpp"

#include <algorithm>
#include <cmath>

#include "search/target_blocks.hpp"

namespace edagen {

std::vector<double> equally_spaced_rates(std::size_t points, double highest) {
  std::vector<double> rates;
  for (std::size_t number = 1; number <= points; ++number)
    rates.push_back(highest * static_cast<double>(number) / static_cast<double>(points));
  return rates;
}

std::vector<double> shape_rates(const CurvePlan& plan, const AtTarget& answer) {
  if (!plan.shape || !answer.met || answer.ops_per_sec <= 0) return {};
  const auto [points, points_beyond, seconds, settle_share, intervals] = *plan.shape;
  const std::size_t all = answer.limit ? points : points + points_beyond;
  const SearchRange range(plan);
  std::vector<double> rates;
  const double highest = answer.ops_per_sec * static_cast<double>(all) / static_cast<double>(points);
  for (double rate : equally_spaced_rates(all, highest)) {
    if (range.step > 0) {  // a whole number of job sets, on the same side of the answer
      const double sets = rate / range.step;
      const bool is_beyond = rate > (1 + 1e-9) * answer.ops_per_sec;
      rate = range.step * (is_beyond ? std::ceil(sets * (1 - 1e-9)) : std::floor(sets * (1 + 1e-9)));
    }
    const bool is_new = rates.empty() || rate > (1 + 1e-9) * rates.back();
    if (is_new && rate >= (1 - 1e-9) * range.lowest && rate <= (1 + 1e-9) * range.highest) rates.push_back(rate);
  }
  return rates;
}

double shape_seconds(const CurvePlan& plan, double rate) {
  const double shortest = plan.shape->block_seconds, intervals = static_cast<double>(plan.shape->intervals),
               seconds = std::clamp(plan.policy.min_climb_ops / rate, shortest,
                                    std::max(shortest, plan.policy.max_block_seconds));
  constexpr double parts = 512;  // of a second: exact numbers, and whole nanoseconds
  return intervals * std::round(parts * seconds / intervals) / parts;
}

}  // namespace edagen
