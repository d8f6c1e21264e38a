#include "stats/least_squares.hpp"

namespace edagen {

std::optional<LeastSquares> least_squares(std::span<const WeightedPoint> points) {
  double w = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const WeightedPoint& p : points) w += p.weight, x += p.weight * p.x, y += p.weight * p.y;
  LeastSquares fit{.center = x / w, .at_center = y / w};
  for (const WeightedPoint& p : points) {
    xx += p.weight * (p.x - fit.center) * (p.x - fit.center);
    xy += p.weight * (p.x - fit.center) * (p.y - fit.at_center);
  }
  if (!(xx > 0)) return std::nullopt;  // NaN without points
  fit.slope = xy / xx;
  fit.spread = xx;
  for (const WeightedPoint& p : points) {
    const double off = p.y - fit.at_center - fit.slope * (p.x - fit.center);
    fit.residuals += p.weight * off * off;
  }
  return fit;
}

}  // namespace edagen
