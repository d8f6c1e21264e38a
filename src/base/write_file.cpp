#include "base/write_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace edagen {
namespace {

/// Whether a pipe or a terminal that does not block takes bytes again: whoever shares it may have made it so for all.
bool takes_bytes_again(int file) {
  pollfd writable{file, POLLOUT, 0};
  return ::poll(&writable, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

bool write_all(int file, std::string_view text, std::size_t* written) {
  const std::size_t size = text.size();
  bool failed = false;
  while (!text.empty() && !failed) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count > 0) text.remove_prefix(static_cast<std::size_t>(count));
    else if (count == 0) errno = ENOSPC, failed = true;
    else failed = errno != EINTR && (errno != EAGAIN || !takes_bytes_again(file));
  }
  if (written != nullptr) *written = size - text.size();
  return !failed;
}

bool write_durably(Descriptor file, std::string_view text) {
  if (!write_all(file.get(), text) || ::fsync(file.get()) != 0) return false;
  const int error = file.close();
  if (error != 0) errno = error;
  return error == 0;
}

bool replace_file(int directory, const char* name, const std::string& beside, std::string_view text) {
  ::unlinkat(directory, beside.c_str(), 0);
  Descriptor file(::openat(directory, beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) return false;
  if (write_durably(std::move(file), text) && ::renameat(directory, beside.c_str(), directory, name) == 0) return true;
  const int error = errno;
  ::unlinkat(directory, beside.c_str(), 0);
  errno = error;
  return false;
}

}  // namespace edagen
