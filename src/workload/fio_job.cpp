#include "workload/fio_job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "workload/fio_part.hpp"

namespace edagen {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t longest_workload_name = 128;

bool waits(const FioSection& job) {
  const FioWord* const stonewall = job.find("stonewall");
  return job.begins_group || job.find("wait_for") != nullptr || (stonewall != nullptr && fio_bool(*stonewall));
}

/// Refuses jobs that do not run together, because a blend runs its jobs at the same time.
void check_run_together(const std::vector<FioSection>& jobs, const std::string& how_to_choose) {
  const auto later = std::find_if(jobs.begin() + 1, jobs.end(), waits);
  if (later == jobs.end()) return;
  const char* const why = later->find("wait_for") != nullptr ? "wait_for" : "stonewall";
  throw usage_error(later->begins_group ? later->where : fmt::format("{} {}", later->where, why),
                    fmt::format("fio runs '{}' after the jobs before it, not beside them; a workload's jobs all run "
                                "at the same time",
                                later->name),
                    how_to_choose);
}

/// Takes the directories, which must be those of all jobs, because procs are spread over all mounts.
void take_directories(const std::vector<FioPart>& parts, const std::vector<FioSection>& jobs,
                      const std::string& how_to_choose, FioImport& import) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<std::string>& directories = parts[i].directories;
    if (directories.empty()) continue;
    if (import.directories.empty()) import.directories = directories;
    if (import.directories == directories) continue;
    const FioWord* const word = jobs[i].find(jobs[i].find("directory") != nullptr ? "directory" : "filename");
    word->refuse(fmt::format("'{}' is another place than '{}' of an earlier job; edagen spreads all procs over all its "
                             "mounts",
                             directories.front(), import.directories.front()),
                 how_to_choose);
  }
}

/// Divides files that procs share in fio: each proc gets a file of its own, and all files together are as large.
void divide_shared_files(std::vector<FioPart>& parts, const std::vector<FioSection>& jobs, FioImport& import) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const FioSharedFiles& shared = parts[i].shared;
    if (shared.name.empty()) continue;
    std::int64_t procs = 0;
    for (const FioPart& part : parts) procs += part.shared.name == shared.name ? part.procs : 0;
    if (procs < 2) continue;
    std::string what = fmt::format("{} procs share it with fio; here each has its own", procs);
    if (shared.file_size > 0) {
      const Bytes size = std::max(shared.smallest, round_down(shared.file_size / procs, shared.smallest));
      parts[i].workload["dataset"]["file_size"] = size;
      what += fmt::format(" of {} instead of {}", format_bytes(size), format_bytes(shared.file_size));
    }
    if (shared.sequential) what += ", where fio's procs all begin at the start of one";
    import.notes.push_back({jobs[i].name, "filename", what});
  }
}

/// Beside a job without a rate a run is a closed loop, in which the jobs with rates have uniform arrivals.
void choose_arrivals(const std::vector<FioPart>& parts, const std::vector<FioSection>& jobs, FioImport& import) {
  const bool any_unpaced =
      std::ranges::any_of(parts, [](const FioPart& part) { return part.workload["ops_per_sec_per_proc"].is_string(); });
  if (import.arrivals == "poisson" && any_unpaced)
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i].workload["ops_per_sec_per_proc"].is_number())
        import.notes.push_back({jobs[i].name, "rate_process", "arrivals are uniform beside a job without a rate"});
  if (import.arrivals == "linear" || any_unpaced) import.arrivals.reset();
}

ordered_json blend_of(std::vector<FioPart> parts, const std::string& where) {
  std::string name = where.substr(where.rfind('/') + 1);
  name = name.substr(0, name.rfind('.')).substr(0, longest_workload_name);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  ordered_json workload = {
      {"schema", "edagen.workload/1"}, {"name", name.empty() ? "jobs" : name}, {"phase", "custom"}};
  workload["blend"] = ordered_json::array();
  for (FioPart& part : parts)
    workload["blend"].push_back({{"workload", std::move(part.workload)}, {"procs", part.procs}});
  return workload;
}

}  // namespace

FioImport import_fio(const std::vector<FioSection>& sections, const std::string& where,
                     const std::string& how_to_choose) {
  check_run_together(sections, how_to_choose);
  FioImport import;
  std::vector<FioPart> parts;
  for (const FioSection& section : sections) parts.push_back(fio_part(section, import));
  take_directories(parts, sections, how_to_choose, import);
  divide_shared_files(parts, sections, import);
  choose_arrivals(parts, sections, import);
  import.workload = parts.size() == 1 ? std::move(parts.front().workload) : blend_of(std::move(parts), where);
  if (!import.warmup) import.warmup = "0s";  // edagen's own default differs
  return import;
}

std::vector<FioSection> chosen_jobs(std::vector<FioSection> sections, const std::vector<std::string>& names,
                                    const std::string& where) {
  if (names.empty()) return sections;
  for (const std::string& name : names)
    if (std::ranges::find(sections, name, &FioSection::name) == sections.end())
      throw usage_error(where, fmt::format("has no job '{}'", name));
  std::erase_if(sections,
                [&](const FioSection& section) { return std::ranges::find(names, section.name) == names.end(); });
  return sections;
}

FioImport import_fio(const std::string& text, const std::string& where, const std::string& job) {
  const std::vector<std::string> names = job.empty() ? std::vector<std::string>{} : std::vector{job};
  return import_fio(chosen_jobs(fio_file_sections(text, where, {}), names, where), where, "take one job");
}

}  // namespace edagen
