// The value of a figure that the nights before predict for tonight, and its error.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace edagen {

/// The logarithm of a figure, so that differences are ratios: the mean over the runs of a night.
struct LogSample {
  double value = 0;
  double error = 0;  ///< standard error from the variation within the night; 0: not known
  double runs = 1;
  double stated = 0;   ///< variance of one run, as the runs state it; 0: they state none
  double squares = 0;  ///< sum of the squares of the runs around their mean
  double degrees_of_freedom =
      0;  ///< degrees of freedom of `error`; 0: taken as exact, because it is stated or not known
};

/// Sets the errors of all nights from one variance within nights: the median of what runs state, or the scatter of the
/// runs of a night, pooled over all nights, where the scatter is less or no run states an error. Tonight's error is
/// larger in proportion when tonight states more than the median, and never smaller: a small stated error may be
/// chance.
void pool_errors(std::span<LogSample> history, LogSample& tonight);

/// Means of nights y[i] = level + slope i + b[i] + e[i]: b varies between nights, e within them, with the stated
/// errors.
struct LogBaseline {
  std::size_t used = 0, outliers = 0;
  double expected = 0;            ///< tonight's value
  double without_slope = 0;       ///< the mean while the slope may be chance; else the same as `expected`
  double slope = 0;               ///< change per night; 0 unless it is significant
  double variance = 0;            ///< variance of nights around the line: between and within together
  double within = 0;              ///< mean of the squares of the errors within nights
  double within_freedom = 0;      ///< degrees of freedom of `within`; 0: taken as exact
  double leverage = 0;            ///< variance of `expected` over `variance`: 1/n, or more with a slope
  double degrees_of_freedom = 0;  ///< degrees of freedom of `variance`
  double min_variance = 0;        ///< below which no variance is taken for true
  double skewness = 0;            ///< skewness of the nights beyond chance; 0: not significant
  double correlation = 0;         ///< correlation of each night with the one before; 0: not significant
  bool are_equal = false;         ///< whether the nights are exactly equal, so that their variation is not known
  double between() const;         ///< variance between nights: the part that the errors do not explain; at least 0
};

/// `history`: ascending in time, 3 nights or more. Outliers (Rosner's test, 0.1 %, a quarter of the nights at most) are
/// left out, so that a bad night in the history does not hide the next one. A significant slope (5 %, 15 nights or
/// more) is expected to go on. `resolution`: half the step between the values that a figure can have, as a logarithm.
/// Nights that vary by less have one value, and the next value is no change: their deviation is no less. Thread-safe.
LogBaseline baseline_of(std::span<const LogSample> history, double resolution = 0);

/// The change of tonight against a baseline.
struct LogChange {
  double change = 0;  ///< logarithm of the ratio
  double error = 0;   ///< standard error of `change`, from the variation of tonight between and within nights
  double degrees_of_freedom = 1;

  double p_below() const;  ///< probability of this change or a lower one in a night without a change
  double p_above() const;
  /// Half-width of the interval that leaves out the truth on each side with probability p, above 0, below 0.5.
  double half_width(double p) const;
  /// The size of a change that a test at p shows with probability `power`.
  double visible(double p, double power = 0.9) const;
};

/// While a slope may be chance (p above 0.1 %) the change is the smaller one of those from the line and from the mean:
/// one history in 20 has a slope by chance, and the line alone would give it three to eight times the stated false
/// alarms.
LogChange change_from(const LogBaseline& baseline, const LogSample& tonight);

}  // namespace edagen
