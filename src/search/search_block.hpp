// A load point as the search for a rate remembers it.
#pragma once

#include "edagen/search.hpp"

namespace edagen {

/// What a search remembers of a load point.
struct SearchBlock {
  double rate = 0;  ///< ops/s: the requested rate where it was reached, since all ops end then; else the achieved one
  double requested = 0;  ///< ops/s
  double seconds = 0;    ///< length of the window
  Nanos time{0};         ///< everything that the load point took: warm-up, window and drain
  bool reached = false;  ///< The requested rate was reached.
  bool counts = true;    ///< There were ops, and neither the run nor the generator was interrupted.
  bool is_last = false;  ///< The load must end: an interrupt, too many errors or stuck ops.
  double mib_per_op = 0;
  double ops = 0;                       ///< number of latencies
  std::vector<double> values;           ///< by target: Observation::value
  std::vector<double> standard_errors;  ///< by target: of the value, as if ops were independent
  std::vector<bool> late;        ///< by target: the generator was later than the target allows, or the host was busy
  NanosF latency{0};             ///< the statistic
  bool waits_for_procs = false;  ///< Ops mostly waited until their procs had ended the ops before.
  Purpose purpose = Purpose::climb;
  std::vector<Invalid> invalid;  ///< without the generator's delay, which each target judges; empty: valid
  std::size_t point = 0;         ///< index in Curve::points

  /// The generator paused.
  bool paused() const;
  /// The generator was late or paused.
  bool host_limited(std::size_t target) const;
};

/// A load point, held against the targets.
SearchBlock search_block(const CurvePoint& point, const LatencyStatistic& statistic, const std::vector<Nanos>& targets);

/// The requested rate was not reached, or the latency is so far over the highest target that a search learns no more.
bool overloads(const SearchBlock& block, const CurvePlan& plan);

/// The block is valid and below the target.
bool met_by(const SearchBlock& block, std::size_t target);

/// The highest load point of full length that met the target.
std::optional<DemonstrationFigures> best_demonstration(const std::vector<SearchBlock>& blocks, std::size_t target);

}  // namespace edagen
