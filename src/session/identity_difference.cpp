#include "session/identity_difference.hpp"

#include <fmt/format.h>

namespace edagen {

std::string identity_difference(const PlanIdentity& kept, const PlanIdentity& now) {
  if (kept.empty()) return "it does not say which";
  std::string text;
  const auto add = [&](const std::string& part, const std::string& its, const std::string& mine) {
    if (its != mine) text += fmt::format("{}{} '{}' is '{}' now", text.empty() ? "" : "; ", part, its, mine);
  };
  for (const auto& [part, its] : kept) add(part, its, now.contains(part) ? now.at(part) : "none");
  for (const auto& [part, mine] : now)
    if (!kept.contains(part)) add(part, "none", mine);
  return text;
}

}  // namespace edagen
