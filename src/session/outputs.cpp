#include "session/outputs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "base/descriptor.hpp"
#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_marker.hpp"
#include "edagen/error.hpp"
#include "result/history_directory.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

/// Does not touch the mount, which may hang, for a path that is in no directory of that name.
bool lies_in_dataset(const std::string& path, const std::string& mount) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(fs::absolute(path, ignored), ignored);
  if (std::ranges::find(real, fs::path(dataset_directory)) == real.end()) return false;
  const std::string data = fs::weakly_canonical(mount + "/" + dataset_directory, ignored).string();
  return (real.string() + "/").starts_with(data + "/");
}

/// Below a directory of that name with a marker in it, on whatever mount.
bool lies_in_some_dataset(const std::string& path) {
  std::error_code ignored;
  for (fs::path at = fs::weakly_canonical(fs::absolute(path, ignored), ignored); at.has_relative_path();
       at = at.parent_path())
    if (at.filename() == dataset_directory && fs::exists(at / marker_name, ignored)) return true;
  return false;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || fs::weakly_canonical(fs::absolute(a, ignored), ignored) ==
                                              fs::weakly_canonical(fs::absolute(b, ignored), ignored);
}

/// Where a link leads to, also one to a file that is not there yet: a file takes the place of that, not of the link.
std::string followed(const std::string& path) {
  std::error_code error;
  fs::path real = path;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(real, error)); ++links)
    real = real.parent_path() / fs::read_symlink(real, error);
  real = fs::weakly_canonical(real, error);
  return error ? path : real.string();
}

/// A FIFO, a device: what comes there is not taken back.
bool is_stream(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    if (written > 0) done += static_cast<std::size_t>(written);
    else if (written == 0 || errno != EINTR)
      throw std::system_error(written == 0 ? ENOSPC : errno, std::generic_category());
  }
}

void write_in_place(const std::string& path, const std::string& text) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file) throw std::system_error(errno, std::generic_category());
  write_all(file.get(), text);
}

/// A new file beside `path` with the mode and the owner that `path` has; none where that cannot be.
Descriptor file_beside(const std::string& path, const std::string& beside) {
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file && (errno == ENOSPC || errno == EDQUOT)) throw std::system_error(errno, std::generic_category());
  struct stat before {
  }, made{};
  if (!file || ::stat(path.c_str(), &before) != 0) return file;
  const bool alike = ::fstat(file.get(), &made) == 0 && before.st_nlink == 1 &&
                     ((made.st_uid == before.st_uid && made.st_gid == before.st_gid) ||
                      ::fchown(file.get(), before.st_uid, before.st_gid) == 0) &&
                     ::fchmod(file.get(), before.st_mode & 07777) == 0;
  if (alike) return file;
  ::unlink(beside.c_str());
  return Descriptor();
}

/// Written beside it and put in its place when it is whole; in place where the directory does not allow that.
void replace_file(const std::string& path, const std::string& text) {
  const std::string beside = fmt::format("{}.{}.part", path, ::getpid());
  const Descriptor file = file_beside(path, beside);
  if (!file) return write_in_place(path, text);
  try {
    write_all(file.get(), text);
  } catch (...) {
    ::unlink(beside.c_str());
    throw;
  }
  if (::rename(beside.c_str(), path.c_str()) == 0) return;
  ::unlink(beside.c_str());  // a mount point, or another user's in a sticky directory
  write_in_place(path, text);
}

/// errno, 0: it could be written.
int why_not_writable(const std::string& path) {
  if (fs::is_directory(path)) return EISDIR;
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0) return 0;
  if (errno != ENOENT) return errno;
  const std::string folder = fs::absolute(path).parent_path().string();
  return ::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

}  // namespace

std::vector<std::string> directories_of(const Volume& volume) {
  const auto* const mounts = std::get_if<MountDirectories>(&volume);
  return mounts ? mounts->paths : std::vector<std::string>();
}

void check_not_in_dataset(const Place& place, const std::vector<std::string>& mounts, StuckWatch::Thread& self) {
  bool inside = false;
  for (const std::string& mount : mounts) {
    self.begins("looking at", mount);
    inside |= lies_in_dataset(place.path, mount);
  }
  self.begins(fmt::format("looking at {}", place.name), place.path);
  if (inside || (place.path != "-" && lies_in_some_dataset(place.path)))
    throw usage_error(fmt::format("{} {}", place.name, place.path), "lies in the dataset");
}

void check_places(const std::vector<Place>& places, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& mounts, StuckWatch& watch, bool touching) {
  StuckWatch::Thread self(watch);
  for (const auto& [name, path] : places) {
    check_not_in_dataset({name, path}, mounts, self);
    self.begins(fmt::format("looking at {}", name), path);
    for (const std::string& input : inputs)
      if (same_file(path, input)) throw usage_error(fmt::format("{} {}", name, path), "is an input of this command");
    if (path != "-" && is_kept_in_history(path))
      throw usage_error(fmt::format("{} {}", name, path), "is kept in a history of nights");
  }
  for (auto place = places.begin(); place != places.end(); ++place)
    for (auto other = places.begin(); other != place; ++other)
      if (other->path == place->path || followed(other->path) == followed(place->path))
        throw usage_error(place->name, fmt::format("goes to the same place as {}: {}", other->name,
                                                   place->path == "-" ? "stdout" : place->path));
  for (const auto& [name, path] : places) {
    if (path == "-") continue;
    self.begins(fmt::format("opening {}", name), path);
    if (is_stream(path)) continue;  // who reads a FIFO would take the end of a first look for the end of all
    const std::string real = followed(path);
    if (!touching) {
      if (const int error = why_not_writable(real); error != 0)
        throw usage_error(fmt::format("{} {}", name, path), std::strerror(error));
      continue;
    }
    if (Descriptor(::open(real.c_str(), O_WRONLY | O_CLOEXEC))) continue;
    if (errno != ENOENT || !Descriptor(::open(real.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)))
      throw usage_error(fmt::format("{} {}", name, path), std::strerror(errno));
    ::unlink(real.c_str());
  }
}

void write_text(const Place& place, const std::string& text) {
  try {
    if (place.path == "-") {
      std::cout << std::flush;
      write_all(STDOUT_FILENO, text);
    } else if (is_stream(place.path)) {
      const Descriptor stream(::open(place.path.c_str(), O_WRONLY | O_CLOEXEC));
      if (!stream) throw std::system_error(errno, std::generic_category());
      write_all(stream.get(), text);
    } else {
      replace_file(followed(place.path), text);
    }
  } catch (const std::system_error& error) {
    if (place.path == "-" && error.code().value() == EPIPE)
      std::cout.setstate(std::ios::badbit);  // nobody reads it: the exit status is told from that
    throw run_error(fmt::format("{} {}", place.name, place.path == "-" ? "(stdout)" : place.path),
                    error.code().message());
  }
}

}  // namespace edagen
