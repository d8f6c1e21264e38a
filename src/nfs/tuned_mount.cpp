#include "nfs/tuned_mount.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/error.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/io.hpp>
#include <boost/process/pipe.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>

#include "edagen/error.hpp"

namespace edagen {
namespace {

namespace process = boost::process;

/// Below /run: a tmpfs, private to root, and gone after a restart.
constexpr const char* place = "/run/edagen-compare-";

std::string sysctl_path(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return "/proc/sys/" + name;
}

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool write_line(const std::string& path, const std::string& line) {
  std::ofstream file(path);
  file << line << std::flush;
  return static_cast<bool>(file);
}

/// Runs mount(8), without a shell; what it says on stderr comes back when it fails. libmount could mount, too, but
/// would leave the words of mount.nfs on our stderr.
void run_mount(const std::string& source, const std::string& directory, const std::string& options) {
  const auto unblock_signals = [](auto&) {  // those that end a run are blocked in our threads, and would be in mount
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  };
  process::ipstream said;
  std::error_code error;
  process::child mount("/bin/mount", "-t", "nfs", "-o", options, "--", source, directory, process::std_err > said,
                       process::extend::on_exec_setup = unblock_signals, error);
  if (error) throw run_error("mount", error.message());
  std::string first_line;
  std::getline(said, first_line);
  said.ignore(std::numeric_limits<std::streamsize>::max());
  mount.wait(error);
  if (error) throw run_error("mount", error.message());
  if (mount.exit_code() != 0)
    throw run_error("mount " + source, first_line.empty() ? "failed" : first_line, "with -o " + options);
}

}  // namespace

TunedMount::TunedMount(const std::string& source, const Tuning& tuning, StuckWatch& watch)
    : tuning_(tuning), watch_(watch) {
  StuckWatch::Thread self(watch_);
  self.begins("mounting", source);
  std::string pattern = std::string(place) + "XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr)
    throw run_error(pattern, std::strerror(errno), "comparing tunings needs root");
  directory_ = pattern;
  try {
    set_sysctls();
    run_mount(source, directory_, tuning.options.empty() ? "nosharecache" : tuning.options + ",nosharecache");
    mounted_ = true;
    set_read_ahead();
    // What other tunings have left in the client's caches is not to help or harm this one.
    self.begins("flushing what was written before mounting", source);
    ::sync();
    write_line("/proc/sys/vm/drop_caches", "3");
    for (const NfsMountStats& mount : read_mountstats()) {
      if (mount.mount_point != directory_) continue;
      const std::vector<std::string> missing = not_in_force(tuning, mount);
      if (!missing.empty()) throw run_error("tuning " + tuning.name, "did not take effect: " + missing.front());
      return;
    }
    throw run_error("tuning " + tuning.name, "the mount does not appear in /proc/self/mountstats");
  } catch (...) {
    self.rests();
    undo();
    throw;
  }
}

TunedMount::~TunedMount() { undo(); }

void TunedMount::set_sysctls() {
  for (const auto& [name, value] : tuning_.sysctls) {
    const std::string path = sysctl_path(name), before = line_of(path);
    if (before.empty()) {
      spdlog::info("tuning {}: this kernel has no {}", tuning_.name, name);
      continue;
    }
    if (!write_line(path, value)) throw run_error("tuning " + tuning_.name, fmt::format("cannot set {}", name));
    before_[name] = before;
  }
}

void TunedMount::set_read_ahead() {
  if (!tuning_.read_ahead_kib) return;
  struct stat info {};
  if (::stat(directory_.c_str(), &info) != 0) throw run_error(directory_, std::strerror(errno));
  const std::string path = fmt::format("/sys/class/bdi/{}:{}/read_ahead_kb", major(info.st_dev), minor(info.st_dev));
  if (!write_line(path, std::to_string(*tuning_.read_ahead_kib)))
    throw run_error("tuning " + tuning_.name, "cannot set read-ahead (" + path + ")");
}

void TunedMount::undo() {
  StuckWatch::Thread self(watch_);
  if (mounted_) self.begins("unmounting", directory_);
  for (int attempt = 0; mounted_ && attempt < 20; ++attempt) {
    mounted_ = ::umount2(directory_.c_str(), UMOUNT_NOFOLLOW) != 0;
    if (mounted_) ::usleep(100'000);  // what has just been closed may still be busy
  }
  if (mounted_) spdlog::error("{} could not be unmounted: {}", directory_, std::strerror(errno));
  else ::rmdir(directory_.c_str());
  for (const auto& [name, value] : before_)
    if (!write_line(sysctl_path(name), value)) spdlog::error("{} could not be set back to {}", name, value);
}

std::vector<std::string> left_over_mounts() {
  std::vector<std::string> left;
  for (const NfsMountStats& mount : read_mountstats())
    if (mount.mount_point.starts_with(place)) left.push_back(mount.mount_point);
  return left;
}

}  // namespace edagen
