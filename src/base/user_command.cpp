#include "base/user_command.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mutex>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/child_process.hpp"
#include "base/descendants.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

/// A process that no call on a dead server holds ends at once.
constexpr Nanos kill_takes_effect_within = std::chrono::seconds(1);

std::vector<std::string> environment_with(const std::vector<std::string>& own) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each)
    if (std::string_view(*each).substr(0, 7) != "EDAGEN_") all.emplace_back(*each);
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

/// The command and all that it has started, also what has left its process group.
void end_all(const ChildProcess& child, const Descendants& started) {
  if (started.running().empty()) child.send(SIGTERM);  // there is no /proc
  started.send(SIGTERM);
  const TimePoint killed_at = now() + std::chrono::seconds(2);
  while (now() < killed_at && !started.running().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // Again while something is left: it may have started another process meanwhile.
  for (int tries = 0; tries < 100 && !started.running().empty(); ++tries) {
    child.send(SIGKILL);
    started.send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  child.send(SIGKILL);
}

/// What the command that runs has started, for a thread that ends the process.
std::mutex running_mutex;
const Descendants* running = nullptr;

void set_running(const Descendants* started) {
  const std::lock_guard lock(running_mutex);
  running = started;
}

}  // namespace

std::string run_user_command(const UserCommand& command, const std::stop_token& stop) {
  const Descendants started;
  std::optional<ChildProcess> child;
  try {
    child.emplace(Program{.words = {"/bin/sh", "-c", command.command},
                          .environment = environment_with(command.environment),
                          .directory = command.directory,
                          .input = command.input,
                          .output = STDERR_FILENO,
                          .errors = STDERR_FILENO});
  } catch (const std::system_error& error) {
    return error.code().message();
  }
  set_running(&started);
  const TimePoint until = now() + command.most;
  const bool ended = child->ends(until, stop);
  if (!ended) end_all(*child, started);
  set_running(nullptr);
  if (!ended && !child->ends(now() + kill_takes_effect_within, {}))
    return fmt::format("process {} is in a call that not even SIGKILL ends: it is left behind", child->id());
  const int status = child->wait();
  if (!ended && now() < until) return "ended, as edagen was asked to end";
  if (!ended) return "ended, as it had not ended after " + format_duration(command.most);
  if (status == 0) return "";
  return WIFEXITED(status) ? fmt::format("exit status {}", WEXITSTATUS(status))
                           : fmt::format("signal {}", WTERMSIG(status));
}

void kill_user_command() {
  const std::lock_guard lock(running_mutex);
  if (running == nullptr) return;
  for (int tries = 0; tries < 20 && !running->running().empty(); ++tries) {
    running->send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace edagen
