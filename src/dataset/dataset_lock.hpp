// One run at a time per dataset.
#pragma once

#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// The lock's name within the dataset directory. The file stays there in a dataset that is kept.
inline constexpr const char* lock_name = "edagen.lock";

/// A lock of flock(2) on a file that says who holds it. The system lets it go when the process ends, however it ends.
class DatasetLock {
 public:
  DatasetLock() = default;  ///< holds nothing

  /// Throws Error (usage), which says by whom, when the dataset in `directory` is in use by another process; changes
  /// nothing. `path` is the directory's. `local`: other hosts do not see locks of this mount (NFS with nolock); then
  /// who is named in the file counts.
  static void check(int directory, const std::string& path, bool local);
  /// Takes the lock, making its file if needed. Throws as check(), and Error (run) when the file cannot be written.
  /// `may_be_nameless`: where the lock alone counts, one on a full volume is taken without saying by whom; others are
  /// refused all the same.
  static DatasetLock take(int directory, const std::string& path, bool local, bool may_be_nameless = false);

  DatasetLock(DatasetLock&&) noexcept = default;
  DatasetLock& operator=(DatasetLock&&) noexcept = default;
  ~DatasetLock();

  bool held() const { return static_cast<bool>(file_); }
  /// This process had taken it before, by another mount of the same directory: that one is responsible.
  bool shared() const { return shared_; }

 private:
  DatasetLock(Descriptor file, bool shared) : file_(std::move(file)), shared_(shared) {}
  Descriptor file_;
  bool shared_ = false;
};

}  // namespace edagen
