#include "stats/lifetime.hpp"

#include <algorithm>
#include <utility>

namespace edagen {

MedianLifetime median_lifetime(std::vector<Lifetime> all) {
  if (all.empty()) return {};
  // Among equal times the ended ones come first, since the others went on at that time.
  std::ranges::sort(all, {}, [](const Lifetime& one) { return std::pair(one.lasted, !one.ended); });
  double surviving = 1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].ended) continue;
    surviving *= 1 - 1 / static_cast<double>(all.size() - i);
    if (surviving <= 0.5 + 1e-9) return {all[i].lasted, false};
  }
  return {all.back().lasted, true};
}

}  // namespace edagen
