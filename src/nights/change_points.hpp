// Changes of the level of a series of nights.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace edagen {

struct ChangePoint {
  std::size_t begins = 0;        ///< the first value of the new level
  double before = 0, after = 0;  ///< means
  double p = 0;                  ///< probability of such a change at any place in a series of one level
};

/// Ascending. Binary segmentation: the series is split where Student's t between the two parts is largest, if its p
/// times the number of places is at most `max_p`, and the parts are split in the same way; at last each change is
/// tested again between its neighbours. Parts have `min_values` or more. Deterministic. A stationary series has a
/// change point with probability `max_p` or less. `resolution`: half the step between the values that a figure can
/// have, as of baseline_of(); the deviation is no less.
std::vector<ChangePoint> change_points_of(std::span<const double> values, double max_p = 0.01, double resolution = 0,
                                          std::size_t min_values = 3);

}  // namespace edagen
