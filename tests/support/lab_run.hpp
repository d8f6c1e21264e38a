// The throwaway Linux of scripts/nfs-lab. Sanitizers' memory maps do not fit into it: plain builds only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace edagen::testing {

struct Lab {
  Outcome outcome;
  bool started() const { return outcome.err.find("nfs-lab did not start") == std::string::npos; }
};

inline Lab in_lab(const std::vector<std::string>& lab_words, const std::vector<std::string>& command,
                  std::map<std::string, std::string> environment = {}) {
  std::vector<std::string> words = {source_path("scripts/nfs-lab")};
  words.insert(words.end(), lab_words.begin(), lab_words.end());
  words.push_back("--");
  words.insert(words.end(), command.begin(), command.end());
  environment["EDAGEN_BINARY"] = edagen_path();
  return {Program(words, environment).wait()};
}

}  // namespace edagen::testing
