// Words of messages.
#pragma once

#include "edagen/units.hpp"

namespace edagen {

/// Returns "did you mean 'x'?" with the nearest name; empty when no name is near.
template <class Range>
std::string did_you_mean(std::string_view word, const Range& candidates) {
  const std::string near = nearest_name(word, candidates);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

}  // namespace edagen
