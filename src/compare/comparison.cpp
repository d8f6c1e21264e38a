#include "edagen/compare/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "edagen/stats/series.hpp"

namespace edagen {

std::vector<std::size_t> interleaved(std::size_t variants, std::size_t repeats) {
  std::vector<std::size_t> order;
  for (std::size_t repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t i = 0; i < variants; ++i) order.push_back(repeat % 2 == 0 ? i : variants - 1 - i);
  return order;
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster: return "faster";
    case Verdict::slower: return "slower";
    case Verdict::no_difference: break;
  }
  return "no difference shown";
}

Difference difference_of(const std::vector<double>& a, const std::vector<double>& b, bool more_is_better) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] > 0 && b[i] > 0) logs.push_back(std::log(b[i] / a[i]));
  Difference difference;
  difference.high = std::numeric_limits<double>::infinity();
  if (logs.empty()) return difference;
  const auto n = static_cast<double>(logs.size());
  double mean = 0, squares = 0;
  for (const double value : logs) mean += value / n;
  difference.ratio = std::exp(mean);
  if (logs.size() < 2) return difference;
  for (const double value : logs) squares += (value - mean) * (value - mean);
  const double half = student_quantile(0.95, static_cast<int>(logs.size()) - 1) * std::sqrt(squares / (n - 1) / n);
  difference.low = std::exp(mean - half);
  difference.high = std::exp(mean + half);
  if (difference.low > 1) difference.verdict = more_is_better ? Verdict::faster : Verdict::slower;
  if (difference.high < 1) difference.verdict = more_is_better ? Verdict::slower : Verdict::faster;
  return difference;
}

}  // namespace edagen
