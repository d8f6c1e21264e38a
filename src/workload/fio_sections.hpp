// The jobs of fio's job files and command lines, as words by section.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "workload/fio_value.hpp"

namespace edagen {

/// The host on which fio would run.
struct FioHost {
  /// The text of a file that a job file includes; throws Error (usage).
  std::function<std::string(const std::string& path)> read_file;
  std::function<bool(const std::string& path)> has_file;
  /// A variable of the environment; nullptr when there is no such variable.
  std::function<const char*(const std::string& name)> variable;
  std::uint64_t cpus = 1, memory_mb = 1024, page_bytes = 4096;
};

struct FioSection {
  std::string name, where;
  std::map<std::string, FioWord> words;  ///< by the option's own name; with those of [global] sections before it
  bool begins_group = false;  ///< the first job of another job file, which fio begins when the jobs before are done

  const FioWord* find(const std::string& option) const;
};

/// Words of fio's own command line; `jobs` are names of sections (fio's --section).
struct FioCommandLine {
  std::vector<FioSection> sections;
  std::vector<std::string> files, jobs;
  std::map<std::string, FioWord> global;  ///< words before the first job
  std::string client;                     ///< hosts that fio would be started on
  bool is_readonly = false;               ///< fio takes no job that writes
};

/// The jobs in the `text` of a job file. `where` names it in errors, and its sections begin with the words of `global`.
/// Throws Error (usage).
std::vector<FioSection> fio_file_sections(const std::string& text, const std::string& where, const FioHost& host,
                                          std::map<std::string, FioWord> global = {});
/// Parses "--name=a --rw=read" or "-rw read", perhaps after "fio". Words that are no options are job files.
FioCommandLine fio_command_line(const std::vector<std::string>& words, const FioHost& host);

}  // namespace edagen
