// Slices of a comparison as a test has them.
#pragma once

#include <cmath>
#include <vector>

#include "compare/comparison_result.hpp"
#include "edagen/parts/random.hpp"

namespace edagen::testing {

inline RunFigures slice_of(double response_ms, std::uint64_t block, double start_seconds, std::uint64_t repeat) {
  RunFigures figures{.ops_per_sec = 1000, .mib_per_sec = 10, .response = Millis(response_ms), .repeat = repeat};
  figures.slice = SliceFigures{block, start_seconds, 2};
  return figures;
}

/// Two variants, of which `b` takes `ratio` times as long, with a disturbance that both have.
inline ComparisonResult sliced_comparison(double ratio, std::size_t blocks = 20) {
  Random random(5);
  std::vector<RunFigures> a, b;
  double at = 0;
  for (std::uint64_t block = 1; block <= blocks; ++block)
    for (const bool is_b : {false, true, true, false}) {
      const double common = 1 + 0.3 * std::sin(at / 10), scatter = 1 + 0.02 * (random.uniform() - 0.5);
      std::vector<RunFigures>& slices = is_b ? b : a;
      slices.push_back(slice_of(common * scatter * (is_b ? ratio : 1), block, at, slices.size() + 1));
      at += 2.5;
    }
  ComparisonResult comparison;
  comparison.status = Status::complete;
  comparison.alternation = AlternationFigures{.unit = Alternation::slices,
                                              .reason = "all variants can be up at once",
                                              .shared = {"a and b are on one file system"},
                                              .slice_seconds = 2,
                                              .settle_seconds = 0.5,
                                              .until = 0.02,
                                              .end = EndReason::precision};
  add_variant(comparison, "a", "/mnt/a", a);
  add_variant(comparison, "b", "/mnt/b", b);
  return comparison;
}

}  // namespace edagen::testing
