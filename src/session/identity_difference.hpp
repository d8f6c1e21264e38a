// Plans by their parts, in words, and what differs between two of them.
#pragma once

#include <map>
#include <string>

namespace edagen {

using PlanIdentity = std::map<std::string, std::string>;

/// What differs, in words for an error; empty when nothing does.
std::string identity_difference(const PlanIdentity& kept, const PlanIdentity& now);

}  // namespace edagen
