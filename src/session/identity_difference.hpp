// Plans by their parts, in words, and what differs between two of them.
#pragma once

#include <map>
#include <string>

#include "base/part_difference.hpp"

namespace edagen {

using PlanIdentity = std::map<std::string, std::string>;

/// What differs, in words for an error; empty when nothing does.
inline std::string identity_difference(const PlanIdentity& kept, const PlanIdentity& now) {
  return kept.empty() ? "it does not say which" : difference_for_error(part_difference(kept, now));
}

}  // namespace edagen
