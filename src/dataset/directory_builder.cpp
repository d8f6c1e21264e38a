#include "directory_builder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "edagen/core/error.hpp"

namespace edagen {
namespace {

constexpr Bytes chunk = MiB;

bool before(const NameRef& a, const NameRef& b) {
  return a.cls != b.cls ? a.cls < b.cls : a.index < b.index;
}

}  // namespace

void DirectoryBuilder::fail() const { throw run_error(path_ + "/" + leaf_, std::strerror(errno)); }

void DirectoryBuilder::build(const PlannedProc& proc, int root, const std::string& path, std::uint64_t index,
                             std::stop_token stop) {
  leaf_[0] = 0;
  path_ = path;
  make_path(proc, root, index);
  there_.clear();
  if (!fresh_) remove_changes(proc, index);
  make_names(proc, index, stop);
  ++counters_.directories;
}

/// Opens the directory, making it and those above it as needed.
void DirectoryBuilder::make_path(const PlannedProc& proc, int root, std::uint64_t index) {
  const std::string above = proc_directory(proc.client, proc.proc_of_client);
  Descriptor at(::openat(root, above.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!at) fail();
  char relative[NameWriter::longest];
  NameWriter(proc.files.dataset()).write_directory(index, relative);
  path_ += std::string("/") + relative;
  char* rest = relative;
  while (char* const component = strsep(&rest, "/")) {
    fresh_ = ::mkdirat(at.get(), component, 0755) == 0;
    if (!fresh_ && errno != EEXIST) fail();
    at = Descriptor(::openat(at.get(), component, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!at) fail();
  }
  directory_ = std::move(at);
}

/// Removes what a run has left here and notes what is as it should be.
void DirectoryBuilder::remove_changes(const PlannedProc& proc, std::uint64_t index) {
  const NameWriter names(proc.files.dataset());
  struct stat here {};
  if (::fstat(directory_.get(), &here) != 0) fail();
  for_each_name(directory_.get(), [&](const char* name, unsigned char) {
    std::strncpy(leaf_, name, sizeof leaf_ - 1);
    const NameRef ref = NameWriter::parse_leaf(name);
    struct stat info {};
    if (::fstatat(directory_.get(), name, &info, AT_SYMLINK_NOFOLLOW) != 0) fail();
    const bool expected = ref.cls != NameClass::none && ref.index < proc.files.count(ref.cls) &&
                          names.directory_of(ref) == index;
    // Links are made anew: what they point to may have been replaced.
    const bool good = expected && ((ref.cls == NameClass::data && S_ISREG(info.st_mode) &&
                                    info.st_size == proc.files.file_size(ref.index)) ||
                                   (ref.cls == NameClass::empty && S_ISREG(info.st_mode) && info.st_size == 0) ||
                                   (ref.cls == NameClass::made_dir && S_ISDIR(info.st_mode)));
    if (good) there_.push_back(ref);
    else if (proc.files.dataset().depth == 1 || !S_ISDIR(info.st_mode) || ref.cls == NameClass::made_dir)
      remove_tree(directory_.get(), name, here.st_dev);
  });
  std::sort(there_.begin(), there_.end(), before);
}

bool DirectoryBuilder::is_there(NameRef ref) const {
  return !there_.empty() && std::binary_search(there_.begin(), there_.end(), ref, before);
}

void DirectoryBuilder::make_names(const PlannedProc& proc, std::uint64_t index, std::stop_token stop) {
  const NameWriter names(proc.files.dataset());
  const std::uint64_t step = proc.files.dataset().directories;
  Payload& payload = payload_for(proc);
  const int directory = directory_.get();
  for (std::uint64_t i = index; i < proc.files.count(NameClass::data) && !stop.stop_requested(); i += step) {
    const NameRef ref{NameClass::data, i};
    const Bytes size = proc.files.file_size(i);
    if (is_there(ref)) {
      counters_.bytes.fetch_add(size, std::memory_order_relaxed);
    } else {
      names.write_leaf(ref, leaf_);
      make_file(size, payload, stop);
    }
    counters_.files.fetch_add(1, std::memory_order_relaxed);
  }
  for (std::uint64_t i = index; i < proc.files.count(NameClass::empty) && !stop.stop_requested(); i += step) {
    const NameRef ref{NameClass::empty, i};
    if (!is_there(ref)) {
      names.write_leaf(ref, leaf_);
      make_file(0, payload, stop);
    }
    counters_.files.fetch_add(1, std::memory_order_relaxed);
  }
  for (std::uint64_t i = index; i < proc.files.count(NameClass::made_dir); i += step) {
    names.write_leaf({NameClass::made_dir, i}, leaf_);
    if (::mkdirat(directory, leaf_, 0755) != 0 && errno != EEXIST) fail();
  }
  for (const NameClass cls : {NameClass::symlink, NameClass::hard_link})
    for (std::uint64_t i = 0; i < proc.files.count(cls); ++i) {
      if (names.directory_of({cls, i}) != index) continue;
      char target[NameWriter::longest];
      names.write_leaf({NameClass::data, i % proc.files.count(NameClass::data)}, target);
      names.write_leaf({cls, i}, leaf_);
      if ((cls == NameClass::symlink ? ::symlinkat(target, directory, leaf_)
                                     : ::linkat(directory, target, directory, leaf_, 0)) != 0 &&
          errno != EEXIST)
        fail();
    }
}

void DirectoryBuilder::make_file(Bytes size, Payload& payload, std::stop_token stop) {
  Descriptor file(
      ::openat(directory_.get(), leaf_, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) fail();
  for (Bytes done = 0; done < size && !stop.stop_requested();) {
    const Bytes length = std::min(chunk, size - done);
    const ssize_t took = ::write(file.get(), payload.stretch(length), static_cast<std::size_t>(length));
    if (took < 0) fail();
    done += took;
    counters_.bytes.fetch_add(took, std::memory_order_relaxed);
  }
  if (const int error = file.close()) errno = error, fail();
  counters_.files_made.fetch_add(1, std::memory_order_relaxed);
}

Payload& DirectoryBuilder::payload_for(const PlannedProc& proc) {
  const ProcSpec& spec = proc.files.spec();
  if (spec.duplicate_percent != duplicate_percent_ || spec.compressible_percent != compressible_percent_) {
    duplicate_percent_ = spec.duplicate_percent;
    compressible_percent_ = spec.compressible_percent;
    payload_.emplace(chunk, duplicate_percent_, compressible_percent_,
                     static_cast<std::uint64_t>(now().time_since_epoch().count()));
  }
  return *payload_;
}

void for_each_name(int directory_fd, const std::function<void(const char*, unsigned char)>& f) {
  // All names first: changing a directory while reading it may skip entries.
  const int copy = ::openat(directory_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* const stream = copy < 0 ? nullptr : ::fdopendir(copy);
  if (stream == nullptr) return;
  std::vector<std::pair<std::string, unsigned char>> names;
  while (const dirent* const entry = ::readdir(stream)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name, entry->d_type);
  }
  ::closedir(stream);
  for (const auto& [name, type] : names) f(name.c_str(), type);
}

void remove_tree(int parent, const char* name, dev_t device) {
  if (::unlinkat(parent, name, 0) == 0 || errno == ENOENT) return;
  if (errno != EISDIR && errno != EPERM) throw run_error(name, std::strerror(errno));
  const Descriptor directory(::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat info {};
  if (!directory || ::fstat(directory.get(), &info) != 0) throw run_error(name, std::strerror(errno));
  if (info.st_dev != device)
    throw run_error(name, "is another file system, mounted inside of the dataset", "unmount it first");
  for_each_name(directory.get(), [&](const char* inner, unsigned char) { remove_tree(directory.get(), inner, device); });
  if (::unlinkat(parent, name, AT_REMOVEDIR) != 0 && errno != ENOENT) throw run_error(name, std::strerror(errno));
}

}  // namespace edagen
