// A command of the user's that is run at a moment of a session: the hook of a night, what prepares a load point.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "edagen/clock.hpp"

namespace edagen {

struct UserCommand {
  std::string command;                        ///< for sh
  std::string directory = {};                 ///< in which it runs; empty: this process's
  std::vector<std::string> environment = {};  ///< NAME=VALUE, besides this process's without its EDAGEN_*
  int input = -1;                             ///< descriptor; -1: /dev/null
  Nanos most = std::chrono::seconds(60);
};

/// Runs the command, which may write to this process's stderr alone. It and all that it has started, also what has left
/// its process group, are ended after `most`, or when `stop` is requested while it runs: SIGTERM, 2 s later SIGKILL. A
/// command in a call that not even SIGKILL ends, as on a dead server, is left behind.
/// Returns what went wrong ("exit status 3"); empty: it has ended with exit status 0. One at a time.
std::string run_user_command(const UserCommand& command, const std::stop_token& stop);

/// Kills the command that runs, and what it has started, for a process that ends at once. From any thread.
void kill_user_command();

}  // namespace edagen
