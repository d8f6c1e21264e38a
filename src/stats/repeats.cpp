#include "edagen/stats/repeats.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "edagen/stats/series.hpp"

namespace edagen {

RepeatFigures repeat_figures(std::span<const double> values) {
  RepeatFigures figures;
  if (values.empty()) return figures;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) figures.mean += value / n;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  figures.median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  figures.low = figures.high = figures.mean;
  if (values.size() < 2) return figures;
  double squares = 0;
  for (const double value : values) squares += (value - figures.mean) * (value - figures.mean);
  figures.standard_deviation = std::sqrt(squares / (n - 1));
  const double half = student_quantile(0.95, static_cast<int>(values.size()) - 1) * figures.standard_deviation / std::sqrt(n);
  figures.low -= half;
  figures.high += half;
  return figures;
}

}  // namespace edagen
