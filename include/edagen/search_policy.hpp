// How a search for a rate goes about it: every constant once, with its meaning. docs/design/search.md describes the
// search, and bench/search shows what changing a constant does.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include "edagen/parts/latency_statistic.hpp"

namespace edagen {

/// The meaning of each constant stands in fields(). A "distance" is that of a block from the target, in the latency
/// that a fit sees: for means |1 - target / latency| above the floor, for percentiles the logarithm of the share of ops
/// over the target.
struct SearchPolicy {
  // Climb
  double climb_start_share = 0.125;
  double climb_factor = 3;
  double climb_block_seconds = 0.5;
  double min_climb_ops = 100;
  double min_lowest_rate_ops = 20;
  double bracket_factor = 1.1;
  double bracket_steps = 1.5;
  double highest_rate_share = 0.999;
  double highest_ops_per_sec = 1e7;
  // Whether any load meets the target
  std::size_t min_lowest_rate_blocks = 2;
  double not_met_confidence = 0.99;
  std::size_t max_lowest_rate_blocks = 10;
  double max_probe_latency_factor = 2;
  // Blocks around the estimate
  double block_seconds = 2;
  double min_block_ops = 200;
  double rare_share = 0.1;
  double max_block_seconds = 10;
  double max_roughness_share = 0.3;
  std::size_t growth_block_count = 6;
  double settle_share = 0.1;
  std::size_t settle_target_count = 20;
  double first_settle_seconds = 0.5;
  double overload_factor = 3;
  // Distance from the estimate
  double min_step_share = 0.0025;
  double min_step_steps = 0.75;
  double first_step_share = 0.25;
  double max_distance_from_target = 0.35;
  double min_distance_from_target = 0.025;
  double slope_certainty_factor = 4;
  double min_slope_share = 0.3;
  double far_distance_from_target = 0.67;
  double shorter_step_factor = 0.5;
  double longer_step_factor = 1.5;
  double overlap_margin_factor = 1.1;
  std::size_t min_answer_blocks = 16;
  // Fit
  std::size_t min_fit_blocks = 4;
  double reach_factor = 1.25;
  double max_distance_share = 0.5;
  double max_widening_factor = 1.4;
  double max_extrapolation_share = 0.5;
  double max_correlation = 0.9;
  double min_latency_factor = 0.2;
  double max_latency_factor = 20;
  double min_over_share = 0.05;
  double answer_margin_factor = 1.05;
  double stopping_factor = 1.1;
  // Demonstration
  double demonstration_below_share = 0.045;
  double retry_below_share = 0.01;
  std::size_t max_demonstrations = 3;
  double max_reserved_share = 0.5;
  double max_time_factor = 1.25;
  // Validity of the answer
  double demonstrated_within_share = 0.05;
  double max_half_width_share = 0.1;
  double limit_distance_share = 0.1;
  double min_block_relaxation_times = 4;
  double percentile_relaxation_factor = 2;

