#include "edagen/parts/alias_table.hpp"

#include <cmath>
#include <numeric>

namespace edagen {

AliasTable::AliasTable(std::span<const double> weights) : columns_(weights.size()) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> scaled;
  std::vector<std::size_t> small, large;
  for (const double weight : weights) {
    scaled.push_back(weight / total * static_cast<double>(weights.size()));
    (scaled.back() < 1 ? small : large).push_back(scaled.size() - 1);
  }
  for (Column& column : columns_) column = {std::uint64_t{1} << 32, 0};
  while (!small.empty() && !large.empty()) {
    const std::size_t poor = small.back(), rich = large.back();
    small.pop_back();
    columns_[poor] = {static_cast<std::uint64_t>(std::llround(scaled[poor] * 0x1p32)), poor ^ rich};
    scaled[rich] -= 1 - scaled[poor];
    if (scaled[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
}

}  // namespace edagen
