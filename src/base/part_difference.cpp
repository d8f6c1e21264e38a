#include "base/part_difference.hpp"

#include <fmt/format.h>

namespace edagen {

std::string part_difference(const std::map<std::string, std::string>& before,
                            const std::map<std::string, std::string>& now,
                            const std::function<bool(const std::string&)>& counts) {
  std::string text;
  const auto add = [&](const std::string& part, const std::string& its, const std::string& mine) {
    if (its != mine && counts(part))
      text += fmt::format("{}{} '{}' is '{}' now", text.empty() ? "" : "; ", part, its, mine);
  };
  for (const auto& [part, its] : before) add(part, its, now.contains(part) ? now.at(part) : "none");
  for (const auto& [part, mine] : now)
    if (!before.contains(part)) add(part, "none", mine);
  return text;
}

}  // namespace edagen
