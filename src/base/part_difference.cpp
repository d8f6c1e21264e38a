#include "base/part_difference.hpp"

#include <fmt/format.h>

namespace edagen {

std::string part_difference(const std::map<std::string, std::string>& before,
                            const std::map<std::string, std::string>& now,
                            const std::function<bool(const std::string&)>& counts) {
  std::string text;
  const auto add = [&](const std::string& part, const std::string& old_value, const std::string& new_value) {
    if (old_value != new_value && counts(part))
      text += fmt::format("{}{} '{}' is '{}' now", text.empty() ? "" : "; ", part, old_value, new_value);
  };
  for (const auto& [part, old_value] : before) add(part, old_value, now.contains(part) ? now.at(part) : "none");
  for (const auto& [part, new_value] : now)
    if (!before.contains(part)) add(part, "none", new_value);
  return text;
}

}  // namespace edagen
