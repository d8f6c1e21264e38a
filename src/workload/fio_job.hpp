// Turns a fio job file into a workload definition.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace edagen {

/// What a job says that has no equivalent here, or only a similar one.
struct FioNote {
  std::string job, option, what;
};

struct FioImport {
  nlohmann::ordered_json workload;  ///< valid by the workload schema; several jobs are a blend
  std::vector<FioNote> notes;
  /// What fio has in the job file and edagen in how a workload is run. Of several jobs the first that says it counts; a
  /// note names the others that say something else.
  std::optional<std::string> duration, warmup;  ///< with a unit: "60s"
  std::optional<std::string> directory;
  bool drop_caches = false;
};

/// `text` is a job file's, `where` names it in errors, `job` chooses one section; empty: all. Throws Error (usage) when
/// it is no job file or holds a job that cannot be expressed at all.
FioImport import_fio(const std::string& text, const std::string& where, const std::string& job = "");

}  // namespace edagen
