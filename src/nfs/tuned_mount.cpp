#include "nfs/tuned_mount.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/child_process.hpp"
#include "base/descriptor.hpp"
#include "base/temporary_file.hpp"
#include "edagen/units.hpp"
#include "nfs/mount_info.hpp"
#include "nfs/mount_options.hpp"

namespace edagen {
namespace {

bool write_line(const std::string& path, const std::string& line) {
  std::ofstream file(path);
  file << line << std::flush;
  return static_cast<bool>(file);
}

struct ProgramEnd {
  bool late = false;      ///< the program was killed
  int status = 0;         ///< of waitpid(2); -1: not even a kill ended it
  std::string message{};  ///< its stderr, as one line: the second line of mount.nfs often has the remedy
};

/// Runs a program without a shell, with `input` as its stdin, and kills it, and what it has started, when it takes
/// longer than `limit` or than until `stop`. libmount could mount, too, but would leave the words of mount.nfs on our
/// stderr.
ProgramEnd run_program(const std::vector<std::string>& words, Nanos limit, const std::stop_token& stop,
                       int input = -1) try {
  // No pipe: a daemon that it starts (rpc.statd) would keep its other end.
  const Descriptor errors(::memfd_create("stderr", MFD_CLOEXEC));
  if (!errors) throw std::system_error(errno, std::generic_category());
  ChildProcess child({.words = words, .input = input, .errors = errors.get()});
  ProgramEnd end;
  end.late = !child.ends(now() + limit, stop);
  if (end.late) child.send(SIGKILL);
  const bool ended = !end.late || child.ends(now() + std::chrono::seconds(5), {});
  end.status = ended ? child.wait() : -1;  // else it is in a call that even a kill does not end
  char line[500];
  end.message.assign(line, static_cast<std::size_t>(std::max<ssize_t>(::pread(errors.get(), line, sizeof line, 0), 0)));
  while (end.message.ends_with('\n')) end.message.pop_back();
  for (std::size_t at = 0; (at = end.message.find('\n', at)) != std::string::npos;) end.message.replace(at, 1, "; ");
  return end;
} catch (const std::system_error& error) {
  throw run_error(words.front(), error.code().message());
}

bool is_mounted(const std::string& directory) {
  return std::ranges::any_of(read_mountinfo(), [&](const MountInfo& mount) { return mount.mount_point == directory; });
}

}  // namespace

TuningRefused TunedMount::refusal(const std::string& what) const { return {tuning_.name, what}; }

TunedMount::TunedMount(const std::string& source, const Tuning& tuning, StuckWatch& watch, Nanos limit,
                       const std::stop_token& stop, HostChanges& host)
    : tuning_(tuning), watch_(watch), host_(host) {
  StuckWatch::Thread self(watch_);
  self.call_started("mounting", source);
  directory_ = host_.make_mount_point();
  try {
    load_client(limit, stop);
    set_sysctls();
    // A mount in the background would begin, perhaps after the run, on a directory that is gone: the last of bg and fg
    // counts.
    const std::string own = has_option(tuning.options, "bg") ? "fg,nosharecache" : "nosharecache";
    const std::string options = tuning.options.empty() ? own : tuning.options + "," + own;
    const ProgramEnd mount =
        run_program({"/bin/mount", "-t", "nfs", "-o", options, "--", source, directory_}, limit, stop);
    if (mount.late) throw refusal(fmt::format("mount {} took longer than {}", source, format_duration(limit)));
    if (mount.status != 0 && mount.message.find("Failed to resolve server") != std::string::npos)
      throw run_error("export " + source, mount.message, "its name as in DNS or /etc/hosts, or its address");
    if (mount.status != 0)
      throw refusal(fmt::format("mount {}: {}{} (with -o {})", source, mount.message.empty() ? "failed" : mount.message,
                                mount.message.ends_with("Protocol not supported")
                                    ? ": the server or this kernel does not have this version of NFS"
                                    : "",
                                options));
    set_read_ahead();
    check_in_force();
    check_locks(limit, stop);
  } catch (...) {
    self.pause();
    undo();
    throw;
  }
}

void TunedMount::check_in_force() const {
  for (const NfsMountStats& mount : read_mountstats()) {
    if (mount.mount_point != directory_) continue;
    const std::vector<std::string> missing = not_in_force(tuning_, mount);
    if (!missing.empty()) throw refusal("did not take effect: " + missing.front());
    return;
  }
  throw refusal("the mount does not appear in /proc/self/mountstats");
}

/// NFSv3 has locks from another service, which may not answer. A call that waits for it can only be killed: another
/// process makes it.
void TunedMount::check_locks(Nanos limit, const std::stop_token& stop) const {
  constexpr const char* flock = "/usr/bin/flock";  // of util-linux, as mount(8)
  const MountInfo mount = mount_info_of(directory_);
  if (::access(flock, X_OK) != 0 || !option_value(mount.options, "vers").value_or("").starts_with("3") ||
      mount.local_locks())
    return;
  // A file of its own and without a name: others may write in the export, and have a link in the place of any name.
  const Descriptor root(::open(directory_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Descriptor file = root ? temporary_file(root.get()) : Descriptor();
  if (!file) return;  // the run will report why
  const ProgramEnd lock =
      run_program({"/bin/sh", "-c", "\"$0\" --nonblock 0 && \"$0\" --unlock 0", flock}, limit, stop, file.get());
  if (lock.late)
    throw refusal(fmt::format("a lock took longer than {}; nolock keeps locks on this host", format_duration(limit)));
  if (lock.status != 0) throw refusal("locks do not work: " + (lock.message.empty() ? "failed" : lock.message));
}

void TunedMount::drop_caches() const {
  StuckWatch::Thread self(watch_);
  self.call_started("flushing what was written through", directory_);
  ::sync();
  if (!write_line("/proc/sys/vm/drop_caches", "3"))
    throw refusal("the caches of this host cannot be dropped, so that tunings would not start alike");
}

TunedMount::~TunedMount() { undo(); }

/// mount(8) would have the kernel load its NFS client, but only when the sysctls are set, some of which are the
/// client's.
void TunedMount::load_client(Nanos limit, const std::stop_token& stop) const {
  constexpr const char* modprobe = "/sbin/modprobe";
  const auto is_there = [&](const auto& sysctl) { return host_.value(sysctl.first).has_value(); };
  if (std::ranges::all_of(tuning_.sysctls, is_there) || ::access(modprobe, X_OK) != 0) return;
  run_program({modprobe, "--quiet", "nfs"}, limit, stop);
}

void TunedMount::set_sysctls() {
  for (const auto& [name, value] : tuning_.sysctls) {
    const std::optional<std::string> before = host_.value(name);
    if (!before) throw refusal(fmt::format("this kernel has no {}", name));
    if (const std::string lost = host_.lost_with(name); !lost.empty())
      throw refusal(fmt::format("cannot set {}: the kernel would set {} to 0, which is {} on this host", name, lost,
                                host_.value(lost).value_or("")));
    const bool is_set = host_.set(name, value);
    // The kernel sets the numbers before the first one that it refuses.
    if (is_set || host_.value(name) != before) before_[name] = *before;
    if (!is_set) throw refusal(fmt::format("cannot set {}", name));
  }
}

void TunedMount::set_read_ahead() {
  if (!tuning_.read_ahead_kib) return;
  struct stat info {};
  if (::stat(directory_.c_str(), &info) != 0) throw run_error(directory_, std::strerror(errno));
  const std::string path = fmt::format("/sys/class/bdi/{}:{}/read_ahead_kb", major(info.st_dev), minor(info.st_dev));
  if (!write_line(path, std::to_string(*tuning_.read_ahead_kib))) throw refusal("cannot set read-ahead (" + path + ")");
}

void TunedMount::undo() {
  StuckWatch::Thread self(watch_);
  if (is_mounted(directory_)) self.call_started("unmounting", directory_);
  for (int attempt = 0; is_mounted(directory_) && attempt < 20; ++attempt)
    if (::umount2(directory_.c_str(), UMOUNT_NOFOLLOW) != 0)
      ::usleep(100'000);  // what has just been closed may be busy
  if (is_mounted(directory_)) {
    if (::umount2(directory_.c_str(), UMOUNT_NOFOLLOW | MNT_DETACH) == 0)
      spdlog::warn("{} was busy: it is unmounted when the last call on it returns", directory_);
    else spdlog::error("{} could not be unmounted: {}", directory_, std::strerror(errno));
  }
  ::rmdir(directory_.c_str());
  set_sysctls_back();
}

void TunedMount::leave() {
  set_sysctls_back();
  // The kernel keeps this process, and the locks of its files, until the server takes what was written, or until the
  // RPCs end with errors. The next comparison, which ends them, must not wait for that.
  host_.release();
  spdlog::warn("{} stays mounted: umount -f -l, or the next comparison of tunings, unmounts it", directory_);
}

void TunedMount::set_sysctls_back() {
  for (const auto& [name, value] : before_)
    if (!host_.set_back(name, value)) spdlog::error("{} could not be set back to {}", name, value);
  before_.clear();
}

}  // namespace edagen
