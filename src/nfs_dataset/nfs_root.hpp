// The dataset directory of one NFS export: looked at, locked, marked and removed by handles, so that nothing else can
// take its place on the way.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/stuck_watch.hpp"
#include "dataset/dataset_marker.hpp"
#include "dataset/dataset_removal.hpp"
#include "nfs_dataset/nfs_lock.hpp"

namespace edagen {

/// Not thread-safe, except that many threads may use directory().
class NfsRoot {
 public:
  /// Looks at the directory and changes nothing. `at` outlives this object. Throws Error (usage) when it is neither a
  /// dataset nor an empty directory of this user, is in use by another process, or cannot be made; Error (run) when it
  /// cannot be read.
  NfsRoot(const NfsExport& at, NfsSession& session);
  ~NfsRoot();
  NfsRoot(NfsRoot&&) noexcept;

  const NfsExport& at() const { return *at_; }
  /// nfs://HOST/EXPORT/edagen.data, for messages.
  const std::string& path() const { return path_; }
  /// Whether there is a directory, perhaps an empty one.
  bool exists() const { return static_cast<bool>(directory_); }
  /// The marker of the dataset; nullopt without a dataset.
  const std::optional<DatasetMarker>& marker() const { return marker_; }
  /// The handle of the dataset directory, after claim() or when it exists.
  const NfsHandle& directory() const { return directory_; }
  /// The user who owns the dataset and is the only one to write there.
  uid_t owner() const { return owner_; }

  /// As DatasetRoot::claim().
  void claim(NfsSession& session, const DatasetMarker& fresh);
  /// Claims the dataset on a rank that does not lead: finds the leader's, which is responsible for it.
  void claim_with_leader(NfsSession& session, const DatasetMarker& fresh);
  bool claimed() const { return lock_ != nullptr || is_leaders_; }
  /// Whether another URL of this run or another rank is responsible for it.
  bool is_of_another() const { return is_leaders_ || (lock_ != nullptr && lock_->shared()); }
  /// Marks the dataset as complete, after claim(). Throws Error (run).
  void mark_complete(NfsSession& session);

  /// Whether somebody else has removed the dataset.
  bool is_gone(NfsSession& session) const;
  /// Whether the dataset still has the marker that remove() requires, or one that cannot be read.
  bool is_marked(NfsSession& session) const;
  /// As DatasetRoot::loss_of_lock().
  std::optional<Error> loss_of_lock(NfsSession& session) const { return lock_ ? lock_->loss(session) : std::nullopt; }

  /// As DatasetRoot::remove(): by handle, following no link and entering no other file system.
  void remove(NfsSession& session, std::size_t threads, StuckWatch& watch, ForeignLeft& left);

 private:
  void open(NfsSession& session);
  void check_owner(NfsSession& session, bool may_write) const;
  void check_may_write(NfsSession& session) const;
  [[noreturn]] void refuse_user() const;
  std::optional<DatasetMarker> look(NfsSession& session) const;
  void lock(NfsSession& session);
  void write_marker(NfsSession& session) const;

  const NfsExport* at_;
  std::string path_;
  NfsHandle directory_;
  uid_t owner_ = 0;
  NfsAttributes attributes_;
  std::optional<DatasetMarker> marker_;
  std::unique_ptr<NfsLock> lock_;
  bool is_leaders_ = false;
};

/// Removes the dataset of `at`, if there is one. Returns whether there was a dataset, or an empty directory that a
/// dataset has left. With `id` only a dataset of this id is removed. Throws Error.
bool remove_nfs_dataset(const NfsExport& at, std::size_t threads, StuckWatch& watch, const std::string& id = "");

}  // namespace edagen
