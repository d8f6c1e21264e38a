// The program beside the kernel's NFS server and client, in scripts/nfs-lab. Sanitizers' memory maps do not fit into
// that Linux: plain builds only.
#pragma once

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"

namespace edagen::testing {

/// A line for bash in the lab, in which `$E` is the program, and `$T` the server's export as a URL.
inline Outcome in_nfs_lab(const std::vector<std::string>& lab_words, const std::string& line) {
  std::vector<std::string> words = {source_path("scripts/nfs-lab")};
  words.insert(words.end(), lab_words.begin(), lab_words.end());
  const std::string prefix = "E=" + edagen_path() + "; T=nfs://127.0.1.1/export; ";
  for (const std::string& word : {std::string("--"), std::string("bash"), std::string("-c"), prefix + line})
    words.push_back(word);
  return Program(words, {{"EDAGEN_BINARY", edagen_path()}}).wait();
}

#define EDAGEN_NEEDS_NFS_LAB(outcome)                                 \
  if (outcome.err.find("nfs-lab did not start") != std::string::npos) \
  EDAGEN_SKIP("the NFS lab does not start: " << outcome.err)

}  // namespace edagen::testing
