// Files and directories that belong to this user and that nobody else may write: edagen trusts only these.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>

#include "base/descriptor.hpp"

namespace edagen {

/// Opens the file `name` in `directory`, whose path is `path`. Returns an empty Descriptor when there is no such file.
/// Throws Error (usage) unless it is a regular file with one name, of the directory's owner, that nobody else may
/// write; a link, device or FIFO never blocks. A new file gets `mode`. Locks have 0600, since every reader of a file
/// may lock it.
Descriptor open_own_file(int directory, const char* name, int flags, const std::string& path, mode_t mode = 0600);

/// The content of `file`; nullopt when it has more than `most` bytes. Throws Error (usage).
std::optional<std::string> read_own_file(int file, std::size_t most, const std::string& path);

/// The reason why others than `owner` may write a file or directory; empty when only the owner may.
std::string not_own(const struct stat& info, uid_t owner);

/// The owner of files that this process makes in `directory`, found by making a file: an NFS server may turn root or
/// all users into another user. nullopt with errno when no file can be made.
std::optional<uid_t> owner_of_new_files(int directory);

/// Opens `name` in `parent`. Throws Error (run) unless it is a directory of `owner` that nobody else may write, and
/// when it is a link or a mount point. `path` is the parent's; `hint` is what the user can do about it.
Descriptor open_own_directory(int parent, const std::string& name, uid_t owner, const std::string& path,
                              const std::string& hint);

/// A directory that stays open, so that nothing else can take its place.
class OwnDirectory {
 public:
  /// Throws Error (usage) unless `path` is a directory of this user that nobody else may write.
  OwnDirectory(std::string path);  // NOLINT(google-explicit-constructor): a path becomes a directory
  /// The same for a directory in `above`, which is made when it is missing. With `is_new` it must be missing.
  OwnDirectory(const OwnDirectory& above, const std::string& name, bool is_new = false);

  const std::string& path() const { return path_; }
  int descriptor() const { return directory_.get(); }
  /// Opens a file as open_own_file() does.
  Descriptor open(const char* name, int flags, mode_t mode = 0600) const {
    return open_own_file(descriptor(), name, flags, path_, mode);
  }

 private:
  void check() const;

  std::string path_;
  Descriptor directory_;
};

}  // namespace edagen
