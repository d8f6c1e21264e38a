// A straight line through points with different errors.
#pragma once

#include <optional>
#include <span>

namespace edagen {

struct WeightedPoint {
  double x, y;
  double weight = 1;  ///< 1 / variance of y, up to a factor
};

/// y = at_center + slope * (x - center), with the center at the weighted mean of x.
struct LeastSquares {
  double center = 0, at_center = 0, slope = 0;
  double spread = 0;     ///< weighted sum of the squares of x - center
  double residuals = 0;  ///< weighted sum of the squares of y - line
};

/// Weighted linear least squares; nullopt when all x are equal or there is no point. Thread-safe.
std::optional<LeastSquares> least_squares(std::span<const WeightedPoint> points);

}  // namespace edagen
