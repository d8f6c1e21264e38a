#include "base/own_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/beneath.hpp"
#include "base/destination.hpp"
#include "base/temporary_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

/// An error of this host or of the volume is of kind run; every other error is the user's (usage).
Error error_of(const std::string& shown, int error, const std::string& what, const char* hint = "") {
  for (const int of_system : {EMFILE, ENFILE, ENOMEM, EIO, ESTALE, ENOTCONN, ESHUTDOWN, ETIMEDOUT})
    if (error == of_system) return run_error(shown, what);
  return usage_error(shown, what, hint);
}

}  // namespace

std::string not_own(const struct stat& info, uid_t owner) {
  if (info.st_uid != owner) return fmt::format("belongs to user {}, not to user {}", info.st_uid, owner);
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0)
    return fmt::format("may be written by others (mode {:04o})", info.st_mode & 07777);
  return "";
}

Descriptor open_own_file(int directory, const char* name, int flags, const std::string& path, mode_t mode) {
  const std::string shown = path + "/" + name;
  Descriptor file = open_beneath(directory, name, flags | O_NONBLOCK | O_NOCTTY, (flags & O_CREAT) != 0 ? mode : 0);
  if (!file && errno == ENOENT) return file;
  const char* const hint = "move it away";
  if (!file) throw error_of(shown, errno, why_not_beneath(errno), errno == ELOOP || errno == EXDEV ? hint : "");
  struct stat info {
  }, above{};
  if (::fstat(file.get(), &info) != 0 || ::fstat(directory, &above) != 0)
    throw error_of(shown, errno, std::strerror(errno));
  if (!S_ISREG(info.st_mode)) throw usage_error(shown, "is not a regular file", hint);
  if (info.st_nlink > 1) throw usage_error(shown, "has another name elsewhere (a hard link)", hint);
  if (const std::string why = not_own(info, above.st_uid); !why.empty()) throw usage_error(shown, why, hint);
  return file;
}

std::optional<std::string> read_own_file(int file, std::size_t most, const std::string& path) {
  std::string text(most + 1, 0);
  std::size_t length = 0;
  while (length < text.size()) {
    const ssize_t got = ::pread(file, text.data() + length, text.size() - length, static_cast<off_t>(length));
    if (got < 0) throw error_of(path, errno, std::strerror(errno));
    if (got == 0) break;
    length += static_cast<std::size_t>(got);
  }
  if (length > most) return std::nullopt;
  text.resize(length);
  return text;
}

std::optional<uid_t> owner_of_new_files(int directory) {
  struct statfs file_system {};
  if (::fstatfs(directory, &file_system) != 0 || file_system.f_type != NFS_SUPER_MAGIC) return ::geteuid();
  const Descriptor made = temporary_file(directory);
  struct stat info {};
  if (!made || ::fstat(made.get(), &info) != 0) return std::nullopt;
  return info.st_uid;
}

Descriptor open_own_directory(int parent, const std::string& name, uid_t owner, const std::string& path,
                              const std::string& hint) {
  Descriptor directory = open_beneath(parent, name.c_str(), O_RDONLY | O_DIRECTORY);
  struct stat info {};
  if (!directory || ::fstat(directory.get(), &info) != 0) throw run_error(path + "/" + name, why_not_beneath(errno));
  if (const std::string why = not_own(info, owner); !why.empty()) throw run_error(path + "/" + name, why, hint);
  return directory;
}

OwnDirectory::OwnDirectory(std::string path) : path_(std::move(path)) {
  try {
    directory_ = destination_of(path_).open(O_RDONLY | O_DIRECTORY);
  } catch (const std::system_error& error) {
    throw usage_error(path_, error.code().message());
  }
  if (!directory_) throw usage_error(path_, std::strerror(errno));
  check();
}

OwnDirectory::OwnDirectory(const OwnDirectory& above, const std::string& name, bool is_new)
    : path_(above.path() + "/" + name) {
  const bool made = ::mkdirat(above.descriptor(), name.c_str(), 0755) == 0;
  if (!made && (is_new || errno != EEXIST)) throw run_error(path_, std::strerror(errno));
  directory_ = open_beneath(above.descriptor(), name.c_str(), O_RDONLY | O_DIRECTORY);
  if (!directory_) throw usage_error(path_, why_not_beneath(errno), "move it away");
  check();
}

void OwnDirectory::check() const {
  struct stat info {};
  const std::optional<uid_t> owner = owner_of_new_files(directory_.get());
  if (!owner || ::fstat(directory_.get(), &info) != 0) throw usage_error(path_, std::strerror(errno));
  const std::string why = not_own(info, *owner);
  if (!why.empty()) throw usage_error(path_, why, "chown and chmod go-w it when you trust what is there");
}

}  // namespace edagen
