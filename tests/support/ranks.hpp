// The processes of a run that a launcher of MPI has started.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <thread>

#include "support/paths.hpp"

namespace edagen::testing {

/// Of the edagen processes that work below `directory`, by rank.
inline std::map<int, pid_t> ranks_of(const std::string& directory) {
  std::map<int, pid_t> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (!std::ranges::all_of(name, [](unsigned char c) { return std::isdigit(c) != 0; })) continue;
    std::ifstream command(entry.path() / "cmdline"), environment(entry.path() / "environ");
    std::string words;  // none of a process that ends meanwhile, which iterators over the stream would throw
    std::getline(command, words, '\1');
    if (!words.starts_with(edagen_path()) || words.find(directory) == std::string::npos) continue;
    for (std::string line; std::getline(environment, line, '\0');)
      for (const std::string variable : {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="})
        if (line.starts_with(variable)) found[std::stoi(line.substr(variable.size()))] = std::stoi(name);
  }
  return found;
}

/// A launcher may return a moment before the last of its processes has gone.
inline bool all_ranks_end(const std::string& directory) {
  for (int i = 0; i < 100 && !ranks_of(directory).empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return ranks_of(directory).empty();
}

/// Waits until the journal of a run has two intervals of its measurement; false after a minute.
inline bool measures(const std::string& journal) {
  for (int i = 0; i < 600; ++i) {
    std::ifstream lines(journal);
    int measured = 0;
    for (std::string line; std::getline(lines, line);)
      measured += line.find("\"measure\"") != std::string::npos ? 1 : 0;
    if (measured >= 2) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

}  // namespace edagen::testing
