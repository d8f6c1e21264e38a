#include "dataset/dataset_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "base/own_file.hpp"
#include "base/rfc3339.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t most_lock_bytes = 4096;
constexpr int looks = 10;  ///< of 100 ms: a new holder may not have written its name yet, or only checks

/// A process, identified among all processes since its host was started.
struct Holder {
  std::string host, boot, since;
  std::string spaces;  ///< name spaces of `pid` and `started`; empty: written by an earlier version
  long pid = 0;
  std::uint64_t started = 0;  ///< clock ticks after the start of its host

  bool operator==(const Holder& other) const {
    return boot == other.boot && spaces == other.spaces && pid == other.pid && started == other.started;
  }
};

std::string line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The start of a process; 0 when there is no such process, or it has ended and its parent has not waited for it.
std::uint64_t start_of(long pid) {
  const std::string line = line_of(fmt::format("/proc/{}/stat", pid));
  const std::size_t name_end = line.rfind(')');  // the name may hold any character
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(line.substr(name_end + 1));
  std::string state, skipped;
  fields >> state;
  if (state == "Z" || state == "X") return 0;
  for (int field = 4; field < 22; ++field) fields >> skipped;
  std::uint64_t start = 0;
  fields >> start;
  return start;
}

/// The name spaces of processes and of time, of which containers have their own.
std::string name_spaces() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/ns/pid", ignored).string() + " " +
         std::filesystem::read_symlink("/proc/self/ns/time", ignored).string();
}

Holder this_process() {
  char host[HOST_NAME_MAX + 1] = {};
  ::gethostname(host, sizeof host - 1);
  return {
      host, line_of("/proc/sys/kernel/random/boot_id"), rfc3339_now(), name_spaces(), ::getpid(), start_of(::getpid())};
}

std::optional<Holder> holder_in(int file, const std::string& path) {
  const auto text = read_own_file(file, most_lock_bytes, path);
  const auto flat = [](int depth, nlohmann::json::parse_event_t, const nlohmann::json&) { return depth < 2; };
  const auto json = text ? nlohmann::json::parse(*text, flat, false) : nlohmann::json();
  if (!json.is_object()) return std::nullopt;
  for (const char* const key : {"host", "boot", "since"})
    if (!json.contains(key) || !json[key].is_string()) return std::nullopt;
  for (const char* const key : {"pid", "started"})
    if (!json.contains(key) || !json[key].is_number_unsigned()) return std::nullopt;
  const bool has_spaces = json.contains("namespaces") && json["namespaces"].is_string();
  return Holder{json["host"], json["boot"],   json["since"], has_spaces ? json["namespaces"] : nlohmann::json(""),
                json["pid"],  json["started"]};
}

[[noreturn]] void refuse(const std::optional<Holder>& holder, const std::string& path, const std::string& more = "") {
  throw usage_error(
      path,
      holder ? fmt::format("is in use by edagen, process {} on {}, since {}", holder->pid, holder->host, holder->since)
             : std::string("is in use by another edagen"),
      more);
}

enum class Lock { taken, busy, impossible };

Lock try_lock(int file, int kind) {
  if (::flock(file, kind | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK || errno == EINTR ? Lock::busy : Lock::impossible;
}

/// Whether the holder has certainly ended. Processes in another container or on another host are invisible and count as
/// running; those of this host before a restart have ended.
bool has_ended(const Holder& holder) {
  const Holder me = this_process();
  if (holder.boot != me.boot) return holder.host == me.host;
  const bool is_visible = holder.spaces.empty() || holder.spaces == me.spaces;
  return is_visible && me.started != 0 && holder.started != 0 && start_of(holder.pid) != holder.started;
}

/// Checks the name in the file, which counts on mounts where two hosts may hold the lock.
void check_name(const std::optional<Holder>& holder, const std::string& path) {
  if (holder && !has_ended(*holder))
    refuse(holder, path,
           fmt::format("locks are not seen by all users of this mount: if that run has ended, remove {}/{}", path,
                       lock_name));
}

/// Returns 0 or an errno; after an error there is no name.
int write_name(int file, const Holder& holder) {
  const nlohmann::json json = {{"host", holder.host}, {"boot", holder.boot},       {"namespaces", holder.spaces},
                               {"pid", holder.pid},   {"started", holder.started}, {"since", holder.since}};
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (::ftruncate(file, 0) != 0 || ::lseek(file, 0, SEEK_SET) < 0) return errno;
  if (write_all(file, text) && ::fsync(file) == 0) return 0;
  const int error = errno;
  static_cast<void>(::ftruncate(file, 0) == 0);
  return error;
}

bool is_named(int file, int directory) {
  struct stat own {
  }, there{};
  return ::fstat(file, &own) == 0 && ::fstatat(directory, lock_name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
         own.st_ino == there.st_ino && own.st_dev == there.st_dev;
}

}  // namespace

void DatasetLock::check(int directory, const std::string& path, bool local) {
  for (int left = looks;; --left) {
    const Descriptor file = open_own_file(directory, lock_name, O_RDWR, path);
    if (!file) return;
    const auto holder = holder_in(file.get(), path);
    if (holder && *holder == this_process()) return;
    const Lock lock = try_lock(file.get(), LOCK_SH);  // several processes may check at once
    if (lock == Lock::impossible || (lock == Lock::taken && local)) check_name(holder_in(file.get(), path), path);
    if (lock != Lock::busy) return;
    if (holder || left == 0) refuse(holder, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

DatasetLock DatasetLock::take(int directory, const std::string& path, bool local, bool may_be_nameless) {
  const Holder me = this_process();
  for (int left = looks;; --left) {
    Descriptor file = open_own_file(directory, lock_name, O_RDWR | O_CREAT, path);
    if (!file) throw usage_error(path, "has just been removed by another process");
    ::fchmod(file.get(), 0600);  // a file of an earlier version: every reader of it may lock it
    const auto holder = holder_in(file.get(), path);
    if (holder && *holder == me) return DatasetLock(Descriptor(), true);
    const Lock lock = try_lock(file.get(), LOCK_EX);
    if (lock != Lock::busy && is_named(file.get(), directory)) {
      if (local || lock == Lock::impossible) check_name(holder_in(file.get(), path), path);
      const int error = write_name(file.get(), me);
      const bool counts = local || lock == Lock::impossible;  // the name, not the lock
      if (error != 0 && (counts || !may_be_nameless))
        throw run_error(path + "/" + lock_name, std::string("cannot be written: ") + std::strerror(error));
      return DatasetLock(std::move(file), false);
    }
    // Otherwise `edagen clean` has just removed the locked file.
    if (left == 0 || (lock == Lock::busy && holder)) refuse(holder, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

DatasetLock::~DatasetLock() {
  // The name goes with the holder. When this fails, other processes still see that the holder has ended.
  if (file_) static_cast<void>(::ftruncate(file_.get(), 0) == 0);
}

}  // namespace edagen
