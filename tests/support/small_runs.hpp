// Short runs on a directory with a small dataset, as this user and as another.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {

inline std::vector<std::string> run_words(const std::string& mount, std::vector<std::string> more) {
  std::vector<std::string> words = together(
      {"--phase", "functional", "--procs", "2", "--warmup", "0s", "--progress", "always", "--mount", mount}, more);
  if (std::find(words.begin(), words.end(), "--dataset-scale") == words.end())
    words.insert(words.end(), {"--dataset-scale", "0.0001"});
  return words;
}

/// A pause of a busy machine took all of a short window: no op ended in it, and none has failed or hangs.
inline bool window_was_a_pause(const Outcome& outcome) {
  const auto is_invalid_for = [&](const std::string& reason) {
    return outcome.out.find("INVALID: " + reason) != std::string::npos;
  };
  return outcome.status == 1 && is_invalid_for("nothing_measured") && !is_invalid_for("errors") &&
         !is_invalid_for("stuck_ops") && !is_invalid_for("too_many_errors");
}

/// Measured; on a busy machine perhaps as one that the generator limits, or whose window was a pause.
inline bool ran(const Outcome& outcome) {
  return outcome.status == 0 || outcome.status == 5 || window_was_a_pause(outcome);
}

inline Outcome run_small_on(const std::string& mount, std::vector<std::string> more) {
  return edagen(run_words(mount, std::move(more)));
}

/// edagen as a user without rights, from a copy that everybody may run.
class OtherUser {
 public:
  explicit OtherUser(const std::string& program = edagen_path()) {
    std::filesystem::permissions(place_.path(), std::filesystem::perms(0755));
    std::filesystem::copy_file(program, place_ / "program");
    std::filesystem::create_directory(place_ / "home");
    if (::geteuid() == 0) ::chown((place_ / "home").c_str(), 65534, 65534);
  }
  std::vector<std::string> words(std::vector<std::string> more, std::vector<std::string> before = {}) const {
    std::vector<std::string> all = before;
    for (const char* const word : {"setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"})
      all.emplace_back(word);
    all.push_back(place_ / "program");
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  Outcome run(std::vector<std::string> more, std::vector<std::string> before = {}) const {
    return Program(words(std::move(more), std::move(before)), {{"HOME", place_ / "home"}, {"TMPDIR", place_ / "home"}})
        .wait();
  }

 private:
  TemporaryDirectory place_;
};

/// A directory like /tmp: everybody may write, nobody may touch what is another's.
class OpenDirectory : public TemporaryDirectory {
 public:
  OpenDirectory() { std::filesystem::permissions(path(), std::filesystem::perms(01777)); }
};

/// Words of a run that waits between its dataset and its load until there is such a file, for a minute at most: the
/// command of a run that a test has killed ends by itself.
inline std::vector<std::string> held_until(const std::string& file) {
  return {"--before-point", "for i in $(seq 1200); do [ ! -e " + file + " ] || break; sleep 0.05; done"};
}

}  // namespace edagen::testing
