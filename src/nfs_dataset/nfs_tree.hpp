// What lies below the dataset directory of an export: the look for files that edagen has not made, and the removal.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/stuck_watch.hpp"
#include "dataset/dataset_removal.hpp"
#include "nfs_dataset/nfs_session.hpp"

namespace edagen {

/// The NFS sessions of this build or removal: RPCs in flight at once.
inline constexpr std::size_t nfs_sessions_at_once = 32;

/// As check_for_foreign() (foreign_files.hpp), of the dataset directory `directory` with the path `path`.
void check_for_foreign(const NfsExport& at, const NfsHandle& directory, const std::string& path, int depth,
                       const std::function<bool(const std::string&)>& skips, std::size_t threads,
                       const std::stop_token& stop, StuckWatch& watch);

/// As DatasetRemoval (dataset_removal.hpp). A directory of another file system is an Error (run).
class NfsRemoval {
 public:
  NfsRemoval(ForeignLeft& left, NfsSession& session, StuckWatch::Thread& thread)
      : left_(left), session_(session), thread_(thread) {}

  /// Removes what was listed in `parent` at `level`, whose path is `path`; returns whether it is gone.
  bool entry(const NfsHandle& parent, const NfsEntry& listed, const std::string& path, int level) const;

 private:
  bool content(const NfsHandle& directory, const std::string& path, int level) const;

  ForeignLeft& left_;
  NfsSession& session_;
  StuckWatch::Thread& thread_;
};

/// Removes the dataset except for edagen's own files, and returns whether nothing else is left.
bool remove_content(const NfsExport& at, const NfsHandle& directory, const std::string& path, std::size_t threads,
                    StuckWatch& watch, ForeignLeft& left);

}  // namespace edagen
