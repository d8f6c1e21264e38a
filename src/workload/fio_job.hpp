// Turns fio's jobs, from a job file or a command line of fio, into a workload definition.
#pragma once

#include <string>
#include <vector>

#include "workload/fio_import.hpp"
#include "workload/fio_sections.hpp"

namespace edagen {

/// Imports jobs that fio would run together, each a section. `where` names them in errors and gives a blend its name;
/// `how_to_choose` is a hint how to take fewer jobs. Throws FioRefusals when jobs cannot be expressed, and Error
/// (usage) when the jobs do not all run at the same time and in the same place.
FioImport import_fio(const std::vector<FioSection>& sections, const std::string& where,
                     const std::string& how_to_choose);

/// The sections with these names, or all sections without names. Throws Error (usage) when there is no such job.
std::vector<FioSection> chosen_jobs(std::vector<FioSection> sections, const std::vector<std::string>& names,
                                    const std::string& where);

/// Imports the text of a job file without includes and variables.
FioImport import_fio(const std::string& text, const std::string& where, const std::string& job = "");

}  // namespace edagen
