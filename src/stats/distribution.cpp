#include "stats/distribution.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace edagen {
namespace {

template <class Distribution>
double two_sided(const Distribution& distribution, double confidence) {
  return quantile(complement(distribution, (1 - confidence) / 2));
}

}  // namespace

double student_quantile(double confidence, int degrees_of_freedom) {
  return two_sided(boost::math::students_t(std::max(1, degrees_of_freedom)), confidence);
}

double student_two_sided_p(double t, int degrees_of_freedom) {
  if (std::isinf(t)) return 0;
  return 2 * cdf(complement(boost::math::students_t(std::max(1, degrees_of_freedom)), std::abs(t)));
}

double student_upper_p(double t, double degrees_of_freedom) {
  if (std::isinf(t)) return t > 0 ? 0 : 1;
  return cdf(complement(boost::math::students_t(std::max(1.0, degrees_of_freedom)), t));
}

double student_upper_quantile(double p, double degrees_of_freedom) {
  return quantile(complement(boost::math::students_t(std::max(1.0, degrees_of_freedom)), p));
}

double normal_quantile(double confidence) { return two_sided(boost::math::normal(), confidence); }

}  // namespace edagen
