// Where a series of nights changes its level for good.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace edagen {

struct ChangePoint {
  std::size_t begins = 0;        ///< the first value of the new level
  double before = 0, after = 0;  ///< means
  double p = 0;                  ///< that equal levels look as different at some place, adjusted for the places
};

/// Ascending. Binary segmentation: the series is split where Student's t between the two parts is largest, if its p
/// times the number of places is at most `error`, and so are the parts; at last each change is tested again between its
/// neighbours. Parts have `least` values or more. Deterministic; a stationary series has one with probability `error`
/// or less.
std::vector<ChangePoint> change_points_of(std::span<const double> values, double error = 0.01, std::size_t least = 3);

}  // namespace edagen
