// The terms that fio computes: sums, products and powers within parentheses, or with $ncpus and the like.
#pragma once

#include <string>

#include "workload/fio_word.hpp"

namespace edagen {

/// `unit` returns the factor of the letters behind a number ("" when there are none). Throws Error (usage).
double fio_term(const std::string& text, const FioWord& word, double (*unit)(const std::string&, const FioWord&));

}  // namespace edagen