  /// How many times as many ops as for a mean a block needs for the statistic.
  double ops_factor(const LatencyStatistic& statistic) const {
    return std::max(1.0, rare_share / (1 - statistic.percentile / 100));
  }
};

/// Calls visit(name, constant, meaning) for each constant. The identity of a plan, the options of bench/search and the
/// table in the docs are made from it.
template <class Policy, class Visit>
requires std::same_as<std::remove_cvref_t<Policy>, SearchPolicy>
constexpr void fields(Visit visit, Policy&& policy) {
  visit("climb_start_share", policy.climb_start_share, "First rate of the climb, as a share of the procs' own rate.");
  visit("climb_factor", policy.climb_factor,
        "Ratio of neighbouring rates of the climb until the target lies between two of them.");
  visit("climb_block_seconds", policy.climb_block_seconds, "Shortest block of the climb.");
  visit("min_climb_ops", policy.min_climb_ops, "Fewest ops in a block of the climb (mean targets).");
  visit("min_lowest_rate_ops", policy.min_lowest_rate_ops,
        "Fewest ops that a block of the greatest length holds at the lowest rate (mean targets).");
  visit("bracket_factor", policy.bracket_factor,
        "The climb ends when the ratio of the rates on both sides of the target is at most this.");
  visit("bracket_steps", policy.bracket_steps,
        "The climb by job sets ends when the two sides are at most this many job sets apart.");
  visit("highest_rate_share", policy.highest_rate_share,
        "Rates from this share of the highest rate on count as the highest rate.");
  visit("highest_ops_per_sec", policy.highest_ops_per_sec, "Highest rate where the plan has none.");
  visit("min_lowest_rate_blocks", policy.min_lowest_rate_blocks,
        "Fewest blocks at the lowest rate that can show that no load meets the target.");
  visit("not_met_confidence", policy.not_met_confidence, "Confidence with which their mean must be over the target.");
  visit("max_lowest_rate_blocks", policy.max_lowest_rate_blocks,
        "The lowest rate is measured in up to this many blocks while their mean is over the target.");
  visit("max_probe_latency_factor", policy.max_probe_latency_factor,
        "Rates above the lowest one are probed until the latency is this many times the lowest latency seen.");
  visit("block_seconds", policy.block_seconds, "First length of a block around the estimate.");
  visit("min_block_ops", policy.min_block_ops, "Fewest ops in a block around the estimate (mean targets).");
  visit("rare_share", policy.rare_share, "Percentiles rarer than this share need proportionally more ops per block.");
  visit("max_block_seconds", policy.max_block_seconds, "Longest block, whatever the number of ops.");
  visit("max_roughness_share", policy.max_roughness_share,
        "Blocks become twice as long when their scatter or the correlation of neighbours is above this.");
  visit("growth_block_count", policy.growth_block_count, "Fewest blocks of one length before they become longer.");
  visit("settle_share", policy.settle_share, "Time that passes before a block, as a share of the block.");
  visit("settle_target_count", policy.settle_target_count,
        "Shortest time that passes before a block, in latency targets.");
  visit("first_settle_seconds", policy.first_settle_seconds,
        "Shortest time that passes before the first block of a load.");
  visit("overload_factor", policy.overload_factor,
        "The load ends after a block over this many times the highest target; at the lowest rate, a block over this "
        "many times its own target counts as an overload. When the time is over before, an idle volume must be over "
        "this many times the target.");
  visit("min_step_share", policy.min_step_share,
        "Shortest step from the estimate, as a share of the rate. Rates this near the lowest one count as the lowest "
        "rate.");
  visit("min_step_steps", policy.min_step_steps, "Shortest step from the estimate, in job sets.");
  visit("first_step_share", policy.first_step_share,
        "Step without a fit, as a share of the rates at which blocks were on both sides of the target.");
  visit("max_distance_from_target", policy.max_distance_from_target, "Largest distance at which blocks are placed.");
  visit("min_distance_from_target", policy.min_distance_from_target, "Smallest distance at which blocks are placed.");
  visit("slope_certainty_factor", policy.slope_certainty_factor,
        "Blocks are placed no further away than it takes to know the slope to one part in this many.");
  visit("min_slope_share", policy.min_slope_share,
        "Smallest share of the fitted slope that is believed when a step is chosen.");
  visit("far_distance_from_target", policy.far_distance_from_target,
        "A block at a larger distance changes the next step on its side.");
  visit("shorter_step_factor", policy.shorter_step_factor,
        "Change of the step after a block that was too far away; its reciprocal where the block was on the other side "
        "of the target.");
  visit("longer_step_factor", policy.longer_step_factor,
        "Change of the step after a block that was nearer than planned, up to the full step.");
  visit("overlap_margin_factor", policy.overlap_margin_factor,
        "Blocks are placed at most this factor outside of the rates at which blocks were on both sides of the target.");
  visit("min_answer_blocks", policy.min_answer_blocks, "Fewest blocks in a fit that may end the search.");
  visit("min_fit_blocks", policy.min_fit_blocks, "Fewest blocks in a fit.");
  visit("reach_factor", policy.reach_factor, "Growth of the neighbourhood of a fit from one attempt to the next.");
  visit("max_distance_share", policy.max_distance_share, "Largest neighbourhood, as a share of the rate.");
  visit("max_widening_factor", policy.max_widening_factor,
        "A wider neighbourhood may widen the interval by at most this factor.");
  visit("max_extrapolation_share", policy.max_extrapolation_share,
        "Without a finite interval, an extrapolation is trusted up to this share of the fit's width.");
  visit("max_correlation", policy.max_correlation,
        "The interval is widened by the correlation of neighbouring blocks, of which no more than this counts.");
  visit("min_latency_factor", policy.min_latency_factor, "Lower latencies count as this many targets.");
  visit("max_latency_factor", policy.max_latency_factor, "Higher latencies count as this many targets.");
  visit("min_over_share", policy.min_over_share,
        "Smaller shares of ops over the target count as this share of what the percentile allows.");
  visit("answer_margin_factor", policy.answer_margin_factor,
        "The answer is at most this factor outside of the rates at which blocks were on both sides of the target.");
  visit("stopping_factor", policy.stopping_factor,
        "Intervals are this many times as wide: a search ends where the scatter seems small by chance.");
  visit("demonstration_below_share", policy.demonstration_below_share,
        "Largest distance of the first demonstration below the estimate, as a share of the rate.");
  visit("retry_below_share", policy.retry_below_share,
        "Distance of a demonstration below one that failed, as a share of the rate.");
  visit("max_demonstrations", policy.max_demonstrations, "Most demonstrations of a search.");
  visit("max_reserved_share", policy.max_reserved_share,
        "Largest share of the search time that is kept for the demonstration.");
  visit("max_time_factor", policy.max_time_factor,
        "A further demonstration, or one that takes longer than planned, ends within this many search times.");
  visit("demonstrated_within_share", policy.demonstrated_within_share,
        "A valid answer is demonstrated at most this share below it.");
  visit("max_half_width_share", policy.max_half_width_share,
        "Largest half-width of a valid answer's interval, as a share of the rate.");
  visit("limit_distance_share", policy.limit_distance_share,
        "The limit is taken from blocks within this share of the answer's rate.");
  visit("min_block_relaxation_times", policy.min_block_relaxation_times,
        "A valid answer needs its longest blocks to last at least this long, in relaxation times of the queue at the "
        "target.");
  visit("percentile_relaxation_factor", policy.percentile_relaxation_factor,
        "For a percentile: this times as many relaxation times as its blocks need more ops, if that is more.");
}

static_assert(
    [] {
      std::size_t bytes = 0;
      SearchPolicy policy;
      fields([&](const char*, const auto& constant, const char*) { bytes += sizeof(constant); }, policy);
      return bytes;
    }() == sizeof(SearchPolicy),
    "fields() visits each constant");

}  // namespace edagen
