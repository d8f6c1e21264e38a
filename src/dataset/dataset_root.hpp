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

namespace edagen {

class DatasetLock;

/// Where a dataset is or goes to.
struct DatasetPlace {
  std::string mount;         ///< a directory; the dataset goes into mount/edagen.data
  std::string volume;        ///< equal for mounts that share their space
  bool local_locks = false;  ///< other hosts do not see this mount's locks (NFS with nolock)
  bool of_host = false;      ///< of several hosts each has another directory
};

/// Whether edagen keeps a file of this name beside the clients' directories.
bool is_own_name(std::string_view name);

/// Not thread-safe, but descriptor() may be used by many.
class DatasetRoot {
 public:
  /// Looks at what is there and changes nothing. Throws Error (usage) when that is not a dataset and not an empty
  /// directory of this user's, or is in use by another process; Error (run) when it cannot be looked at.
  explicit DatasetRoot(DatasetPlace place);
  ~DatasetRoot();
  DatasetRoot(DatasetRoot&&) noexcept;

  const DatasetPlace& place() const { return place_; }
  /// MOUNT/edagen.data, for messages.
  const std::string& path() const { return path_; }
  /// There is a directory, perhaps an empty one.
  bool exists() const { return static_cast<bool>(directory_); }
  /// Of the dataset that is there; nullopt: none.
  const std::optional<DatasetMarker>& marker() const { return marker_; }
  /// Of the dataset directory; open from the constructor or claim() to the end of this.
  int descriptor() const { return directory_.get(); }

  /// The user who owns the dataset and is the only one to write there.
  uid_t owner() const { return owner_; }

  /// Makes the directory if there is none, locks it, and makes sure that it still is what the constructor saw. Then it
  /// is marked as one that is being built, with the id it has or else that of `fresh`. Throws Error (usage) before
  /// anything was changed in it, Error (run).
  void claim(const DatasetMarker& fresh);
  /// Of a rank that does not lead, after the leader has claimed its own with the id of `fresh`: finds the same one
  /// there, which the leader answers for; or, in a directory of this host, claims it. Throws as claim().
  void claim_with_leader(const DatasetMarker& fresh);
  bool claimed() const;
  /// After claim(). Throws Error (run).
  void mark_complete();

  /// Whether the mount's path still leads to the mount that was looked at.
  bool in_place() const;
  /// Somebody else has removed it.
  bool is_gone() const;
  /// It still has the marker by which remove() knows it, or may have one that cannot be read.
  bool is_marked() const;

  /// Locks it unless claim() has, makes sure of its marker's id, and removes what it holds and then itself: by
  /// descriptor, entering no link and no other mount. Without a claim and with nothing there it does nothing. What this
  /// process reaches by several mounts is removed by the first that claimed it. Throws Error.
  void remove(std::size_t threads, StuckWatch& watch);

 private:
  void open();
  void check_owner(bool may_write) const;
  std::optional<DatasetMarker> look() const;
  void lock(bool may_be_nameless);
  void empty(std::size_t threads, StuckWatch& watch);

  DatasetPlace place_;
  std::string path_;
  Descriptor mount_, directory_;
  uid_t owner_ = 0;
  std::optional<DatasetMarker> marker_;
  std::unique_ptr<DatasetLock> lock_;
  bool is_leaders_ = false;  ///< another rank has claimed it
};

}  // namespace edagen
