// Quantiles of the distributions behind confidence intervals. Thread-safe.
#pragma once

namespace edagen {

/// The quantile of Student's t: |t| exceeds it with probability 1 - confidence. Fewer degrees of freedom than 1 count
/// as 1. 0 < confidence < 1.
double student_quantile(double confidence, int degrees_of_freedom);

/// The probability of a |t| of this size or more. Fewer degrees of freedom than 1 count as 1.
double student_two_sided_p(double t, int degrees_of_freedom);

/// The probability of a t of this size or more; `degrees_of_freedom` may be a fraction (Satterthwaite).
double student_upper_p(double t, double degrees_of_freedom);

/// The t that is exceeded with probability `p`, above 0 and below 1.
double student_upper_quantile(double p, double degrees_of_freedom);

/// The quantile of the normal distribution, which is the limit of Student's for many degrees of freedom.
double normal_quantile(double confidence);

}  // namespace edagen
