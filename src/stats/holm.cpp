#include "stats/holm.hpp"

#include <algorithm>
#include <numeric>

namespace edagen {

std::vector<double> holm_adjusted(std::span<const double> p, std::span<const double> weights) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p[i] / weight(i); });
  std::vector<double> left(p.size() + 1, 0.0);  // weights from this rank on, summed from the end
  for (std::size_t rank = p.size(); rank > 0; --rank) left[rank - 1] = left[rank] + weight(order[rank - 1]);
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t i = order[rank];
    largest = std::max(largest, p[i] * left[rank] / weight(i));
    adjusted[i] = std::min(1.0, largest);
  }
  return adjusted;
}

}  // namespace edagen
