// When whole runs of a comparison stalled: the figures by which variants are compared have no times.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

class StallNotes {
 public:
  /// A whole run of a variant has ended.
  void add(const std::string& variant, std::uint64_t repeat, const Result& result);
  /// A note for each run that stalled (is_stalled_run()): when it began, when in its window ops stopped, and for how
  /// long.
  std::vector<std::string> notes_of(const ComparisonResult& comparison) const;

 private:
  std::map<std::pair<std::string, std::uint64_t>, std::string> notes_;  ///< of all runs, by variant and repeat
};

}  // namespace edagen
