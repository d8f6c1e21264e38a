#include "dataset/own_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "base/beneath.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

/// What is wrong with this host or the volume says nothing about the file; all else is in the user's way.
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

Descriptor open_own_file(int directory, const char* name, int flags, const std::string& path) {
  const std::string shown = path + "/" + name;
  Descriptor file = open_beneath(directory, name, flags | O_NONBLOCK | O_NOCTTY, (flags & O_CREAT) != 0 ? 0644 : 0);
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

}  // namespace edagen
