// What a file on an NFS server has to be before edagen works with it: of the export's file system, no link, and of a
// user whose files nobody else writes.
#pragma once

#include <sys/types.h>

#include <string>

#include "nfs_dataset/nfs_session.hpp"

namespace edagen {

/// The reason why `file` is not a directory of the export's own file system; empty when it is.
std::string why_not_directory(const NfsFile& file, const NfsExport& at);
/// The reason why others than `owner` may write a file or directory; empty when only the owner may.
std::string not_own(const NfsAttributes& attributes, uid_t owner);
/// Throws Error (usage) unless `file`, whose path is `path`, is a regular file with one name that only `owner` may
/// write.
void check_own_file(const NfsFile& file, uid_t owner, const std::string& path);

/// Looks up the directory `path`, one component after the other from `from`, whose path is `from_path`. Throws Error
/// (run) unless each is a directory of the export's file system that only `owner` may write.
NfsFile own_directory(NfsSession& session, const NfsHandle& from, const std::string& from_path, const std::string& path,
                      uid_t owner);

/// Throws Error (run) about `path` unless the status is ok.
void require_ok(NfsStatus status, const std::string& path);
/// What a user can read: "No such file or directory (NFS3ERR_NOENT)".
std::string status_text(NfsStatus status);

}  // namespace edagen
