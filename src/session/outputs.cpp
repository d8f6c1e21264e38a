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
#include "base/destination.hpp"
#include "base/write_file.hpp"
#include "dataset/dataset_layout.hpp"
#include "edagen/error.hpp"
#include "result/history_directory.hpp"
#include "session/file_location.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) || fs::weakly_canonical(fs::absolute(a, ignored), ignored) ==
                                              fs::weakly_canonical(fs::absolute(b, ignored), ignored);
}

[[noreturn]] void fail(int error) { throw std::system_error(error, std::generic_category()); }

void write_in_place(const Destination& to, const std::string& text) {
  Descriptor file = to.open(O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!file || !write_all(file.get(), text)) fail(errno);
  if (const int error = file.close(); error != 0) fail(error);
}

/// A name with the number of this process, or with another number when a process of the same number, as in a container,
/// was killed and has left its file.
std::string free_name_beside(const Destination& to) {
  constexpr long step = 100'000'000;  // above the numbers of processes
  struct stat info {};
  long number = ::getpid();
  const auto name = [&] { return fmt::format("{}.{}.part", to.name, number); };
  while (number < 100 * step && ::fstatat(to.directory.get(), name().c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0)
    number += step;
  return name();
}

/// A new file beside the destination, with the mode and the owner of the file that is there; none where that cannot be.
Descriptor file_beside(const Destination& to, const std::string& beside) {
  Descriptor file(::openat(to.directory.get(), beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file && (errno == ENOSPC || errno == EDQUOT)) fail(errno);
  struct stat before {
  }, made{};
  if (!file || !to.status(before)) return file;
  const bool alike = ::fstat(file.get(), &made) == 0 && before.st_nlink == 1 &&
                     ((made.st_uid == before.st_uid && made.st_gid == before.st_gid) ||
                      ::fchown(file.get(), before.st_uid, before.st_gid) == 0) &&
                     ::fchmod(file.get(), before.st_mode & 0777) == 0;
  if (alike) return file;
  ::unlinkat(to.directory.get(), beside.c_str(), 0);
  return Descriptor();
}

/// Opens the file that is there, which changes nothing and which the kernel may refuse: O_CREAT is for the rules of
/// fs.protected_regular and fs.protected_fifos. 0 or an errno.
int why_not_writable(const Destination& to) {
  struct stat info {};
  if (!to.status(info)) return errno == ENOENT ? 0 : errno;
  return to.open(O_WRONLY | O_CREAT | O_NONBLOCK, 0600) ? 0 : errno;
}

/// The text is written beside the file and put in its place when it is whole, or in place where the directory does not
/// allow that.
void replace_output(const Destination& to, const std::string& text, bool durably) {
  if (const int error = why_not_writable(to); error != 0) fail(error);
  const int directory = to.directory.get();
  const std::string beside = free_name_beside(to);
  Descriptor file = to.is_kernel_link ? Descriptor() : file_beside(to, beside);
  if (!file) return write_in_place(to, text);
  if (!(durably ? write_durably(std::move(file), text) : write_all(file.get(), text))) {
    const int error = errno;
    ::unlinkat(directory, beside.c_str(), 0);
    fail(error);
  }
  if (::renameat(directory, beside.c_str(), directory, to.name.c_str()) == 0) return;
  const int error = errno;
  ::unlinkat(directory, beside.c_str(), 0);
  // The file is a mount point, or another user's in a sticky directory; after other errors it keeps what it has.
  if (error != EBUSY && error != EPERM && error != EACCES && error != EXDEV) fail(error);
  write_in_place(to, text);
}

/// Makes nothing: permissions are looked at. 0 or an errno.
int permission_to_write(const Destination& to) {
  struct stat info {};
  const bool is_there = to.status(info);
  if (is_there && S_ISDIR(info.st_mode)) return EISDIR;
  const int flags = AT_EACCESS | (to.is_kernel_link ? 0 : AT_SYMLINK_NOFOLLOW);
  const int refused = is_there ? ::faccessat(to.directory.get(), to.name.c_str(), W_OK, flags)
                               : ::faccessat(to.directory.get(), ".", W_OK | X_OK, AT_EACCESS);
  return refused == 0 ? 0 : errno;
}

/// Whether the file or the pipe is stdout, by another path than -: two descriptors of one file write over each other.
bool is_stdout(const Destination& to) {
  struct stat info {
  }, out{};
  return to.status(info) && ::fstat(STDOUT_FILENO, &out) == 0 && info.st_ino == out.st_ino &&
         info.st_dev == out.st_dev && !S_ISCHR(info.st_mode);
}

/// Whether two destinations are one file, also by two hard links, as a file of two names is written in place.
bool are_one(const Destination& one, const Destination& other) {
  struct stat a {
  }, b{};
  return one == other ||
         (one.status(a) && other.status(b) && S_ISREG(a.st_mode) && a.st_ino == b.st_ino && a.st_dev == b.st_dev);
}

/// A socket cannot be opened, and a block device may hold a file system. Else "".
std::string kind_without_outputs(const Destination& to) {
  struct stat info {};
  if (!to.status(info)) return "";
  return S_ISSOCK(info.st_mode) ? "a socket" : S_ISBLK(info.st_mode) ? "a block device" : "";
}

/// Tries it, and leaves nothing behind. 0 or an errno.
int try_to_write(const Destination& to) {
  struct stat info {};
  if (to.status(info)) return why_not_writable(to);
  if (!to.open(O_WRONLY | O_CREAT | O_EXCL, 0600)) return errno;
  ::unlinkat(to.directory.get(), to.name.c_str(), 0);
  return 0;
}

/// "--json r.json"
std::string named(const Place& place) { return place.name + " " + place.path; }

Destination destination(const Place& place) { return destination_of(place.path, place.directory); }

}  // namespace

std::vector<std::string> directories_of(const Volume& volume) {
  const auto* const mounts = std::get_if<MountDirectories>(&volume);
  return mounts ? mounts->paths : std::vector<std::string>();
}

std::vector<std::string> directories_of(const ComparisonPlan& plan) {
  std::vector<std::string> all;
  for (const Variant& variant : plan.variants)
    for (const std::string& directory : directories_of(variant.plan.volume)) all.push_back(directory);
  return all;
}

void check_not_in_dataset(const Place& place, const std::vector<std::string>& mounts, StuckWatch::Thread& self) {
  if (place.path == "-") return;
  self.call_started("looking at " + place.name, place.path);
  const FileLocation location(place.path);
  bool inside = location.is_in_a_dataset();
  for (const std::string& mount : mounts) {
    self.call_started("looking at", mount);
    inside |= location.is_in_dataset_of(mount);
  }
  if (inside) throw usage_error(named(place), "lies in the dataset");
}

void check_not_below_dataset(const Place& place, const std::vector<std::string>& mounts) {
  const std::string path = fs::absolute(place.path).lexically_normal().string() + "/";
  for (const std::string& mount : mounts)
    if (path.starts_with((fs::absolute(mount) / dataset_directory).lexically_normal().string() + "/"))
      throw usage_error(named(place), "lies in the dataset");
}

void check_places(const std::vector<Place>& places, const std::vector<std::string>& inputs,
                  const std::vector<std::string>& mounts, StuckWatch& watch, bool touching) {
  StuckWatch::Thread self(watch);
  for (const Place& place : places) {
    check_not_in_dataset(place, mounts, self);
    self.call_started("looking at " + place.name, place.path);
    for (const std::string& input : inputs)
      if (same_file(place.path, input)) throw usage_error(named(place), "is an input of this command");
    if (place.path != "-" && is_kept_in_history(place.path))
      throw usage_error(named(place), "is kept in a history of nights");
  }
  std::vector<std::pair<const Place*, Destination>> checked;
  for (const Place& place : places) {
    Destination to;
    self.call_started("opening " + place.name, place.path);
    try {
      if (place.path != "-") to = destination(place);
    } catch (const std::system_error& error) {
      throw usage_error(named(place), error.code().message());
    }
    for (const auto& [other, known] : checked)
      if (other->path == place.path || (to.directory && known.directory && are_one(to, known)))
        throw usage_error(place.name, fmt::format("goes to the same place as {}: {}", other->name,
                                                  place.path == "-" ? "stdout" : place.path));
    checked.emplace_back(&place, std::move(to));
  }
  for (const auto& [place, to] : checked) {
    self.call_started("opening " + place->name, place->path);
    if (place->path == "-") continue;
    if (is_stdout(to)) throw usage_error(named(*place), "is stdout", "-");
    if (const std::string kind = kind_without_outputs(to); !kind.empty())
      throw usage_error(named(*place), "is " + kind + ", not a file");
    if (to.is_stream()) continue;  // opening a FIFO to check it would give its reader an end
    if (const int error = touching ? try_to_write(to) : permission_to_write(to); error != 0)
      throw usage_error(named(*place), std::strerror(error));
  }
}

void write_text(const Place& place, const std::string& text, bool durably) {
  try {
    if (place.path == "-") {
      std::cout << std::flush;
      if (!write_all(STDOUT_FILENO, text)) fail(errno);
    } else {
      const Destination to = destination(place);
      if (to.is_stream()) write_in_place(to, text);
      else replace_output(to, text, durably);
    }
  } catch (const std::system_error& error) {
    if (place.path == "-" && error.code().value() == EPIPE)
      std::cout.setstate(std::ios::badbit);  // nobody reads it: this decides the exit status
    throw run_error(fmt::format("{} {}", place.name, place.path == "-" ? "(stdout)" : place.path),
                    error.code().message());
  }
}

}  // namespace edagen
