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
  std::vector<std::string> directories;  ///< where its files are; empty: the job leaves it open
};

/// Notes and times go to `import`. Throws Error (usage).
FioPart fio_part(const FioSection& section, FioImport& import);

/// A job's name as a workload's: other characters than letters, digits, '.' and '-' are '_'.
std::string fio_safe_name(const std::string& name);

}  // namespace edagen
