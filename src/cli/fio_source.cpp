#include "cli/fio_source.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "workload/fio_job.hpp"

namespace edagen {
namespace {

FioHost this_host() {
  FioHost host;
  host.has_file = [](const std::string& path) {
    std::error_code error;
    return std::filesystem::exists(path, error);
  };
  host.variable = [](const std::string& name) { return std::getenv(name.c_str()); };
  const auto positive = [](long value) { return value > 0 ? static_cast<std::uint64_t>(value) : 1; };
  host.cpus = positive(sysconf(_SC_NPROCESSORS_ONLN));
  host.page_bytes = positive(sysconf(_SC_PAGESIZE));
  host.memory_mb = positive(sysconf(_SC_PHYS_PAGES)) * host.page_bytes / static_cast<std::uint64_t>(MiB);
  return host;
}

}  // namespace

FioJobs fio_jobs(const FioSource& source) {
  FioHost host = this_host();
  std::vector<std::string> included;
  host.read_file = [&](const std::string& path) {
    included.push_back(path);
    return read_text_file(path, largest_definition);
  };
  std::vector<std::string> words = {source.first_word};
  words.insert(words.end(), source.more_words.begin(), source.more_words.end());
  FioCommandLine line = fio_command_line(words, host);
  FioJobs jobs{std::move(line.sections), line.files.empty() ? "fio" : line.files.front(), line.files, line.client};
  for (const std::string& file : line.files) {
    std::vector<FioSection> sections =
        fio_file_sections(read_text_file(file, largest_definition), file, host, line.global);
    sections.front().begins_group = &file != &line.files.front();
    jobs.sections.insert(jobs.sections.end(), sections.begin(), sections.end());
  }
  jobs.files.insert(jobs.files.end(), included.begin(), included.end());
  if (jobs.sections.empty())
    throw usage_error("import-fio", "no job file, and no job among the words of fio's command line",
                      "import-fio JOBFILE, or import-fio -- --name=a --rw=randread --size=1g");
  line.jobs.insert(line.jobs.end(), source.jobs.begin(), source.jobs.end());
  jobs.sections = chosen_jobs(std::move(jobs.sections), line.jobs, jobs.where);
  return jobs;
}

}  // namespace edagen
