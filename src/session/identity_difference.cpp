#include "session/identity_difference.hpp"

#include "base/part_difference.hpp"

namespace edagen {

std::string identity_difference(const PlanIdentity& kept, const PlanIdentity& now) {
  if (kept.empty()) return "it does not say which";
  return difference_for_error(part_difference(kept, now));
}

}  // namespace edagen
