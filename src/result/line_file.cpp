#include "result/line_file.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/destination.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"

namespace edagen {

LineFile::LineFile(std::string what, std::string path, int flags, int directory)
    : what_(std::move(what)), path_(std::move(path)), directory_(directory), file_(opened(flags & ~O_TRUNC)) {
  const std::string shown = what_ + " " + path_;
  struct stat info {};
  if (!file_ || ::fstat(file_.get(), &info) != 0) throw usage_error(shown, std::strerror(errno));
  is_file_ = path_ != "-" && S_ISREG(info.st_mode);
  if (!is_file_) return;
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw usage_error(shown, "is being written by another run", "another file");
  if ((flags & O_TRUNC) != 0 && ::ftruncate(file_.get(), 0) != 0) throw usage_error(shown, std::strerror(errno));
}

Descriptor LineFile::opened(int flags) const {
  if (path_ == "-") return Descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  if ((flags & O_NOFOLLOW) != 0) return Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644));
  try {
    return destination_of(path_, directory_).open(O_WRONLY | O_CREAT | flags, 0644);
  } catch (const std::system_error& error) {
    throw usage_error(what_ + " " + path_, error.code().message());
  }
}

void LineFile::add(const std::string& line) {
  const std::string text = (torn_ ? "\n" : "") + line + "\n";
  std::size_t done = 0;
  if (write_all(file_.get(), text, &done)) {
    size_ += static_cast<off_t>(done);
    torn_ = false;
    return;
  }
  const int error = errno;
  // A part of a line would spoil the next one: what is whole stays.
  if (done > 0) torn_ = !is_file_ || ::ftruncate(file_.get(), size_) != 0 || ::lseek(file_.get(), size_, SEEK_SET) < 0;
  if (lost_++ > 0) return;
  if (path_ == "-" && error == EPIPE) std::cout.setstate(std::ios::badbit);
  why_lost_ = error;
  spdlog::warn("{} {}: {}; lines are missing", what_, one_line(path_), std::strerror(error));
}

std::string LineFile::lost() const {
  if (lost_ == 0) return "";
  return fmt::format("{} line{} missing: {}", lost_, lost_ == 1 ? " is" : "s are", std::strerror(why_lost_));
}

/// `flags`: of fstatat(2).
bool LineFile::is_at_its_path(int flags) const {
  struct stat open {
  }, named{};
  return ::fstat(file_.get(), &open) == 0 && ::fstatat(directory_, name().c_str(), &named, flags) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

/// The file's name in `directory_`.
std::string LineFile::name() const {
  return directory_ == AT_FDCWD ? path_ : std::filesystem::path(path_).filename().string();
}

std::string LineFile::lack() const {
  return is_file_ && !is_at_its_path(0) ? "was removed or replaced during the run" : lost();
}

std::string LineFile::lack_in_storage() const {
  std::string found = lack();
  // What the page cache has taken may fail behind it (a thin volume or an NFS server that is full).
  if (is_file_ && found.empty() && ::fsync(file_.get()) != 0)
    found = fmt::format("lines may be missing: {}", std::strerror(errno));
  return found;
}

void LineFile::remove() {
  if (is_at_its_path(AT_SYMLINK_NOFOLLOW)) ::unlinkat(directory_, name().c_str(), 0);
}

}  // namespace edagen
