// The adjustment of p values for several tests at once.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// p values adjusted for their number, in the order given: among tests whose adjusted p is at most 5 %, the probability
/// of one or more errors is at most 5 % (Holm: A Simple Sequentially Rejective Multiple Test Procedure, 1979).
/// Thread-safe.
std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace edagen
