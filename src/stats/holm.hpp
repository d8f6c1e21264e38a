// Several tests at once: how probable it is that one or more of them is wrong.
#pragma once

#include <span>
#include <vector>

namespace edagen {

/// p values adjusted for their number, in the order given: of tests whose adjusted p is at most 5 %, the probability
/// that one or more are wrong is at most 5 % (Holm: A Simple Sequentially Rejective Multiple Test Procedure, 1979).
/// Thread-safe.
std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace edagen
