#include "base/text_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.hpp"
#include "edagen/error.hpp"

namespace edagen {

std::string irregular_kind(const struct stat& info) {
  if (S_ISREG(info.st_mode)) return "";
  if (S_ISDIR(info.st_mode)) return "a directory";
  if (S_ISFIFO(info.st_mode)) return "a FIFO";
  if (S_ISSOCK(info.st_mode)) return "a socket";
  return "a device";
}

namespace {

Error unreadable(const std::string& path) {
  return usage_error(path, fmt::format("cannot be read: {}", std::strerror(errno)));
}

}  // namespace

std::string read_text_file(const std::string& path, Bytes most) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file) throw unreadable(path);
  return read_text_file(file.get(), path, most);
}

std::string read_text_file(int file, const std::string& path, Bytes most) {
  struct stat info {};
  if (::fstat(file, &info) != 0) throw unreadable(path);
  if (const std::string kind = irregular_kind(info); !kind.empty())
    throw usage_error(path, "is " + kind + ", not a file");
  std::string text;
  // The size of files in /proc is 0: they are read until their end.
  for (auto room = static_cast<std::size_t>(std::clamp<Bytes>(info.st_size, 0, most) + 1);; room = 64 * KiB) {
    const std::size_t before = text.size();
    text.resize(before + room);
    const ssize_t got = ::read(file, text.data() + before, room);
    if (got < 0 && errno != EINTR) throw unreadable(path);
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (static_cast<Bytes>(text.size()) > most)
      throw usage_error(path, fmt::format("is larger than {}", format_bytes(most)));
    if (got == 0) return text;
  }
}

}  // namespace edagen
