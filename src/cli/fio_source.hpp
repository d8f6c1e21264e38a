// What `import-fio` is given: job files, and words of fio's command line.
#pragma once

#include <string>
#include <vector>

#include "workload/fio_sections.hpp"

namespace edagen {

struct FioSource {
  std::string first_word;               ///< a job file, or the first word of fio's command line
  std::vector<std::string> more_words;  ///< more job files, or what stands behind --
  std::vector<std::string> jobs;        ///< --job; empty: all
};

struct FioJobs {
  std::vector<FioSection> sections;
  std::string where;               ///< in errors: the job file, or "fio"
  std::vector<std::string> files;  ///< that were read
  std::string client;              ///< hosts that fio's --client names; "" without
};

/// Reads the job files. What stands on the command line before the first job is what their sections begin with. Throws
/// Error (usage).
FioJobs fio_jobs(const FioSource& source);

}  // namespace edagen
