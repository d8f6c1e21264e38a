#include "dataset/dataset_root.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "base/beneath.hpp"
#include "base/directory_tree.hpp"
#include "base/own_file.hpp"
#include "base/parallel.hpp"
#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_lock.hpp"
#include "dataset/dataset_names.hpp"
#include "dataset/dataset_removal.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

struct stat stat_of(int fd, const std::string& path) {
  struct stat info {};
  if (::fstat(fd, &info) != 0) throw run_error(path, std::strerror(errno));
  return info;
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_ino == b.st_ino && a.st_dev == b.st_dev; }

/// Requests the state from the file system itself, as an NFS client answers from its cache. Returns 0 or an errno.
int state_of(int fd, struct statx& info) {
  return ::statx(fd, "", AT_EMPTY_PATH | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &info) == 0 ? 0 : errno;
}

bool is_nfs(int fd) {
  struct statfs info {};
  return ::fstatfs(fd, &info) == 0 && info.f_type == NFS_SUPER_MAGIC;
}

}  // namespace

DatasetRoot::DatasetRoot(DatasetPlace place)
    : place_(std::move(place)), path_(place_.mount + "/" + dataset_directory), lock_(std::make_unique<DatasetLock>()) {
  mount_ = Descriptor(::open(place_.mount.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!mount_) throw usage_error(place_.mount, std::strerror(errno));
  open();
  if (!directory_) return;
  check_owner(false);
  DatasetLock::check(directory_.get(), path_, place_.local_locks);
  marker_ = look();
}

DatasetRoot::~DatasetRoot() = default;
DatasetRoot::DatasetRoot(DatasetRoot&&) noexcept = default;

void DatasetRoot::open() {
  // An NFS client with long caches opens a directory that another client has removed, which the server has forgotten.
  struct statx info {};
  int tries = 3;
  do {
    // The lookup of a name that is requested from the server drops what the client remembers of it.
    static_cast<void>(
        ::statx(mount_.get(), dataset_directory, AT_SYMLINK_NOFOLLOW | AT_STATX_FORCE_SYNC, STATX_BASIC_STATS, &info));
    directory_ = open_beneath(mount_.get(), dataset_directory, O_RDONLY | O_DIRECTORY);
  } while (--tries > 0 && (directory_ ? state_of(directory_.get(), info) : errno) == ESTALE);
  if (!directory_ && errno != ENOENT)
    throw usage_error(path_, why_not_beneath(errno),
                      errno == ELOOP || errno == EXDEV || errno == ENOTDIR ? "move it away" : "");
  if (directory_) owner_ = stat_of(directory_.get(), path_).st_uid;
}

/// A dataset must belong to the owner of files that this process makes: an NFS server may turn root or all users into
/// another user, which is found by making a file. Without `may_write` this check is left for later.
void DatasetRoot::check_owner(bool may_write) const {
  const struct stat info = stat_of(directory_.get(), path_);
  std::optional<uid_t> owner = ::geteuid();
  if (info.st_uid != owner && is_nfs(mount_.get())) {
    if (!may_write) return;
    owner = owner_of_new_files(mount_.get());
    if (!owner) throw usage_error(place_.mount, std::strerror(errno));
  }
  if (const std::string why = not_own(info, *owner); !why.empty()) throw usage_error(path_, why, "move it away");
}

/// The marker; nullopt when there is nothing, or only the rest of a run that was killed before it wrote a marker.
std::optional<DatasetMarker> DatasetRoot::look() const {
  if (auto marker = read_marker(directory_.get(), path_)) return marker;
  for_each_name(directory_.get(), path_, [&](const char* name, unsigned char) {
    if (!is_own_name(name)) throw usage_error(path_, "is not empty and has no marker of edagen's", "move it away");
  });
  return std::nullopt;
}

/// Locks the dataset for this process, and checks that it has not changed.
void DatasetRoot::lock(bool may_be_nameless) {
  if (claimed()) return;
  check_owner(true);
  *lock_ = DatasetLock::take(directory_.get(), path_, place_.local_locks, may_be_nameless);
}

void DatasetRoot::claim(const DatasetMarker& fresh) {
  if (!directory_) {
    if (::mkdirat(mount_.get(), dataset_directory, 0755) != 0 && errno != EEXIST)
      throw run_error(path_, std::strerror(errno));
    open();
    if (!directory_) throw run_error(path_, "has just been made, and is gone");
  }
  look();  // before the lock, so that no lock file is left in a directory that is no dataset
  lock(false);
  const std::optional<DatasetMarker> there = look();
  const std::string& expected = marker_ ? marker_->id : fresh.id;  // our own, if it came by another mount of this run
  if (there ? there->id != expected : marker_.has_value())
    throw usage_error(path_, "has been replaced or changed in the meantime", "nothing was done in it");
  marker_ = there.value_or(fresh);
  marker_->complete = false;
  // One mount alone writes the marker: an NFS client keeps the file that another client has replaced.
  if (!is_shared()) write_marker(directory_.get(), *marker_, path_);
}

void DatasetRoot::claim_with_leader(const DatasetMarker& fresh) {
  constexpr int tries = 30;  // of 100 ms: the NFS client may show it late, and ranks of one host share a directory
  for (int left = tries;; --left) {
    // Looking is not enough: the client may have cached that there was nothing.
    const bool made = !directory_ && ::mkdirat(mount_.get(), dataset_directory, 0755) == 0;
    if (made && !place_.of_host) {
      ::unlinkat(mount_.get(), dataset_directory, AT_REMOVEDIR);
      throw usage_error(place_.mount, "is not the directory that rank 0 has",
                        "mount the same volume on all hosts, or have {host} or {rank} in the path");
    }
    if (!directory_) open();
    const std::optional<DatasetMarker> there = directory_ ? read_marker(directory_.get(), path_) : std::nullopt;
    if (there && there->id == fresh.id) {
      check_owner(true);
      marker_ = there;
      is_leaders_ = true;
      return;
    }
    try {
      if (place_.of_host) return claim(fresh);
      if (left == 0) throw usage_error(path_, "does not show the dataset that rank 0 has made");
    } catch (const Error& error) {
      if (left == 0 || error.kind() != Error::Kind::usage) throw;
    }
    directory_.close();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

bool DatasetRoot::is_shared() const { return lock_->shared(); }

bool DatasetRoot::claimed() const { return lock_->held() || lock_->shared() || is_leaders_; }

void DatasetRoot::mark_complete() {
  if (is_leaders_) return;
  marker_->complete = true;
  if (is_shared()) return;
  write_marker(directory_.get(), *marker_, path_);
}

bool DatasetRoot::in_place() const {
  struct stat now_there {};
  return ::stat(place_.mount.c_str(), &now_there) == 0 && same_file(now_there, stat_of(mount_.get(), place_.mount));
}

bool DatasetRoot::is_gone() const {
  struct statx info {};
  if (!directory_) return false;
  const int error = state_of(directory_.get(), info);
  return error != 0 ? error == ESTALE : info.stx_nlink == 0;
}

std::optional<Error> DatasetRoot::loss_of_lock() const {
  return lock_->held() ? DatasetLock::loss(directory_.get(), path_) : std::nullopt;
}

bool DatasetRoot::is_marked() const {
  try {
    const std::optional<DatasetMarker> there = look();
    return there && marker_ && there->id == marker_->id;
  } catch (const Error& error) {
    return marker_ && error.kind() == Error::Kind::run;  // an unreadable marker may still exist
  }
}

void DatasetRoot::remove(std::size_t threads, StuckWatch& watch, ForeignLeft& left) {
  if (!directory_ || is_leaders_ || is_shared()) return;
  StuckWatch::Thread self(watch);
  self.call_started("looking at", path_);
  look();      // as in claim()
  lock(true);  // even without room for the name, since this frees room
  if (lock_->shared()) return;
  DatasetLock::check_not_lost(directory_.get(), path_);
  const std::optional<DatasetMarker> there = look();
  if (marker_ && !there) throw run_error(path_, "somebody has removed its marker", "nothing else was removed");
  if (there.has_value() != marker_.has_value() || (there && there->id != marker_->id))
    throw run_error(path_, "is another dataset by now", "nothing was removed");
  self.pause();
  if (!empty(threads, watch, left)) return;

  self.call_started("removing", path_);
  // The marker goes last but one, so that `edagen clean` recognises the dataset until then.
  for (const char* const name : {new_marker_name, marker_name, lock_name})
    if (::unlinkat(directory_.get(), name, 0) != 0 && errno != ENOENT)
      throw run_error(path_ + "/" + name, std::strerror(errno));
  struct stat named {};
  if (::fstatat(mount_.get(), dataset_directory, &named, AT_SYMLINK_NOFOLLOW) != 0 ||
      !same_file(named, stat_of(directory_.get(), path_)))
    throw run_error(path_,
                    "was moved in the meantime: what it held is removed, the empty directory is left where it is");
  *lock_ = DatasetLock();
  if (!remove_emptied(mount_.get(), dataset_directory)) throw run_error(path_, std::strerror(errno));
  directory_.close();
  marker_.reset();
}

/// Removes the dataset except for edagen's own files, and returns whether nothing else is left. The threads share the
/// procs' directories, two levels down.
bool DatasetRoot::empty(std::size_t threads, StuckWatch& watch, ForeignLeft& left) {
  StuckWatch::Thread self(watch);
  self.call_started("listing", path_);
  std::vector<std::string> trees, clients;
  for_each_name(directory_.get(), path_, [&](const char* client, unsigned char) {
    if (is_own_name(client)) return;
    clients.emplace_back(client);
    if (!is_directory_name(client, level_of_clients)) return;
    const Descriptor directory = open_beneath(directory_.get(), client, O_RDONLY | O_DIRECTORY);
    if (!directory && (errno == ENOTDIR || errno == ELOOP)) return;
    if (!directory) throw run_error(path_ + "/" + client, why_not_beneath(errno));
    for_each_name(directory.get(), path_ + "/" + client,
                  [&](const char* proc, unsigned char) { trees.push_back(std::string(client) + "/" + proc); });
  });
  self.pause();
  ForeignLeft left_in_procs;
  std::atomic<std::size_t> next{0};
  run_in_parallel(std::max<std::size_t>(1, threads), {}, [&](const std::stop_token& halt) {
    StuckWatch::Thread thread(watch);
    for (std::size_t i = next++; i < trees.size() && !halt.stop_requested(); i = next++) {
      const auto slash = trees[i].find('/');
      const std::string client = trees[i].substr(0, slash);
      const Descriptor directory = open_beneath(directory_.get(), client.c_str(), O_RDONLY | O_DIRECTORY);
      if (!directory) throw run_error(path_ + "/" + client, why_not_beneath(errno));
      DatasetRemoval(left_in_procs, thread)
          .entry(directory.get(), trees[i].c_str() + slash + 1, path_ + "/" + client, level_of_procs);
    }
  });
  // Goes through all that is left once more, so that this alone counts what is foreign.
  bool is_empty = true;
  for (const std::string& name : clients)
    if (!DatasetRemoval(left, self).entry(directory_.get(), name.c_str(), path_, level_of_clients)) is_empty = false;
  return is_empty;
}

}  // namespace edagen
