// The program beside a real NFS server, in scripts/ganesha-lab.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

namespace edagen::testing {

/// The words that start the lab with a line for bash in it, in which `$E` is the program, `$T` the first URL, and
/// `small` are options of a run of a second on few files.
inline std::vector<std::string> ganesha_words(const std::vector<std::string>& lab_words, const std::string& line) {
  std::vector<std::string> words = {source_path("scripts/ganesha-lab")};
  words.insert(words.end(), lab_words.begin(), lab_words.end());
  const std::string prefix = "E=" + edagen_path() +
                             "; T=${GANESHA_TARGETS%% *}; small='--clients 2 --dataset-scale 0.01 --warmup 200ms "
                             "--duration 1s --progress never'; ";
  for (const std::string& word : {std::string("bash"), std::string("-c"), prefix + line}) words.push_back(word);
  return words;
}

inline Outcome in_ganesha_lab(const std::vector<std::string>& lab_words, const std::string& line) {
  return Program(ganesha_words(lab_words, line), {{"EDAGEN_BINARY", edagen_path()}}).wait();
}

/// Whether the server starts here; if not, why.
inline const Outcome& ganesha_lab() {
  static const Outcome outcome = in_ganesha_lab({}, "true");
  return outcome;
}

#define EDAGEN_NEEDS_GANESHA() \
  if (edagen::testing::ganesha_lab().status != 0) EDAGEN_SKIP(edagen::testing::ganesha_lab().err)

}  // namespace edagen::testing
