// Words of messages.
#pragma once

#include "edagen/units.hpp"

namespace edagen {

/// "did you mean 'x'?" of the nearest name; empty when none is near.
template <class Range>
std::string did_you_mean(std::string_view word, const Range& candidates) {
  const std::string near = nearest_name(word, candidates);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

}  // namespace edagen
