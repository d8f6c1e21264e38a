// The result of an import of fio's jobs.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace edagen {

/// An option of a job that edagen has no equivalent for, or only a similar one.
struct FioNote {
  std::string job, option, what;
};

struct FioImport {
  nlohmann::ordered_json workload;  ///< valid by the workload schema; several jobs are a blend
  std::vector<FioNote> notes;
  /// Settings that fio has in the job file and edagen in the command. The first job that has one counts for all jobs,
  /// and a note names other values.
  std::optional<std::string> duration, warmup;  ///< with a unit: "60s"
  std::optional<std::string> arrivals;          ///< "poisson"
  std::vector<std::string> directories;
  std::int64_t clients = 1;  ///< one for each directory, as the procs of a client are on one mount
  bool drop_caches = false;
};

}  // namespace edagen
