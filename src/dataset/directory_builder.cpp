#include "dataset/directory_builder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/beneath.hpp"
#include "base/directory_tree.hpp"
#include "base/own_file.hpp"
#include "base/write_file.hpp"
#include "dataset/dataset_names.hpp"
#include "dataset/dataset_removal.hpp"
#include "dataset/foreign_files.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

/// Whether a file has a hole, which would be read without the storage. Few blocks are no proof: file systems compress.
bool has_hole(int directory, const char* name, const struct stat& info) {
  if (info.st_blocks * 512 >= info.st_size) return false;
  const Descriptor file = open_beneath(directory, name, O_RDONLY | O_NONBLOCK);
  const off_t hole = file ? ::lseek(file.get(), 0, SEEK_HOLE) : -1;
  return hole >= 0 && hole < info.st_size;
}

}  // namespace

Payload& BuildPayload::of(const ProcSpec& spec) {
  if (spec.duplicate_percent != duplicate_percent_ || spec.compressible_percent != compressible_percent_) {
    duplicate_percent_ = spec.duplicate_percent;
    compressible_percent_ = spec.compressible_percent;
    payload_.emplace(build_write_bytes, duplicate_percent_, compressible_percent_,
                     static_cast<std::uint64_t>(now().time_since_epoch().count()));
  }
  return *payload_;
}

void DirectoryBuilder::fail() const {
  throw run_error(path_ + (leaf_[0] == 0 ? "" : "/") + leaf_, why_not_beneath(errno));
}

void DirectoryBuilder::build(const std::string& above, const FileSet& files, const DatasetRoot& root,
                             std::uint64_t index, const std::stop_token& stop) {
  leaf_[0] = 0;
  path_ = root.path() + "/" + above;
  make_path(above, files, root, index);
  there_.clear();
  if (!fresh_) remove_changes(files, index, root.owner());
  make_names(files, index, stop);
  ++counters_.directories;
  thread_.pause();
}

/// Opens the directory, making it and its parents as needed.
void DirectoryBuilder::make_path(const std::string& above, const FileSet& files, const DatasetRoot& root,
                                 std::uint64_t index) {
  begin("opening");
  Descriptor at = open_beneath(root.descriptor(), above.c_str(), O_RDONLY | O_DIRECTORY);
  if (!at) fail();
  char relative[NameWriter::longest];
  NameWriter(files.dataset()).write_directory(index, relative);
  char* rest = relative;
  while (char* const component = strsep(&rest, "/")) {
    begin("making");
    fresh_ = ::mkdirat(at.get(), component, 0755) == 0;
    if (!fresh_ && errno != EEXIST) path_ += std::string("/") + component, fail();
    at = open_own_directory(at.get(), component, root.owner(), path_, "edagen clean removes the dataset");
    path_ += std::string("/") + component;
  }
  directory_ = std::move(at);
}

void DirectoryBuilder::remove(const char* name) {
  ForeignLeft left;
  DatasetRemoval(left, thread_).entry(directory_.get(), name, path_, level_of_files);
  left.check();
}

/// Removes what a run has left here, and lists the names that are as planned.
void DirectoryBuilder::remove_changes(const FileSet& files, std::uint64_t index, uid_t owner) {
  const NameWriter names(files.dataset());
  // Links are removed first and created again: their targets may have been replaced, and a file that still has a second
  // name afterwards does not belong to the dataset alone.
  std::vector<std::string> kept;
  for_each_name(directory_.get(), path_, [&](const char* name, unsigned char type) {
    const NameRef ref = NameWriter::parse_leaf(name);
    if (ref.cls == NameClass::data || ref.cls == NameClass::empty || ref.cls == NameClass::made_dir)
      return kept.emplace_back(name), void();
    if (ref.cls == NameClass::none && (type == DT_DIR || !is_of_removed_file(name))) refuse_foreign(path_ + "/" + name);
    remove(name);
  });
  for (const std::string& name : kept) {
    const NameRef ref = NameWriter::parse_leaf(name);
    struct stat info {};
    if (::fstatat(directory_.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) fail();
    const bool expected = files.has(ref) && names.directory_of(ref) == index && info.st_uid == owner;
    const bool own_file = expected && S_ISREG(info.st_mode) && info.st_nlink == 1;
    const bool good = ref.cls == NameClass::made_dir ? expected && S_ISDIR(info.st_mode) && not_own(info, owner).empty()
                      : ref.cls == NameClass::data   ? own_file && info.st_size == files.data_file_size(ref.index) &&
                                                         !has_hole(directory_.get(), name.c_str(), info)
                                                   : own_file && info.st_size == 0;
    if (good) there_.push_back(ref);
    else remove(name.c_str());
  }
  std::ranges::sort(there_);
}

void DirectoryBuilder::make_names(const FileSet& files, std::uint64_t index, const std::stop_token& stop) {
  const NameWriter names(files.dataset());
  Payload& payload = payload_.of(files.spec());
  const int directory = directory_.get();
  make_missing_files(files, index, there_, counters_, stop, [&](NameRef ref, Bytes size) {
    names.write_leaf(ref, leaf_);
    make_file(size, payload, stop);
  });
  files.for_each(NameClass::made_dir, index, [&](NameRef ref) {
    names.write_leaf(ref, leaf_);
    begin("making");
    if (::mkdirat(directory, leaf_, 0755) != 0 && errno != EEXIST) fail();
  });
  for (const NameClass cls : {NameClass::symlink, NameClass::hard_link})
    files.for_each(cls, index, [&](NameRef ref) {
      char target[NameWriter::longest];
      names.write_leaf({NameClass::data, ref.index % files.data_files()}, target);
      names.write_leaf(ref, leaf_);
      begin("making");
      if ((cls == NameClass::symlink ? ::symlinkat(target, directory, leaf_)
                                     : ::linkat(directory, target, directory, leaf_, 0)) != 0 &&
          errno != EEXIST)
        fail();
    });
}

void DirectoryBuilder::make_file(Bytes size, Payload& payload, const std::stop_token& stop) {
  begin("making");
  Descriptor file(::openat(directory_.get(), leaf_, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file) fail();
  for (Bytes done = 0; done < size && !stop.stop_requested();) {
    const Bytes length = std::min(build_write_bytes, size - done);
    if (!write_all(file.get(), {payload.stretch(length), static_cast<std::size_t>(length)})) fail();
    thread_.resume();
    done += length;
    counters_.bytes.fetch_add(length, std::memory_order_relaxed);
  }
  if (const int error = file.close()) errno = error, fail();
  counters_.files_made.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace edagen
