#include "nightly/hook.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/descriptor.hpp"
#include "base/temporary_file.hpp"
#include "edagen/units.hpp"
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

/// In a process group of its own, with the signals that this process blocks; 0 or an errno.
int start(const std::string& command, std::vector<std::string> environment, int input, pid_t& child) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words = {"/bin/sh", "-c", command};
  const int error =
      ::posix_spawn(&child, "/bin/sh", &files, &attributes, pointers(words).data(), pointers(environment).data());
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error;
}

}  // namespace

bool run_hook(const std::string& command, const NightJudgement& judgement, Nanos most) {
  const Descriptor input = file_of(dumped(to_json(judgement), 2) + "\n");
  pid_t child = -1;
  const int error = input ? start(command, environment_with(judgement), input.get(), child) : errno;
  if (error != 0) {
    spdlog::error("hook: {}", std::strerror(error));
    return false;
  }
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  pollfd end{process.get(), POLLIN, 0};
  const bool ended = !process || ::poll(&end, 1, static_cast<int>(most / std::chrono::milliseconds(1))) > 0;
  if (!ended) ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!ended) spdlog::error("hook: killed, as it had not ended after {}", format_duration(most));
  else if (status != 0)
    spdlog::error("hook: {} {}", WIFEXITED(status) ? "exit status" : "signal",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
  return ended && status == 0;
}

}  // namespace edagen
