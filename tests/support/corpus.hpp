// The files of fuzz/corpus.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "input.hpp"
#include "support/paths.hpp"

namespace edagen::testing {

/// In the order of their names.
inline std::vector<std::filesystem::path> corpus_files_of(const fuzz::Input& input) {
  const std::filesystem::directory_iterator folder(source_path("fuzz/corpus/" + std::string(input.name)));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : folder) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

inline std::string content_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace edagen::testing
