// All blocks of a curve as one target sees them: which loads met it, and where the latency crosses it.
#pragma once

#include <vector>

#include "search/crossing.hpp"
#include "search/search_block.hpp"

namespace edagen {

/// The rates that a search can ask for, ops/s.
struct SearchRange {
  explicit SearchRange(const CurvePlan& plan);

  double lowest = 0, highest = 0;
  double step = 0;  ///< between rates that can be asked for; 0: any rate can

  double clamped(double rate) const;
};

/// What all blocks at the lowest rate show together. A single block may be on either side of the target by chance, and
/// there is no lower rate to compare it with.
struct LowestRateTest {
  std::size_t blocks = 0;
  bool is_over = false;         ///< The mean over all ops is over the target.
  bool is_surely_over = false;  ///< Chance does not explain the excess: no load meets the target.
};

/// Pure queries: none of them changes anything. The plan must outlive this.
struct TargetBlocks {
  TargetBlocks(const CurvePlan& curve, std::size_t target_index);

  const CurvePlan& plan;
  const SearchPolicy& policy;
  std::size_t target;  ///< index in CurvePlan::targets
  SearchRange range;
  Link link;
  double ops_factor;                ///< ops that a block needs, relative to a block for a mean
  std::vector<SearchBlock> blocks;  ///< in the order of measurement
  double lowest_counted = 0;        ///< ops/s: blocks at lower requested rates do not count

  double value(const SearchBlock& block) const { return block.values[target]; }
  bool counts(const SearchBlock& block) const { return block.counts && block.requested >= lowest_counted; }
  bool is_over(const SearchBlock& block) const { return !block.reached || value(block) > 1; }
  bool is_lowest(double rate) const;
  bool is_highest(double rate) const;
  bool has_sampled_both_sides() const;
  std::optional<DemonstrationFigures> demonstrated() const { return best_demonstration(blocks, target); }

  LowestRateTest test_lowest_rate() const;
  /// By what the blocks at the lowest rates show, no load meets the target, though lower rates were not measured.
  bool is_idle_surely_over() const;
  /// More blocks at the lowest rate are needed to decide whether it meets the target.
  bool lowest_rate_undecided() const;

  /// The two neighbouring rates at which a split into loads below and over the target misclassifies the fewest blocks.
  /// 0 or infinity: there are no blocks on that side.
  RateRange bracket() const;
  /// The rates at which blocks were on both sides of the target: below them no block was over it, above them none was
  /// below it.
  RateRange overlap() const;
  /// nullopt: the blocks show no crossing.
  std::optional<Crossing> fit() const;
};

}  // namespace edagen
