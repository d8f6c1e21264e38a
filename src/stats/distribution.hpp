// Quantiles of the distributions that confidence intervals rest on. Thread-safe.
#pragma once

namespace edagen {

/// Student's: |t| exceeds it with probability 1 - confidence. Fewer degrees of freedom than 1 count as 1.
/// 0 < confidence < 1.
double student_quantile(double confidence, int degrees_of_freedom);

/// Of Student's: how probable a |t| of this size or more is. Fewer degrees of freedom than 1 count as 1.
double student_two_sided_p(double t, int degrees_of_freedom);

/// Of Student's: how probable a t of this size or more is; `degrees_of_freedom` may be a fraction (Satterthwaite).
double student_upper_p(double t, double degrees_of_freedom);

/// The t that Student's exceeds with probability `p`, above 0 and below 1.
double student_upper_quantile(double p, double degrees_of_freedom);

/// The normal distribution's: the limit of Student's for many degrees of freedom.
double normal_quantile(double confidence);

}  // namespace edagen
