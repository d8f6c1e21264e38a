#include "dataset/dataset_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include "base/own_file.hpp"
#include "base/write_file.hpp"

namespace edagen {
namespace {

/// Two hosts that see no lock of each other may both find no name and write theirs: the one that is read back counts.
constexpr auto both_have_written = std::chrono::milliseconds(200);

constexpr int looks = 10;  ///< of 100 ms: a new holder may not have written its name yet, or only checks

std::optional<LockHolder> holder_in(int file, const std::string& path) {
  const auto text = read_own_file(file, max_lock_bytes, path);
  return text ? parse_lock_holder(*text) : std::nullopt;
}

/// The holder that others may have written there. An NFS client keeps the pages of a file that this process has open
/// for writing, whatever the server has by now.
std::optional<LockHolder> newest_holder_in(int file, const std::string& path) {
  struct statx info {};
  static_cast<void>(::statx(file, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &info));
  static_cast<void>(::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED));
  return holder_in(file, path);
}

enum class Lock { taken, busy, impossible };

Lock try_lock(int file, int kind) {
  if (::flock(file, kind | LOCK_NB) == 0) return Lock::taken;
  return errno == EWOULDBLOCK || errno == EINTR ? Lock::busy : Lock::impossible;
}

/// The holder of a lock that is busy; nullopt: the name in its file is that of a process that has ended. The next
/// holder has not written its name yet, or somebody only looks.
std::optional<LockHolder> present_holder(const std::optional<LockHolder>& named) {
  return named && has_ended(*named) ? std::nullopt : named;
}

bool is_named_lock(const std::optional<LockHolder>& holder) { return holder && !holder->renewed.empty(); }

/// Checks the name in the file, which counts on mounts where two hosts may hold the lock, and when its holder uses no
/// other lock than its name.
void check_name(const std::optional<LockHolder>& holder, const std::string& path) {
  if (holder && !has_ended(*holder))
    refuse_holder(holder, path,
                  fmt::format("locks are not seen by all users of this mount: if that run has ended, remove {}/{}",
                              path, lock_name));
}

/// Throws Error (usage) when the renewal of an NFS client that is not seen from here is old by this host's clock alone.
/// The server stamps each WRITE of the name as time of modification; fchmod(2) has just stamped the time of change.
void check_clock(std::optional<LockHolder> holder, int file, const std::string& path) {
  if (!is_named_lock(holder)) return;
  const LockHolder named = *holder;
  holder->since = std::exchange(holder->renewed, {});
  if (has_ended(*holder)) return;  // its process has, or its host was restarted after it last wrote its name
  struct stat info {};
  if (::fstat(file, &info) == 0 && info.st_ctim.tv_sec - info.st_mtim.tv_sec > lock_expiry_seconds) return;
  refuse_holder(named, path,
                fmt::format("the clocks of this host and of the server differ: if that run has ended, wait {} s or "
                            "remove {}/{}",
                            lock_expiry_seconds, path, lock_name));
}

/// Returns 0 or an errno; after an error there is no name.
int write_name(int file, const LockHolder& holder) {
  const std::string text = lock_text(holder);
  if (::ftruncate(file, 0) != 0 || ::lseek(file, 0, SEEK_SET) < 0) return errno;
  if (write_all(file, text) && ::fsync(file) == 0) return 0;
  const int error = errno;
  static_cast<void>(::ftruncate(file, 0) == 0);
  return error;
}

/// Throws Error (usage) when another process has written its name at the same time.
void check_name_read_back(int directory, const std::string& path, const LockHolder& me) {
  std::this_thread::sleep_for(both_have_written);
  const Descriptor file = open_own_file(directory, lock_name, O_RDONLY, path);
  const auto holder = file ? newest_holder_in(file.get(), path) : std::nullopt;
  if (!holder || !(*holder == me)) refuse_holder(holder, path);
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
    if (lock == Lock::impossible || (lock == Lock::taken && (local || is_named_lock(holder))))
      check_name(holder_in(file.get(), path), path);
    if (lock != Lock::busy) return;
    const auto present = present_holder(holder);
    if (present || left == 0) refuse_holder(present, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

DatasetLock DatasetLock::take(int directory, const std::string& path, bool local, bool may_be_nameless) {
  const LockHolder me = this_process();
  for (int left = looks;; --left) {
    Descriptor file = open_own_file(directory, lock_name, O_RDWR | O_CREAT, path);
    if (!file) throw usage_error(path, "has just been removed by another process");
    ::fchmod(file.get(), 0600);  // a file of an earlier version: every reader of it may lock it
    const auto holder = holder_in(file.get(), path);
    if (holder && *holder == me) return DatasetLock(Descriptor(), true);
    const Lock lock = try_lock(file.get(), LOCK_EX);
    if (lock != Lock::busy && is_named(file.get(), directory)) {
      if (local || lock == Lock::impossible || is_named_lock(holder)) check_name(holder_in(file.get(), path), path);
      check_clock(holder_in(file.get(), path), file.get(), path);
      const int error = write_name(file.get(), me);
      const bool counts = local || lock == Lock::impossible;  // the name, not the lock
      if (error != 0 && (counts || !may_be_nameless))
        throw run_error(path + "/" + lock_name, std::string("cannot be written: ") + std::strerror(error));
      if (counts) check_name_read_back(directory, path, me);
      return DatasetLock(std::move(file), false);
    }
    // Otherwise `edagen clean` has just removed the locked file.
    const auto present = present_holder(holder);
    if (left == 0 || (lock == Lock::busy && present)) refuse_holder(present, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

std::optional<Error> DatasetLock::loss(int directory, const std::string& path) {
  const Descriptor file = open_own_file(directory, lock_name, O_RDONLY, path);
  if (!file) return std::nullopt;
  const auto holder = newest_holder_in(file.get(), path);
  if (holder && *holder == this_process()) return std::nullopt;
  return run_error(path, holder ? taken_text(*holder) : had_lock_text);
}

void DatasetLock::check_not_lost(int directory, const std::string& path) {
  const Descriptor file = open_own_file(directory, lock_name, O_RDONLY, path);
  const auto holder = file ? newest_holder_in(file.get(), path) : std::nullopt;
  // On a full volume the name of a holder that has ended may stay.
  if (holder && !(*holder == this_process()) && !has_ended(*holder))
    throw run_error(path, taken_text(*holder), "nothing was removed");
}

/// The name goes with the holder, unless the lock was lost and another one has written its name. When this fails, other
/// processes still see that the holder has ended.
DatasetLock::~DatasetLock() {
  if (!file_) return;
  try {
    const auto holder = newest_holder_in(file_.get(), lock_name);
    if (holder && *holder == this_process()) static_cast<void>(::ftruncate(file_.get(), 0) == 0);
  } catch (const Error&) {  // it cannot be read: the name stays
  }
}

}  // namespace edagen
