// A load point as the search for a rate remembers it.
#pragma once

#include "edagen/search.hpp"

namespace edagen {

/// What the search remembers of a load point.
struct SearchBlock {
  double rate = 0;       ///< ops/s: requested where it was reached, as all ops end then; else achieved
  double requested = 0;  ///< ops/s
  double seconds = 0;    ///< measured
  bool reached = false;  ///< the requested rate
  bool counts = true;    ///< there were ops, and neither it nor the generator was interrupted
  double mib_per_op = 0;
  double ops = 0;                       ///< whose latency it has
  std::vector<double> values;           ///< by target: Observation::value
  std::vector<double> standard_errors;  ///< of each value, as if ops were independent
  std::vector<bool> late;  ///< by target: the generator was, by more than that target allows; or the host was busy
  NanosF latency{0};       ///< the statistic
  Purpose purpose = Purpose::climb;
  std::vector<Invalid> invalid;  ///< why, but for the generator's delay, which each target judges; empty: valid
  std::size_t point = 0;         ///< of Curve::points

  bool paused() const;  ///< the generator
  /// The generator was late or paused.
  bool host_limited(std::size_t target) const;
};

/// Of a load point, held against the targets.
SearchBlock search_block(const CurvePoint& point, const LatencyStatistic& statistic, const std::vector<Nanos>& targets);

/// Valid, and below the target.
bool met_by(const SearchBlock& block, std::size_t target);

/// The highest of the load points of full length that met it.
std::optional<Demonstration> best_demonstration(const std::vector<SearchBlock>& blocks, std::size_t target);

}  // namespace edagen
