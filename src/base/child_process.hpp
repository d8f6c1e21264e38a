// Other programs, run as child processes.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

struct Program {
  std::vector<std::string> words;                                      ///< its path, and its arguments
  std::optional<std::vector<std::string>> environment = std::nullopt;  ///< NAME=VALUE; nullopt: that of this process
  std::string directory = {};                ///< in which it runs; empty: that of this process
  int input = -1, output = -1, errors = -1;  ///< descriptors; -1: /dev/null
};

/// A program in a process group of its own, with no signal blocked or ignored.
class ChildProcess {
 public:
  /// Throws std::system_error.
  explicit ChildProcess(const Program& program);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t id() const { return id_; }
  /// Waits until the process ends, `until` comes or `stop` is requested. Whether the process has ended: its number
  /// stays reserved until wait().
  bool ends(TimePoint until, const std::stop_token& stop) const;
  /// Sends a signal to the process group.
  void send(int signal) const { ::kill(-id_, signal); }
  /// Waits for the end and returns the status of waitpid(2).
  int wait();

 private:
  pid_t id_ = -1;
};

}  // namespace edagen
