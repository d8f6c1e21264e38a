// Statistics of a series of interval means.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace edagen {

constexpr std::size_t fewest_for_trend = 5;  ///< values of a series that may have a trend

/// Whether the series has a trend: its least-squares slope differs from zero with 99 % confidence and amounts to more
/// than a tenth of the mean over the series.
bool trends(std::span<const double> values);

/// The correlation of neighbours, at least 0, corrected for its bias in a series of this length. Needs 4 values or
/// more.
double corrected_correlation(std::span<const double> values);

/// The same of several series whose values depend on their neighbours alike: the mean of their correlations, which
/// scatters less. Series of fewer than 4 values are left out; 0: there are no others.
double common_correlation(std::span<const std::vector<double>> series);

/// The variance of the mean of n values of a first-order autoregression, over that of n independent values.
double variance_factor(double correlation, double n);

/// The standard error of the mean of a first-order autoregression.
double autoregressive_error(std::span<const double> values, double correlation);

struct MeanEstimate {
  double mean = 0;
  double standard_error = 0;  ///< of the mean
  int degrees_of_freedom = 0;
  /// Whether neighbouring values are alike and the mean is very uncertain: the queue remembers for longer than the
  /// series.
  bool is_short = false;
};

/// The mean of a series of dependent values. The standard error is the larger one of two. The first is that of
/// non-overlapping batch means (Law, Kelton: Simulation Modeling and Analysis): consecutive values are joined until the
/// means of batches are no longer correlated, at least 5 batches. The second is that of a first-order autoregression,
/// whose correlation is corrected for the length of the series (Kendall, Biometrika 41, 1954). The error of a queue
/// grows with the square of its mean (Whitt, Management Science 35, 1989), so a series that is too low by chance has
/// too small an error: the error is widened accordingly.
MeanEstimate mean_of_series(std::span<const double> values);

}  // namespace edagen
