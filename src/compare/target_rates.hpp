// The rates of a comparison's slices where rates at a latency target are compared: each variant is measured around the
// rate at which it meets the target, wherever a disturbance that all variants have moves these rates.
#pragma once

#include <optional>
#include <vector>

#include "compare/slice_obstacle.hpp"
#include "edagen/comparison_result.hpp"
#include "search/rate_search.hpp"

namespace edagen {

/// Constants of the rates. Distances are SliceFigures::distance_from_target.
struct TargetRatePolicy {
  double side_distance = 0.2;    ///< expected distance of a slice from the target, below it or over it
  double min_side_share = 0.01;  ///< nearest rates of the two slices of a block, from the rate between them
  double max_side_share = 0.15;  ///< farthest such rates
  double level_gain = 0.5;       ///< share by which the rates of all variants follow what the last block has shown
  double offset_gain = 0.1;      ///< the same of each variant's rate in relation to the others, after the first blocks
  double max_change = 0.1;       ///< largest such changes, of the logarithm of the rates
};

/// Pure: first climb() and add() for each variant, which is the climb of a search, until no variant has a step; then
/// begin(), and follow() after each block.
class TargetRates {
 public:
  /// The plans of the variants' searches, which outlive this.
  explicit TargetRates(const std::vector<const CurvePlan*>& searches, TargetRatePolicy policy = {});

  /// What the variant is to be measured at next, until its target lies between two rates near each other.
  std::optional<SearchStep> climb(std::size_t variant);
  void add(std::size_t variant, const SearchBlock& block) { searches_[variant].add(block); }
  /// Why a variant has no rate at the target that is known so far; nullopt: it has one.
  const std::optional<SliceObstacle>& obstacle() const { return obstacle_; }

  /// The rate of a slice of the next block: below the target (-1), at it (0), or over it (1).
  double rate(std::size_t variant, int side) const;
  double lowest_rate() const;
  void begin();
  /// Follows the rates at the target that the last block shows: all variants move together with what they have in
  /// common, and each slowly in relation to the others. `slices`: all of the variants so far.
  void follow(const std::vector<std::vector<RunFigures>>& slices);

 private:
  void set_sides(const std::vector<double>& slopes);

  std::vector<RateSearch> searches_;
  std::vector<SearchRange> ranges_;
  const TargetRatePolicy policy_;
  std::optional<SliceObstacle> obstacle_;
  std::vector<double> climbed_;  ///< by variant: logarithm of the rate after its climb
  double level_ = 0;             ///< what the logarithms of the variants' rates have in common
  std::vector<double> offsets_;  ///< by variant: of the logarithm of its rate from the level
  /// By variant: share of its rate by which the slices of a block are below it and over it.
  std::vector<double> side_shares_;
  std::size_t blocks_ = 0;  ///< that were followed
};

}  // namespace edagen
