// Statistics of a series of interval means.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// Whether the series goes up or down for good: its least-squares slope differs from zero with 99 % confidence and
/// carries it over more than a tenth of its mean. Series of fewer than 6 values do not say.
bool trends(std::span<const double> values);

/// The correlation of neighbours, at least 0, with its bias in a series of this length taken out. 4 values or more.
double corrected_correlation(std::span<const double> values);

/// The variance of the mean of n values of a first-order autoregression, over that of as many independent ones.
double variance_factor(double correlation, double n);

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;  ///< of the mean
  int degrees_of_freedom = 0;
  /// Neighbouring values are alike, and their mean is so uncertain that the series is shorter than what it remembers.
  bool is_short = false;
};

/// The mean of a series whose values depend on those before. Its standard error is the larger one of two: that of
/// non-overlapping batch means (Law, Kelton: Simulation Modeling and Analysis; consecutive values are put together
/// until their means are no longer correlated, at least 5 batches), and that of a first-order autoregression, whose
/// correlation is corrected for the length of the series (Kendall, Biometrika 41, 1954). The error of a queue grows
/// with the square of its mean (Whitt, Management Science 35, 1989), so that a series that is too low by chance states
/// too small an error: it is widened accordingly.
MeanEstimate mean_of_series(std::span<const double> values);

}  // namespace edagen
