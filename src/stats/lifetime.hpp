// The median of times, some of which lasted longer than they were watched.
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
  bool at_least =
      false;  ///< half of the times or more lasted longer than they were watched, so the median is above `value`
};

/// The median by the product-limit estimate (Kaplan, Meier: Nonparametric Estimation from Incomplete Observations,
/// 1958); 0 without times. Thread-safe.
MedianLifetime median_lifetime(std::vector<Lifetime> all);

}  // namespace edagen
