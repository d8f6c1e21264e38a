// Named sets of mount options to compare, from a JSON file (workloads/schema/tunings.schema.json).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace edagen {

struct Tuning {
  std::string name;
  std::string options;                         ///< as after mount -o
  std::map<std::string, std::string> sysctls;  ///< set while the tuning is mounted
  std::optional<int> read_ahead_kib;
};

std::vector<std::string> builtin_tuning_names();

/// `name_or_path` is as for workloads. Throws Error (usage), also for options that NFS does not have, since mount(8)
/// could give them another meaning.
std::vector<Tuning> load_tunings(const std::string& name_or_path);

}  // namespace edagen
