#include "compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "stats/distribution.hpp"
#include "stats/repeats.hpp"

namespace edagen {

std::vector<std::size_t> interleaved(std::size_t variants, std::size_t repeats) {
  std::vector<std::size_t> order;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t i = 0; i < variants; ++i) order.push_back(repeat % 2 == 0 ? i : variants - 1 - i);
  return order;
}

bool is_informative(double ratio, double low, double high) {
  constexpr double widest = 1000;
  return low >= ratio / widest && high <= ratio * widest;
}

Difference difference_of(const std::vector<double>& a, const std::vector<double>& b, double confidence, double bias) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] > 0 && b[i] > 0) logs.push_back(std::log(b[i] / a[i]));
  Difference difference;
  difference.high = std::numeric_limits<double>::infinity();
  if (logs.empty()) return difference;
  const RepeatFigures figures = repeat_figures(logs, confidence);
  difference.ratio = std::exp(figures.mean);
  if (logs.size() < 2) return difference;
  const double low = std::exp(figures.low - bias), high = std::exp(figures.high + bias);
  if (is_informative(difference.ratio, low, high)) difference.low = low, difference.high = high;
  const double error = figures.standard_deviation / std::sqrt(static_cast<double>(logs.size()));
  const double beyond = std::max(0.0, std::abs(figures.mean) - bias);
  difference.p = beyond == 0 ? 1 : student_two_sided_p(beyond / error, static_cast<int>(logs.size()) - 1);
  return difference;
}

}  // namespace edagen
