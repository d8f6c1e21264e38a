// The median of times of which some are only known to be longer than they were watched.
#pragma once

#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

struct Lifetime {
  Nanos lasted{0};
  bool ended = true;  ///< false: it went on when the watching ended ("censored")
};

struct MedianLifetime {
  Nanos value{0};
  bool at_least = false;  ///< half of them or more lasted longer than any was watched: the median is above `value`
};

/// By the product-limit estimate of Kaplan, Meier: Nonparametric Estimation from Incomplete Observations, 1958. 0 of
/// nothing. Thread-safe.
MedianLifetime median_lifetime(std::vector<Lifetime> all);

}  // namespace edagen
