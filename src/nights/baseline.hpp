// What the nights before say of one figure: where it is to be expected tonight, and how sure that is.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace edagen {

/// The logarithm of a figure, so that differences are ratios: the mean over the runs of a night.
struct LogSample {
  double value = 0;
  double error = 0;  ///< standard error: variation within the night; 0: not known
  double runs = 1;
  double stated = 0;              ///< variance of one run, as the runs state it; 0: they do not
  double squares = 0;             ///< of the runs around their mean
  double degrees_of_freedom = 0;  ///< of `error`; 0: it is taken as exact, because it is stated or not known
};

/// Sets the errors of all nights from what they say together of one run: the median of what runs state, or how the runs
/// of a night scatter, pooled over all nights, where that is less or none state any. Tonight's is larger in proportion
/// when tonight states more than the median, and never smaller: a run that says it is exact may be so by chance.
void pool_errors(std::span<LogSample> history, LogSample& tonight);

/// Means of nights y[i] = level + slope i + b[i] + e[i]: b varies between nights, e within them, with the stated
/// errors.
struct LogBaseline {
  std::size_t used = 0, outliers = 0;
  double expected = 0;            ///< tonight
  double without_slope = 0;       ///< expected if the slope is by chance; the same where none shows or it is sure
  double slope = 0;               ///< per night; 0 unless it shows
  double variance = 0;            ///< of nights around the line: between and within together
  double within = 0;              ///< mean of the squares of the errors within nights
  double within_freedom = 0;      ///< degrees of freedom of it; 0: taken as exact
  double leverage = 0;            ///< variance of `expected` over `variance`: 1/n, or more with a slope
  double degrees_of_freedom = 0;  ///< of `variance`
  double skewness = 0;            ///< of the nights, beyond what chance explains; 0: none shows
  double correlation = 0;         ///< of each night with the one before; 0: none shows
  bool are_equal = false;         ///< the nights, exactly: they do not say how nights vary
  double between() const;         ///< variance between nights: what the stated errors do not explain; at least 0
};

/// `history`: in the order of time, 3 or more. Outliers (Rosner's test, 0.1 %, a quarter of the nights at most) are
/// left out, so that a bad night in the history does not hide the next one. A slope that shows (5 %, with 15 nights or
/// more) is taken to go on. Thread-safe.
LogBaseline baseline_of(std::span<const LogSample> history);

/// Tonight against it.
struct LogChange {
  double change = 0;  ///< log of the ratio
  double error = 0;   ///< standard error of it, as tonight varies between and within nights
  double degrees_of_freedom = 1;

  double p_below() const;  ///< probability of such a change or a lower one when there is none
  double p_above() const;
  /// Half-width of the interval that leaves out the truth on each side with probability p, above 0, below 0.5.
  double half_width(double p) const;
  /// A change of this size is shown by a test at p with probability `power`.
  double visible(double p, double power = 0.9) const;
};

/// Of a slope that shows but is not sure (above 0.1 %) the change is that from the line or from the mean, which of both
/// is less: one history of 20 shows a slope by chance, and the line alone would call three to eight times as many of
/// its nights changed as is said.
LogChange change_from(const LogBaseline& baseline, const LogSample& tonight);

/// The mean of some nights against that of others, outliers left out, with the variance of each (Welch). 3 or more of
/// each.
LogChange change_of_means(std::span<const LogSample> before, std::span<const LogSample> after);

}  // namespace edagen
