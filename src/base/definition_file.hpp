// Definitions that come with the binary by name, or from a JSON file by path: workloads, volumes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace edagen {

struct DefinitionFolder {
  const char* path;  ///< in the source tree: "workloads/"
  const char* what;  ///< in messages: "workload"

  /// Of the built-in ones, sorted; of folders inside, fio/ alone is entered.
  std::vector<std::string> names() const;
  /// Of a built-in one; throws Error (usage) that suggests the nearest name.
  std::string text(const std::string& name) const;
  /// Whether it is a path: it ends in .json or starts with / or . .
  static bool is_path(const std::string& name);
  /// Parsed; throws Error (usage).
  nlohmann::json read(const std::string& name_or_path) const;
};

}  // namespace edagen
