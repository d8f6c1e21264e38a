// Statistics of a series of interval means.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// Whether the series goes up or down for good: its least-squares slope differs from zero with 99 % confidence and
/// carries it over more than a tenth of its mean. Series of fewer than 6 values do not say.
bool trends(std::span<const double> values);

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;  ///< of the mean
  int degrees_of_freedom = 0;
};

/// Non-overlapping batch means (Law, Kelton: Simulation Modeling and Analysis): consecutive values are put together
/// until their means are no longer correlated, at least 5 batches.
MeanEstimate batch_means(std::span<const double> values);

}  // namespace edagen
