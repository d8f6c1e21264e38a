// Definitions (workloads, volumes) that are built in and have a name, or are JSON files and have a path.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace edagen {

struct DefinitionFolder {
  const char* path;  ///< in the source tree: "workloads/"
  const char* what;  ///< in messages: "workload"

  /// Names of the built-in definitions, sorted; fio/ is the only folder that is entered.
  std::vector<std::string> names() const;
  /// The text of a built-in definition; throws Error (usage) that suggests the nearest name.
  std::string text(const std::string& name) const;
  /// Whether `name` is a path: it ends in .json or starts with / or . .
  static bool is_path(const std::string& name);
  /// Parses a definition; throws Error (usage).
  nlohmann::json read(const std::string& name_or_path) const;
};

}  // namespace edagen
