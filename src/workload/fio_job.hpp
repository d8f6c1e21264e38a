// Turns a fio job file into a workload definition.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace edagen {

struct FioImport {
  nlohmann::ordered_json workload;   ///< valid by the workload schema; several jobs are a blend
  std::vector<std::string> notes;    ///< options that have no equal, or a somewhat different one; "[job] option: what"
  std::vector<std::string> command;  ///< words that run it as fio would: "--duration", "60s"
};

/// `text` is a job file's, `where` names it in errors, `job` chooses one section; empty: all. Throws Error (usage) when
/// it is no job file or holds a job that cannot be expressed at all.
FioImport import_fio(const std::string& text, const std::string& where, const std::string& job = "");

}  // namespace edagen
