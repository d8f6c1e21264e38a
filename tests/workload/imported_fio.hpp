// What imports of fio's jobs give, for tests.
#pragma once

#include <algorithm>
#include <string>

#include "support/error_of.hpp"
#include "workload/fio_job.hpp"
#include "workload/workload_file.hpp"

namespace edagen::testing {

inline ProcSpec kind_of(const FioImport& import, std::size_t kind = 0) {
  return parse_workload(nlohmann::json(import.workload), "imported").proc_kinds.at(kind);
}
/// Whether a note, as it is printed, has this text.
inline bool notes(const FioImport& import, const std::string& text) {
  return std::any_of(import.notes.begin(), import.notes.end(), [&](const FioNote& note) {
    return ("[" + note.job + "] " + note.option + ": " + note.what).find(text) != std::string::npos;
  });
}
/// Why a job is refused; empty when it is taken.
inline std::string refusal(const std::string& text) {
  return error_of([&] { import_fio(text, "jobs.fio"); });
}

}  // namespace edagen::testing
