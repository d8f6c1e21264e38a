// Turns fio's jobs, from a job file or a command line of fio, into a workload definition.
#pragma once

#include <string>
#include <vector>

#include "workload/fio_import.hpp"
#include "workload/fio_sections.hpp"

namespace edagen {

/// Jobs that fio would run together, each a section. `where` names them in errors and gives a blend its name;
/// `how_to_choose` says how to take fewer of them. Throws Error (usage) when there is a job that cannot be expressed,
/// or when they are not all run at the same time and in the same place.
FioImport import_fio(const std::vector<FioSection>& sections, const std::string& where,
                     const std::string& how_to_choose);

/// Of the sections those with these names; all when there are none. Throws Error (usage) when there is no such job.
std::vector<FioSection> chosen_jobs(std::vector<FioSection> sections, const std::vector<std::string>& names,
                                    const std::string& where);

/// All of the above for the text of a job file without includes and variables.
FioImport import_fio(const std::string& text, const std::string& where, const std::string& job = "");

}  // namespace edagen
