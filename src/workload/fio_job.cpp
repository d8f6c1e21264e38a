#include "workload/fio_job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "edagen/error.hpp"
#include "workload/fio_part.hpp"
#include "workload/fio_refusals.hpp"

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

/// Takes the directories, which must be those of all jobs, because each client runs all jobs on its mount.
void take_directories(const std::vector<FioPart>& parts, const std::vector<FioSection>& jobs,
                      const std::string& how_to_choose, FioImport& import) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::vector<std::string>& directories = parts[i].directories;
    if (directories.empty()) continue;
    if (import.directories.empty()) import.directories = directories;
    if (import.directories == directories) continue;
    const FioWord* const word = jobs[i].find(jobs[i].find("directory") != nullptr ? "directory" : "filename");
    word->refuse(fmt::format("'{}' is another place than '{}' of an earlier job; a client of edagen runs all jobs on "
                             "one mount",
                             fmt::join(directories, ":"), fmt::join(import.directories, ":")),
                 how_to_choose);
  }
  if (import.directories.empty()) return;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i].directories.empty())
      import.notes.push_back(
          {jobs[i].name, "directory",
           fmt::format("the job names none, and runs in '{}' with the others", fmt::join(import.directories, ":"))});
}

/// Each directory has a client with its share of the procs of each job, as fio deals out directories to procs.
void make_clients(std::vector<FioPart>& parts, const std::vector<FioSection>& jobs, FioImport& import) {
  const auto clients = static_cast<std::int64_t>(import.directories.size());
  if (clients < 2) return;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].procs % clients != 0)
      throw usage_error(jobs[i].where + " numjobs",
                        fmt::format("{} procs do not divide among {} directories, and each client of edagen has as "
                                    "many procs",
                                    parts[i].procs, clients),
                        fmt::format("a multiple of {}", clients));
    parts[i].procs /= clients;
    parts[i].workload["procs_per_job_set"] = parts[i].procs;
  }
  import.clients = clients;
}

/// In fio, jobs that name a file in common share it.
void note_common_files(const std::vector<FioPart>& parts, const std::vector<FioSection>& jobs, FioImport& import) {
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (std::size_t other = 0; other < i; ++other) {
      const FioSharedFiles &files = parts[i].shared, &earlier = parts[other].shared;
      const bool are_shared_here = !files.name.empty() && files.name == earlier.name;
      const std::set<std::string> of_earlier(earlier.paths.begin(), earlier.paths.end());
      const auto common =
          std::ranges::find_if(files.paths, [&](const std::string& path) { return of_earlier.contains(path); });
      if (common == files.paths.end() || are_shared_here) continue;
      import.notes.push_back({jobs[i].name, "filename",
                              fmt::format("in fio '{}' is a file of '{}', too; here each job has files of its own",
                                          *common, jobs[other].name)});
    }
}

/// Jobs with files of one name share them here, too. Files of several jobs are one set if all jobs see the same files.
void share_files(std::vector<FioPart>& parts, const std::vector<FioSection>& jobs, FioImport& import) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string& name = parts[i].shared.name;
    if (name.empty()) continue;
    std::int64_t procs = 0;
    std::size_t first = i, sharing = 0;
    for (std::size_t other = parts.size(); other-- > 0;) {
      if (parts[other].shared.name != name) continue;
      procs += parts[other].procs;
      first = other;
      ++sharing;
    }
    if (procs < 2 || (parts[i].shared.by_proc && sharing == 1)) continue;
    if (parts[i].shared.by_proc && procs > static_cast<std::int64_t>(sharing)) {
      if (i != first)
        import.notes.push_back({jobs[i].name, "filename_format",
                                fmt::format("in fio each proc shares its files with the proc of its number in '{}'; "
                                            "here each has its own",
                                            jobs[first].name)});
      continue;
    }
    std::string set = fio_safe_name(jobs[first].name);
    if (std::ranges::count(jobs, set, [](const FioSection& job) { return fio_safe_name(job.name); }) > 1)
      set += fmt::format(".{}", first + 1);
    parts[i].workload["shared_files"] = "all";
    const bool same_part = parts[i].workload["dataset"] == parts[first].workload["dataset"] &&
                           parts[i].shared.offset == parts[first].shared.offset;
    if (sharing > 1 && !same_part) {
      import.notes.push_back({jobs[i].name, "filename",
                              fmt::format("'{}' uses another part of the file: each of the two jobs has files of its "
                                          "own, which its procs share",
                                          jobs[first].name)});
    } else if (sharing > 1) {
      parts[i].workload["shared_set"] = set;
    }
    if (parts[i].shared.sequential && parts[i].workload["dataset"]["data_files"] != 1)
      import.notes.push_back(
          {jobs[i].name, "filename", "each proc begins at a random one of the shared files; fio's begin at the first"});
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
  FioRefusalList refused;
  for (const FioSection& section : sections) refused.attempt([&] { parts.push_back(fio_part(section, import)); });
  refused.throw_any();
  const auto keeps_caches = [](const FioSection& section) {
    const FioWord* const word = section.find("invalidate");
    return word != nullptr && !fio_bool(*word);
  };
  for (const FioSection& section : sections)
    if (import.drop_caches && keeps_caches(section))
      import.notes.push_back(
          {section.name, "invalidate", "'0': caches are dropped before the load, for the other jobs"});
  take_directories(parts, sections, how_to_choose, import);
  share_files(parts, sections, import);
  note_common_files(parts, sections, import);
  make_clients(parts, sections, import);
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
