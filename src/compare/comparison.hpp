// A against B: repeats of each variant, interleaved, and what they show.
#pragma once

#include <string>
#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// Which variant is run when: A B C, C B A, A B C, ... so that drift cancels.
std::vector<std::size_t> interleaved(std::size_t variants, std::size_t repeats);

/// b against a, from paired repeats of a positive figure: the geometric mean of their ratios with a 95 % Student
/// interval.
struct Difference {
  double ratio = 1, low = 0, high = 0;  ///< low = 0 and high = infinity with fewer than two pairs
  Verdict verdict = Verdict::no_difference;
};

/// `more_is_better`: of rates; else of latencies. A difference is shown when the interval leaves out 1.
Difference difference_of(const std::vector<double>& a, const std::vector<double>& b, bool more_is_better);

}  // namespace edagen
