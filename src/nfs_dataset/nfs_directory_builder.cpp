#include "nfs_dataset/nfs_directory_builder.hpp"

#include <algorithm>

#include "base/words.hpp"
#include "dataset/dataset_names.hpp"
#include "dataset/dataset_removal.hpp"
#include "dataset/foreign_files.hpp"
#include "edagen/error.hpp"
#include "nfs_dataset/nfs_checks.hpp"
#include "nfs_dataset/nfs_tree.hpp"

namespace edagen {
namespace {

std::string leaf_of(const NameWriter& names, NameRef ref) {
  char leaf[NameWriter::longest];
  return {leaf, names.write_leaf(ref, leaf)};
}

}  // namespace

void NfsDirectoryBuilder::build(NfsSession& session, const std::string& above, const FileSet& files,
                                const NfsRoot& root, std::uint64_t index, const std::stop_token& stop) {
  session_ = &session;
  there_.clear();
  data_files_.clear();
  make_path(above, files, root, index);
  if (!fresh_) remove_changes(files, index, root.owner());
  make_files(files, index, stop);
  if (!stop.stop_requested()) make_other_names(files, index);
  ++counters_.directories;
  thread_.pause();
}

/// Finds the directory, making it and its parents as needed.
void NfsDirectoryBuilder::make_path(const std::string& above, const FileSet& files, const NfsRoot& root,
                                    std::uint64_t index) {
  thread_.call_started("opening", root.path(), above);
  directory_ = own_directory(*session_, root.directory(), root.path(), above, root.owner()).handle;
  path_ = root.path() + "/" + above;
  char buffer[NameWriter::longest];
  const std::string relative(buffer, NameWriter(files.dataset()).write_directory(index, buffer));
  for (const std::string& component : split_at(relative, '/')) {
    thread_.call_started("making", path_, component);
    NfsFile made;
    const NfsStatus status = session_->make_directory(directory_, component, made);
    fresh_ = status == NfsStatus::ok;
    if (status == NfsStatus::exist) made = own_directory(*session_, directory_, path_, component, root.owner());
    else require_ok(status, shown(component));
    directory_ = made.handle;
    path_ = shown(component);
  }
}

void NfsDirectoryBuilder::remove(const NfsEntry& entry) {
  ForeignLeft left;
  NfsRemoval(left, *session_, thread_).entry(directory_, entry, path_, level_of_files);
  left.check();
}

/// Removes what a run has left here, and lists the names that are as planned.
void NfsDirectoryBuilder::remove_changes(const FileSet& files, std::uint64_t index, uid_t owner) {
  const NameWriter names(files.dataset());
  std::vector<NfsEntry> entries;
  thread_.call_started("listing", path_);
  require_ok(session_->list(directory_, entries), path_);
  // Links are removed first and made again: a file that still has a second name afterwards does not belong to the
  // dataset alone.
  std::vector<NfsEntry> kept;
  for (NfsEntry& entry : entries) {
    const NameRef ref = NameWriter::parse_leaf(entry.name);
    const bool is_directory = entry.file.attributes.type == NfsFileType::directory;
    if (ref.cls == NameClass::none && (is_directory || !is_of_removed_file(entry.name)))
      refuse_foreign(shown(entry.name));
    if (ref.cls == NameClass::data || ref.cls == NameClass::empty || ref.cls == NameClass::made_dir)
      kept.push_back(std::move(entry));
    else remove(entry);
  }
  const bool links_were_removed = kept.size() != entries.size();
  for (NfsEntry& entry : kept) {
    const NameRef ref = NameWriter::parse_leaf(entry.name);
    NfsAttributes& found = entry.file.attributes;
    if (links_were_removed && found.links > 1)
      require_ok(session_->get_attributes(entry.file.handle, found), shown(entry.name));
    const bool expected = files.has(ref) && names.directory_of(ref) == index && found.uid == owner;
    const bool own_file = expected && found.type == NfsFileType::regular && found.links == 1;
    const Bytes size = ref.cls == NameClass::data && expected ? files.data_file_size(ref.index) : 0;
    const bool good = ref.cls == NameClass::made_dir
                          ? expected && found.type == NfsFileType::directory && not_own(found, owner).empty()
                          : own_file && found.size == static_cast<std::uint64_t>(size);
    if (!good) {
      remove(entry);
      continue;
    }
    there_.push_back(ref);
    if (ref.cls == NameClass::data) data_files_.push_back(std::move(entry));
  }
  std::ranges::sort(there_);
}

void NfsDirectoryBuilder::make_files(const FileSet& files, std::uint64_t index, const std::stop_token& stop) {
  const NameWriter names(files.dataset());
  Payload& payload = payload_.of(files.spec());
  make_missing_files(files, index, there_, counters_, stop, [&](NameRef ref, Bytes size) {
    const std::string leaf = leaf_of(names, ref);
    const NfsFile made = make_file(leaf, size, payload, stop);
    if (ref.cls == NameClass::data && files.has_hard_links()) data_files_.push_back({leaf, made});
  });
}

void NfsDirectoryBuilder::make_other_names(const FileSet& files, std::uint64_t index) {
  const NameWriter names(files.dataset());
  files.for_each(NameClass::made_dir, index, [&](NameRef ref) {
    const std::string leaf = leaf_of(names, ref);
    NfsFile made;
    thread_.call_started("making", path_, leaf);
    if (const NfsStatus status = session_->make_directory(directory_, leaf, made); status != NfsStatus::exist)
      require_ok(status, shown(leaf));
  });
  for (const NameClass cls : {NameClass::symlink, NameClass::hard_link})
    files.for_each(cls, index, [&](NameRef ref) {
      const std::string target = leaf_of(names, {NameClass::data, ref.index % files.data_files()});
      const std::string leaf = leaf_of(names, ref);
      thread_.call_started("making", path_, leaf);
      NfsStatus status = NfsStatus::ok;
      if (cls == NameClass::symlink) {
        status = session_->make_symlink(directory_, leaf, target);
      } else {
        const auto linked = std::ranges::find(data_files_, target, &NfsEntry::name);
        if (linked == data_files_.end()) throw run_error(shown(target), "is gone");
        status = session_->make_link(linked->file.handle, directory_, leaf);
      }
      if (status != NfsStatus::exist) require_ok(status, shown(leaf));
    });
}

NfsFile NfsDirectoryBuilder::make_file(const std::string& leaf, Bytes size, Payload& payload,
                                       const std::stop_token& stop) {
  thread_.call_started("making", path_, leaf);
  NfsFile file;
  require_ok(session_->create(directory_, leaf, 0644, file), shown(leaf));
  for (Bytes done = 0; done < size && !stop.stop_requested();) {
    const Bytes length = std::min(build_write_bytes, size - done);
    const char* const bytes = payload.stretch(length);
    require_ok(session_->write(file.handle, static_cast<std::uint64_t>(done),
                               as_byte_span({bytes, static_cast<std::size_t>(length)})),
               shown(leaf));
    thread_.resume();
    done += length;
    counters_.bytes.fetch_add(length, std::memory_order_relaxed);
  }
  counters_.files_made.fetch_add(1, std::memory_order_relaxed);
  return file;
}

}  // namespace edagen
