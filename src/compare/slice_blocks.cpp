#include "compare/slice_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "result/flaw.hpp"
#include "stats/ranks.hpp"
#include "stats/series.hpp"
#include "stats/signed_rank.hpp"

namespace edagen {
namespace {

/// Fewest batches into which blocks are joined.
constexpr std::size_t min_batches = 8;
/// From more blocks on they are joined in any case: signed ranks need memory for each pair of batches.
constexpr std::size_t max_batches = 4000;
/// Largest correlation of neighbouring batches; from a larger one on, twice as many blocks are joined.
constexpr double max_correlation = 0.15;

/// A variant in a block.
struct Half {
  std::size_t slices = 0;
  std::vector<double> figures = {};  ///< of the usable slices

  bool is_complete() const { return slices == slices_per_block; }
  bool is_usable() const { return figures.size() == slices_per_block; }
  double log_figure(ComparedBy by) const { return log_figure_of_block(figures.front(), figures.back(), by); }
};

std::map<std::uint64_t, Half> by_block(const std::vector<RunFigures>& slices, ComparedBy by) {
  std::map<std::uint64_t, Half> blocks;
  for (const RunFigures& slice : slices) {
    if (!slice.slice) continue;
    Half& half = blocks[slice.slice->block];
    ++half.slices;
    if (is_usable_slice(slice) && figure_of(slice, by) > 0) half.figures.push_back(figure_of(slice, by));
  }
  return blocks;
}

/// Centres of batches of neighbouring blocks, as many in a batch as it takes for batches that do not go together.
/// Blocks go together when one variant is disturbed for longer than a block and the other is not.
std::vector<double> uncorrelated(const std::vector<double>& blocks) {
  std::vector<double> batches = blocks;
  for (std::size_t joined = 2; blocks.size() / joined >= min_batches; joined *= 2) {
    if (batches.size() <= max_batches && corrected_correlation(ranks_of(batches)) <= max_correlation) break;
    batches.clear();
    for (std::size_t i = 0; i + joined <= blocks.size(); i += joined)
      batches.push_back(signed_rank({blocks.data() + i, joined}).center);
  }
  return batches;
}

}  // namespace

bool is_usable_slice(const RunFigures& slice) {
  return !has_flaw(slice.invalid, {Flaw::empty, Flaw::generator, Flaw::errors, Flaw::cut_short});
}

SliceBlocks slice_blocks(const std::vector<RunFigures>& baseline, const std::vector<RunFigures>& variant,
                         ComparedBy by) {
  SliceBlocks found;
  const std::map<std::uint64_t, Half> first = by_block(baseline, by);
  for (const auto& [block, half] : by_block(variant, by)) {
    const auto other = first.find(block);
    if (other == first.end() || !half.is_complete() || !other->second.is_complete()) continue;
    ++found.blocks;
    if (half.is_usable() && other->second.is_usable())
      found.log_ratios.push_back(half.log_figure(by) - other->second.log_figure(by));
  }
  return found;
}

Difference difference_of_blocks(const std::vector<double>& log_ratios, double confidence, double bias) {
  Difference difference;
  difference.high = std::numeric_limits<double>::infinity();
  const SignedRank ranks = signed_rank(uncorrelated(log_ratios), confidence, bias);
  difference.ratio = std::exp(ranks.center);
  if (log_ratios.size() > 1) difference.p = ranks.p;  // it does not depend on the confidence, as the interval does
  if (!ranks.low) return difference;
  const double low = std::exp(*ranks.low), high = std::exp(*ranks.high);
  if (is_informative(difference.ratio, low, high)) difference.low = low, difference.high = high;
  return difference;
}

bool are_enough_blocks(const SliceBlocks& blocks, const std::vector<RunFigures>& baseline,
                       const std::vector<RunFigures>& variant) {
  return 2 * blocks.log_ratios.size() >= blocks.blocks && are_enough_valid(baseline) && are_enough_valid(variant);
}

}  // namespace edagen
