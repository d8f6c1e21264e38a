// The search for the rate at which the latency reaches a target: climb, blocks around the estimate, demonstration. See
// docs/methodology.md.
#pragma once

#include <functional>

#include "edagen/parts/random.hpp"
#include "search/crossing.hpp"
#include "search/search_block.hpp"

namespace edagen {

/// What can be asked of the load.
struct SearchRange {
  double lowest = 0, highest = 0;  ///< ops/s
  double step = 0;                 ///< between rates that can be requested; 0: any

  /// Or so near that there is nothing between.
  bool is_highest(double rate) const { return rate >= 0.999 * highest; }
};

/// For one target. `blocks` are all of the curve, in the order of measurement, those of other targets among them.
class RateSearch {
 public:
  /// Measures a load point and adds it to the blocks; nullptr when the search must end. A demonstration is of full
  /// length and may take `seconds` with its warm-up, others measure for `seconds`.
  using Measure = std::function<const SearchBlock*(double rate, Purpose purpose, Nanos target, double seconds)>;
  /// Seconds since the first load began.
  using Clock = std::function<double()>;

  RateSearch(const CurvePlan& plan, std::size_t target, SearchRange range, const std::vector<SearchBlock>& blocks,
             Measure measure, Clock clock);

  /// Measures until answer() is as good as the plan asks for or can be.
  void find();
  /// From all blocks that there are by now (answer.cpp).
  AtTarget answer() const;

 private:
  /// All blocks at the lowest rate together.
  struct Looks {
    std::size_t blocks = 0;
    bool is_over = false;  ///< the mean of their ops
    bool surely = false;   ///< and that is not chance: no load meets the target
  };

  bool measure(double rate, Purpose purpose, double seconds);
  void sample();
  std::optional<double> climb(const RateZone& zone) const;
  void demonstrate();
  bool is_demonstrated(const AtTarget& answer) const;
  std::optional<RateLimit> limit_near(double rate, double distance) const;
  double value_of(const SearchBlock& block) const { return block.values[target_]; }
  bool counts(const SearchBlock& block) const { return block.counts && block.requested >= lowest_; }
  bool is_over(const SearchBlock& block) const { return !block.reached || value_of(block) > 1; }
  bool has_blocks_on_both_sides() const;
  /// The lowest that can be asked for, or so near that there is nothing between.
  bool is_lowest(double rate) const { return rate <= (1 + policy_.least_step) * range_.lowest; }
  Looks looks_at_lowest() const;
  bool is_in_doubt() const;
  void look_up(double time);
  bool blocks_are_too_short(double rate, const std::optional<Crossing>& crossing) const;
  double seconds_to_forget(const Crossing& crossing) const;
  RateZone zone() const;
  RateZone band() const;
  std::optional<Crossing> fit() const;
  double next_rate(const std::optional<Crossing>& crossing);
  void adapt_step(const SearchBlock& block, double center, const Crossing& crossing);
  double climb_seconds(double rate) const;
  double block_seconds(double rate) const;
  double demonstration_seconds() const;
  double longest_demonstration() const;
  double seconds_spent() const { return clock_() - began_; }

  const CurvePlan& plan_;
  const SearchPolicy& policy_;
  const std::size_t target_;
  const SearchRange range_;
  const std::vector<SearchBlock>& blocks_;
  const Measure measure_;
  const Clock clock_;
  const Link link_;
  const double began_;
  Random random_;
  double block_seconds_;
  const double ops_share_;
  double lowest_ = 0;  ///< requested, of the blocks that count: below it the latency falls with the rate
  bool ended_ = false;
  bool looked_up_ = false;
  bool not_met_ = false;
  int side_ = 0;  ///< of the next block, where it is not drawn
  /// Below and over, of the step that the fit asks for: blocks there were further away from the target than it said.
  double step_share_[2] = {1, 1};
};

}  // namespace edagen
