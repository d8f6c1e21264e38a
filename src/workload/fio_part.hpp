// One job of fio as a part of a blend.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "workload/fio_files.hpp"
#include "workload/fio_import.hpp"
#include "workload/fio_sections.hpp"

namespace edagen {

struct FioPart {
  nlohmann::ordered_json workload;
  std::int64_t procs = 1;
  FioSharedFiles shared;
  std::vector<std::string> directories;  ///< where its files are; empty when the job has no directory
};

/// Imports one job; notes and times go to `import`. Throws Error (usage), and FioRefusals where options are refused
/// whatever the others are.
FioPart fio_part(const FioSection& section, FioImport& import);

/// A job's name as a name of a workload: all characters except letters, digits, '.' and '-' become '_'.
std::string fio_safe_name(const std::string& name);

}  // namespace edagen
