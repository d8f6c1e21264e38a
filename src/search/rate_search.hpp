// The search for the rate at which the latency reaches a target, as a value: climb, blocks around the estimate,
// demonstration. See docs/design/search.md.
#pragma once

#include "edagen/parts/random.hpp"
#include "search/target_blocks.hpp"

namespace edagen {

/// A load that a search requests.
struct SearchStep {
  double rate = 0;  ///< ops/s
  Purpose purpose = Purpose::climb;
  double seconds = 0;  ///< length of the window; the longest time that a demonstration may take with its warm-up
};

/// The time that passes before a block of so many seconds and does not count. `is_loaded`: a load goes on.
Nanos settling(const SearchPolicy& policy, Nanos target, double seconds, bool is_loaded);

/// The load points of one target and the answer from them: a search, or the fixed points of the plan. Pure: no clock
/// and no runner inside, and the plan must outlive it. Whoever measures does
///
///   while (const std::optional<SearchStep> step = search.next()) search.add(measure(*step));
class RateSearch {
 public:
  RateSearch(const CurvePlan& plan, std::size_t target);

  /// The same step until a block is added; nullopt: the answer is as good as the plan requires, or can be.
  std::optional<SearchStep> next();
  /// The block of the requested step. Without such a step, a block that was measured for another target.
  void add(const SearchBlock& block);
  /// What the blocks show so far.
  AtTarget answer() const;

 private:
  enum class Probe { due, active, done };

  std::optional<SearchStep> decide();
  std::optional<SearchStep> fixed_point() const;
  std::optional<SearchStep> sample();
  std::optional<SearchStep> probe_higher_rates() const;
  std::optional<double> climb(const RateRange& bracket) const;
  SearchStep block_around(const std::optional<Crossing>& crossing);
  SearchStep demonstration() const;
  bool no_load_meets_target() const;
  double next_rate(const std::optional<Crossing>& crossing);
  void adapt_step(const SearchBlock& block, double center, const Crossing& crossing);
  double climb_seconds(double rate) const;
  double block_seconds(double rate) const;
  double demonstration_seconds() const;
  double longest_demonstration() const;

  const CurvePlan& plan_;
  const SearchPolicy& policy_;
  TargetBlocks data_;
  Random random_;
  std::optional<SearchStep> asked_;
  Nanos spent_{0};
  double block_seconds_;
  std::size_t blocks_of_length_ = 0;
  std::size_t demonstrations_ = 0;
  int next_side_ = 0;               ///< -1 or 1: side of the next block, as the second of a pair; 0: it is drawn
  double step_share_[2] = {1, 1};   ///< below and over the target, as a share of the fit's step
  Probe probe_ = Probe::due;        ///< of rates above the lowest one
  bool was_demonstration_ = false;  ///< the last block of this search
  bool not_met_ = false;
  bool cut_off_ = false;  ///< The load ended before the search did.
  bool finished_ = false;
};

}  // namespace edagen
