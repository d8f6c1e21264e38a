// The dataset directory of one mount: looked at, locked, marked and removed through descriptors that stay open, so that
// nothing else can take its place on the way.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/descriptor.hpp"
#include "base/stuck_watch.hpp"
#include "dataset/dataset_marker.hpp"
#include "edagen/error.hpp"

namespace edagen {

class DatasetLock;
class ForeignLeft;

/// Where a dataset is or goes to.
struct DatasetPlace {
  std::string mount;         ///< a directory; the dataset goes into mount/edagen.data
  std::string volume;        ///< equal for mounts that share their space
  bool local_locks = false;  ///< others do not see this mount's locks (NFS with nolock, FUSE)
  bool of_host = false;      ///< each of several hosts has another directory
};

/// Not thread-safe, except that many threads may use descriptor().
class DatasetRoot {
 public:
  /// Looks at the directory and changes nothing. Throws Error (usage) when it is neither a dataset nor an empty
  /// directory of this user, or is in use by another process; Error (run) when it cannot be read.
  explicit DatasetRoot(DatasetPlace place);
  ~DatasetRoot();
  DatasetRoot(DatasetRoot&&) noexcept;

  const DatasetPlace& place() const { return place_; }
  /// MOUNT/edagen.data, for messages.
  const std::string& path() const { return path_; }
  /// Whether there is a directory, perhaps an empty one.
  bool exists() const { return static_cast<bool>(directory_); }
  /// The marker of the dataset; nullopt without a dataset.
  const std::optional<DatasetMarker>& marker() const { return marker_; }
  /// The descriptor of the dataset directory, open from the constructor or claim() to the end of this object.
  int descriptor() const { return directory_.get(); }

  /// The user who owns the dataset and is the only one to write there.
  uid_t owner() const { return owner_; }

  /// Makes the directory if there is none, locks it, and checks that it still is what the constructor saw. Then marks
  /// it as being built, with its own id or else that of `fresh`. Throws Error (usage) before anything is changed, Error
  /// (run) afterwards.
  void claim(const DatasetMarker& fresh);
  /// Claims the dataset on a rank that does not lead, after the leader has claimed its own with the id of `fresh`. The
  /// rank finds the leader's dataset, for which the leader is responsible, or claims a directory of this host. Throws
  /// as claim().
  void claim_with_leader(const DatasetMarker& fresh);
  bool claimed() const;
  /// Whether another root of this process, by another mount, has claimed the same dataset first, and removes it.
  bool is_shared() const;
  /// Marks the dataset as complete, after claim(). Throws Error (run).
  void mark_complete();

  /// Whether the mount's path still leads to the same mount.
  bool in_place() const;
  /// Whether somebody else has removed the dataset.
  bool is_gone() const;
  /// Whether the dataset still has the marker that remove() requires, or one that cannot be read.
  bool is_marked() const;
  /// When another process has taken the lock from this one: that. Throws Error when the lock cannot be read.
  std::optional<Error> loss_of_lock() const;

  /// Locks the dataset unless claim() has, checks the marker's id, and removes the content and then the directory, by
  /// descriptor, entering no link and no other mount. What edagen has not made stays, with the marker, and is added to
  /// `left`. Does nothing when there is neither a claim nor a dataset. A dataset that this process reaches by several
  /// mounts is removed by the first that claimed it. Throws Error.
  void remove(std::size_t threads, StuckWatch& watch, ForeignLeft& left);

 private:
  void open();
  void check_owner(bool may_write) const;
  std::optional<DatasetMarker> look() const;
  void lock(bool may_be_nameless);
  bool empty(std::size_t threads, StuckWatch& watch, ForeignLeft& left);

  DatasetPlace place_;
  std::string path_;
  Descriptor mount_, directory_;
  uid_t owner_ = 0;
  std::optional<DatasetMarker> marker_;
  std::unique_ptr<DatasetLock> lock_;
  bool is_leaders_ = false;  ///< whether another rank has claimed it
};

}  // namespace edagen
