#include "edagen/parts/alias_table.hpp"

#include <cmath>
#include <numeric>

namespace edagen {

AliasTable::AliasTable(std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::uint32_t i = 0; i < weights.size(); ++i)
    if (weights[i] > 0) columns_.push_back({.threshold = std::uint64_t{1} << 32, .own = i, .to_alias = 0});
  std::vector<double> scaled;
  std::vector<std::size_t> small, large;
  for (const Column& column : columns_) {
    scaled.push_back(weights[column.own] / total * static_cast<double>(columns_.size()));
    (scaled.back() < 1 ? small : large).push_back(scaled.size() - 1);
  }
  while (!small.empty() && !large.empty()) {
    const std::size_t poor = small.back(), rich = large.back();
    small.pop_back();
    columns_[poor].threshold = static_cast<std::uint64_t>(std::llround(scaled[poor] * 0x1p32));
    columns_[poor].to_alias = columns_[poor].own ^ columns_[rich].own;
    scaled[rich] -= 1 - scaled[poor];
    if (scaled[rich] < 1) {
      large.pop_back();
      small.push_back(rich);
    }
  }
}

}  // namespace edagen
