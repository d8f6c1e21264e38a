// The lock that lets one run at a time use a dataset.
#pragma once

#include <optional>
#include <string>

#include "base/descriptor.hpp"
#include "dataset/lock_holder.hpp"
#include "edagen/error.hpp"

namespace edagen {

/// The lock's name within the dataset directory. The file stays in a dataset that is kept.
inline constexpr const char* lock_name = "edagen.lock";

/// A lock of flock(2) on a file with the name of the holder. The system releases it when the process ends, however it
/// ends.
class DatasetLock {
 public:
  DatasetLock() = default;  ///< holds nothing

  /// Throws Error (usage) with the holder's name when another process uses the dataset in `directory`. Changes nothing.
  /// `path` is the directory's. `local`: other hosts or mounts do not see locks of this mount (NFS with nolock, FUSE),
  /// so that the name in the file counts.
  static void check(int directory, const std::string& path, bool local);
  /// Takes the lock, making its file if needed. Throws as check(), and Error (run) when the file cannot be written.
  /// `may_be_nameless`: on a full volume the lock is taken without a name, unless the name counts. Other processes are
  /// refused all the same.
  static DatasetLock take(int directory, const std::string& path, bool local, bool may_be_nameless = false);

  DatasetLock(DatasetLock&&) noexcept = default;
  DatasetLock& operator=(DatasetLock&&) noexcept = default;
  ~DatasetLock();

  /// When another process has taken the lock in `directory` from this one: that. A lock on NFS is lost when the network
  /// is gone for longer than the lease, any lock when somebody removes its file. nullopt: none has taken it.
  static std::optional<Error> loss(int directory, const std::string& path);
  /// Throws Error (run) when there is another holder that goes on.
  static void check_not_lost(int directory, const std::string& path);

  bool held() const { return static_cast<bool>(file_); }
  /// Whether this process had taken the lock before, by another mount of the same directory: that lock is responsible.
  bool shared() const { return shared_; }

 private:
  DatasetLock(Descriptor file, bool shared) : file_(std::move(file)), shared_(shared) {}
  Descriptor file_;
  bool shared_ = false;
};

}  // namespace edagen
