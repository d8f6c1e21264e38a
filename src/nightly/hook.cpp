#include "nightly/hook.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "base/descriptor.hpp"
#include "base/temporary_file.hpp"
#include "edagen/units.hpp"
#include "nightly/descendants.hpp"
#include "nights/night_json.hpp"
#include "report/judgement_text.hpp"

extern "C" char** environ;

namespace edagen {
namespace {

/// The judgement in a file without a name, so that a command that does not read it blocks nobody.
Descriptor file_of(const std::string& text) {
  Descriptor file(::memfd_create("judgement", MFD_CLOEXEC));
  if (!file || ::write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()) ||
      ::lseek(file.get(), 0, SEEK_SET) != 0)
    return Descriptor();
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

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

/// In a process group of its own, with no signal blocked; 0 or an errno.
int start(const Hook& hook, std::vector<std::string> environment, int input, pid_t& child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  if (!hook.directory.empty()) posix_spawn_file_actions_addchdir_np(&files, hook.directory.c_str());
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words = {"/bin/sh", "-c", hook.command};
  const int error =
      ::posix_spawn(&child, "/bin/sh", &files, &attributes, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

/// Whether the process ends by `until` and before `stop` is requested. It stays for waitpid(2), so that its number is
/// no other's.
bool ends(pid_t child, TimePoint until, const std::stop_token& stop) {
  const bool was_stopped = stop.stop_requested();  // the night was; the hook is to tell of it
  while (now() < until && (was_stopped || !stop.stop_requested())) {
    siginfo_t end{};
    if (::waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == child)
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

/// The hook and all that it has started, also what has left its process group.
void end_all(pid_t child, const Descendants& started) {
  if (started.running().empty()) ::kill(-child, SIGTERM);  // there is no /proc
  started.send(SIGTERM);
  const TimePoint patience = now() + std::chrono::seconds(2);
  while (now() < patience && !started.running().empty()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // Again while something is left: it may have started another process meanwhile.
  for (int tries = 0; tries < 100 && !started.running().empty(); ++tries) {
    ::kill(-child, SIGKILL);
    started.send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  ::kill(-child, SIGKILL);
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
  const Descriptor input = file_of(json_text(judgement));
  pid_t child = -1;
  const Descendants started;
  const int error = input ? start(hook, environment_with(judgement), input.get(), child) : errno;
  if (error != 0) {
    spdlog::error("hook: {}", std::strerror(error));
    return false;
  }
  set_running(&started);
  const TimePoint until = now() + hook.most;
  const bool ended = ends(child, until, stop);
  if (!ended) end_all(child, started);
  set_running(nullptr);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
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
