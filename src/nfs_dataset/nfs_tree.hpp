// What lies below the dataset directory of an export: the look for files that edagen has not made, and the removal.
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "base/stuck_watch.hpp"
#include "nfs_dataset/nfs_session.hpp"

namespace edagen {

/// The NFS sessions of this build or removal: RPCs in flight at once.
inline constexpr std::size_t nfs_sessions_at_once = 32;

/// As check_for_foreign() (foreign_files.hpp), of the dataset directory `directory` with the path `path`.
void check_for_foreign(const NfsExport& at, const NfsHandle& directory, const std::string& path, int depth,
                       const std::function<bool(const std::string&)>& skips, std::size_t threads,
                       const std::stop_token& stop, StuckWatch& watch);

/// Removes `file`, listed as `name` in `parent`, with everything in it. Follows no link; a directory of another file
/// system is an Error (run), like everything else that cannot be removed. What is gone already is removed.
void remove_tree(NfsSession& session, const NfsHandle& parent, const std::string& name, const NfsFile& file,
                 const std::string& path, StuckWatch::Thread& thread);

/// Removes everything in the dataset directory except edagen's own files.
void remove_content(const NfsExport& at, const NfsHandle& directory, const std::string& path, std::size_t threads,
                    StuckWatch& watch);

}  // namespace edagen
