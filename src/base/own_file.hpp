// Files and directories that belong to this user and that nobody else may write: those that edagen trusts.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// Opens `name` in `directory`, which is not to be a link, a device or a FIFO that would block. An empty Descriptor
/// when there is none. Throws Error (usage) unless it is a regular file with one name, of the owner of the directory,
/// that nobody else may write. `path` is the directory's. `mode`: of a file that is made. A lock has 0600: who may read
/// a file may lock it.
Descriptor open_own_file(int directory, const char* name, int flags, const std::string& path, mode_t mode = 0600);

/// What `file` holds; nullopt when that is more than `most` bytes. Throws Error (usage).
std::optional<std::string> read_own_file(int file, std::size_t most, const std::string& path);

/// Why a file or directory is not `owner`'s alone to write; empty when it is.
std::string not_own(const struct stat& info, uid_t owner);

/// The user to whom files belong that this process makes in `directory`: an NFS server may turn root or all users into
/// another one, which is found out by making a file. nullopt with errno when that may not be done.
std::optional<uid_t> owner_of_new_files(int directory);

/// Opens `name` in `parent`. Throws Error (run) unless it is a directory of `owner` that nobody else may write, and
/// when it is a link or a mount point. `path` is the parent's; `hint`: what to do about it.
Descriptor open_own_directory(int parent, const std::string& name, uid_t owner, const std::string& path,
                              const std::string& hint);

/// A directory that stays open, so that nothing else can take its place.
class OwnDirectory {
 public:
  /// Throws Error (usage) unless it is a directory of this user that nobody else may write.
  OwnDirectory(std::string path);  // NOLINT(google-explicit-constructor): a path is what it is made of
  /// The same of a directory in `above`, which is made if it is not there: by this alone with `is_new`.
  OwnDirectory(const OwnDirectory& above, const std::string& name, bool is_new = false);

  const std::string& path() const { return path_; }
  int descriptor() const { return directory_.get(); }
  /// As open_own_file().
  Descriptor open(const char* name, int flags, mode_t mode = 0600) const {
    return open_own_file(descriptor(), name, flags, path_, mode);
  }

 private:
  void check() const;

  std::string path_;
  Descriptor directory_;
};

}  // namespace edagen
