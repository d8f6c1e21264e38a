// What comes of fio's jobs.
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
  std::optional<std::string> arrivals;          ///< "poisson"
  std::vector<std::string> directories;
  bool drop_caches = false;
};

}  // namespace edagen
