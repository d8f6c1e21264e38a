#include "stats/repeats.hpp"

#include <cmath>

#include "stats/distribution.hpp"
#include "stats/summary.hpp"

namespace edagen {

RepeatFigures repeat_figures(std::span<const double> values, double confidence) {
  RepeatFigures figures;
  if (values.empty()) return figures;
  figures.mean = figures.low = figures.high = mean_of(values);
  figures.median = median_of({values.begin(), values.end()});
  if (values.size() < 2) return figures;
  figures.standard_deviation = std::sqrt(variance_of(values));
  const double half = student_quantile(confidence, static_cast<int>(values.size()) - 1) * figures.standard_deviation /
                      std::sqrt(static_cast<double>(values.size()));
  figures.low -= half;
  figures.high += half;
  return figures;
}

}  // namespace edagen
