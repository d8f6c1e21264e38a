#include "nightly/hook.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/write_file.hpp"
#include "edagen/units.hpp"
#include "nightly/descendants.hpp"
#include "nights/night_json.hpp"
#include "report/judgement_text.hpp"

namespace edagen {
namespace {

/// The judgement in a file without a name, so that a command that does not read it blocks nobody. Throws
/// std::system_error.
Descriptor file_of(const std::string& text) {
  Descriptor file(::memfd_create("judgement", MFD_CLOEXEC));
  if (!file || !write_all(file.get(), text) || ::lseek(file.get(), 0, SEEK_SET) != 0)
    throw std::system_error(errno, std::generic_category());
  return file;
}

std::vector<std::string> environment_with(const NightJudgement& judgement) {
  std::vector<std::string> all;
  for (char** each = environ; *each != nullptr; ++each)
    if (std::string_view(*each).substr(0, 7) != "EDAGEN_") all.emplace_back(*each);
  all.push_back("EDAGEN_VERDICT=" + std::string(to_string(judgement.verdict)));
  all.push_back("EDAGEN_SUMMARY=" + judgement_line(judgement).substr(0, 8000));
  all.push_back("EDAGEN_MARKDOWN=" + judgement_markdown(judgement).substr(0, 60'000));
  return all;
}

/// The hook and all that it has started, also what has left its process group.
void end_all(const ChildProcess& child, const Descendants& started) {
  if (started.running().empty()) child.send(SIGTERM);  // there is no /proc
  started.send(SIGTERM);
  const TimePoint patience = now() + std::chrono::seconds(2);
  while (now() < patience && !started.running().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // Again while something is left: it may have started another process meanwhile.
  for (int tries = 0; tries < 100 && !started.running().empty(); ++tries) {
    child.send(SIGKILL);
    started.send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  child.send(SIGKILL);
}

/// The hook that runs, for a thread that ends the process.
std::mutex running_mutex;
const Descendants* running = nullptr;

void set_running(const Descendants* started) {
  const std::lock_guard lock(running_mutex);
  running = started;
}

}  // namespace

bool run_hook(const Hook& hook, const NightJudgement& judgement, const std::stop_token& stop) {
  const Descendants started;
  std::optional<ChildProcess> child;
  try {
    const Descriptor input = file_of(json_text(judgement));
    child.emplace(Program{.words = {"/bin/sh", "-c", hook.command},
                          .environment = environment_with(judgement),
                          .directory = hook.directory,
                          .input = input.get(),
                          .output = STDERR_FILENO,
                          .errors = STDERR_FILENO});
  } catch (const std::system_error& error) {
    spdlog::error("hook: {}", error.code().message());
    return false;
  }
  set_running(&started);
  const TimePoint until = now() + hook.most;
  // A night that was interrupted before has a hook all the same: it reports the interruption.
  const bool ended = child->ends(until, stop.stop_requested() ? std::stop_token() : stop);
  if (!ended) end_all(*child, started);
  set_running(nullptr);
  const int status = child->wait();
  if (!ended)
    spdlog::error("hook: ended, {}", now() < until ? "as this command was asked to end"
                                                   : "as it had not ended after " + format_duration(hook.most));
  else if (status != 0)
    spdlog::error("hook: {} {}", WIFEXITED(status) ? "exit status" : "signal",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  return ended && status == 0;
}

void kill_running_hook() {
  const std::lock_guard lock(running_mutex);
  if (running == nullptr) return;
  for (int tries = 0; tries < 20 && !running->running().empty(); ++tries) {
    running->send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace edagen
