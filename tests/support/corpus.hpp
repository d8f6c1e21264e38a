// The files of fuzz/corpus.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "input.hpp"
#include "support/paths.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {

/// In the order of their names.
inline std::vector<std::filesystem::path> corpus_files_of(const fuzz::Input& input) {
  const std::filesystem::directory_iterator folder(source_path("fuzz/corpus/" + std::string(input.name)));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : folder) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace edagen::testing
