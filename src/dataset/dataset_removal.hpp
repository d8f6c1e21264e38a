// Removing what a dataset consists of, and nothing else.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>

#include "base/stuck_watch.hpp"

namespace edagen {

/// What a removal has found and left since edagen makes no such thing there. Thread-safe.
class ForeignLeft {
 public:
  void add(const std::string& path);
  /// Throws Error (run) with the first of them when there are any.
  void check() const;

 private:
  mutable std::mutex mutex_;
  std::string first_;  ///< by name
  std::uint64_t count_ = 0;
};

/// Removes entries of a dataset, of whatever depth. A name of the dataset goes with all that is the dataset's in it;
/// what edagen makes nowhere there (another name, a link or file under a directory's name, a directory under a file's)
/// stays, with the directories above it. Follows no link and enters no other mount.
class DatasetRemoval {
 public:
  DatasetRemoval(ForeignLeft& left, StuckWatch::Thread& thread) : left_(left), thread_(thread) {}

  /// Removes `name` in the directory `parent` at `level` (dataset_names.hpp), whose path is `path`; returns whether it
  /// is gone. Throws Error (run) about what is the dataset's and cannot be removed.
  bool entry(int parent, const char* name, const std::string& path, int level) const;

 private:
  bool file(int parent, const char* name, const std::string& path) const;

  ForeignLeft& left_;
  StuckWatch::Thread& thread_;
};

}  // namespace edagen
