#include "base/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <thread>

extern "C" char** environ;

namespace edagen {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (const std::string& text : texts) all.push_back(const_cast<char*>(text.c_str()));
  all.push_back(nullptr);
  return all;
}

}  // namespace

ChildProcess::ChildProcess(const Program& program) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  const int descriptors[] = {program.input, program.output, program.errors};
  for (int to = STDIN_FILENO; to <= STDERR_FILENO; ++to) {
    if (descriptors[to] >= 0) posix_spawn_file_actions_adddup2(&files, descriptors[to], to);
    else posix_spawn_file_actions_addopen(&files, to, "/dev/null", O_RDWR, 0);
  }
  if (!program.directory.empty()) posix_spawn_file_actions_addchdir_np(&files, program.directory.c_str());
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  const int error =
      ::posix_spawn(&id_, program.words.front().c_str(), &files, &attributes, pointers_to(program.words).data(),
                    program.environment ? pointers_to(*program.environment).data() : environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category());
}

bool ChildProcess::ends(TimePoint until, const std::stop_token& stop) const {
  while (true) {
    siginfo_t end{};
    if (::waitid(P_PID, static_cast<id_t>(id_), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid == id_)
      return true;
    if (now() >= until || stop.stop_requested()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

int ChildProcess::wait() {
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) continue;
  return status;
}

}  // namespace edagen
