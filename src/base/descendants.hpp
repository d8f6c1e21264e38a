// The processes that a child has started, also those that have left its process group or session.
#pragma once

#include <sys/types.h>

#include <set>

namespace edagen {

/// While this is there, orphans among the descendants of this process become its children, and not those of init, so
/// that they can be found. At most one at a time.
class Descendants {
 public:
  /// Children that are there already are not of interest.
  Descendants();
  ~Descendants();
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

  /// Those that have not ended. From any thread.
  std::set<pid_t> running() const;
  /// Sends a signal to all of them.
  void send(int signal) const;

 private:
  std::set<pid_t> before_;
};

}  // namespace edagen
