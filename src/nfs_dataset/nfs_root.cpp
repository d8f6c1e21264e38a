#include "nfs_dataset/nfs_root.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <random>

#include "dataset/dataset_layout.hpp"
#include "dataset/dataset_lock.hpp"
#include "dataset/dataset_names.hpp"
#include "edagen/error.hpp"
#include "nfs_dataset/nfs_checks.hpp"
#include "nfs_dataset/nfs_tree.hpp"

namespace edagen {
namespace {

constexpr std::uint32_t to_make_files = access_modify | access_extend;

std::string who_hint(const AuthSys& who) {
  return who.uid == 0 ? "root is another user there, as with root_squash: ?uid=N&gid=N of a user who may write, or "
                        "no_root_squash on the export; or the export is read-only"
                      : "?uid=N&gid=N of a user who may write; or the export is read-only";
}

/// The owner of files that the run makes: servers turn root or all users into another user.
uid_t owner_of_new_files(NfsSession& session) {
  std::random_device device;
  const std::string name = fmt::format(".edagen-{:08x}{:08x}", device(), device());
  const NfsHandle& root = session.at().mounted.root;
  NfsFile file;
  require_ok(session.create_exclusively(root, name, 0600, file), session.at().name() + "/" + name);
  require_ok(session.remove(root, name), session.at().name() + "/" + name);
  return file.attributes.uid;
}

}  // namespace

NfsRoot::NfsRoot(const NfsExport& at, NfsSession& session) : at_(&at), path_(at.name() + "/" + dataset_directory) {
  open(session);
  if (!exists()) {
    check_may_write(session);
    return;
  }
  check_owner(session, false);
  NfsLock::check(session, directory_, owner_, path_);
  marker_ = look(session);
}

NfsRoot::~NfsRoot() = default;
NfsRoot::NfsRoot(NfsRoot&&) noexcept = default;

void NfsRoot::open(NfsSession& session) {
  NfsFile file;
  const NfsStatus found = session.look_up(at_->mounted.root, dataset_directory, file);
  if (found == NfsStatus::noent) return;
  if (found != NfsStatus::ok) throw usage_error(path_, status_text(found));
  if (const std::string why = why_not_directory(file, *at_); !why.empty())
    throw usage_error(path_, why, "move it away");
  directory_ = file.handle;
  attributes_ = file.attributes;
  owner_ = file.attributes.uid;
}

void NfsRoot::check_may_write(NfsSession& session) const {
  std::uint32_t allowed = 0;
  require_ok(session.access(at_->mounted.root, to_make_files, allowed), at_->name());
  if ((allowed & to_make_files) != to_make_files) refuse_user();
}

void NfsRoot::refuse_user() const {
  throw usage_error(at_->name(), fmt::format("user {} may not make a directory there", at_->who.uid),
                    who_hint(at_->who));
}

/// A dataset must belong to the owner of files that this run makes. Without `may_write` another user's dataset may be
/// one that the server's mapping of users explains, which is found by making a file, later.
void NfsRoot::check_owner(NfsSession& session, bool may_write) const {
  uid_t owner = at_->who.uid;
  if (attributes_.uid != owner) {
    if (!may_write) return;
    owner = owner_of_new_files(session);
  }
  if (const std::string why = not_own(attributes_, owner); !why.empty()) throw usage_error(path_, why, "move it away");
}

/// The marker; nullopt when there is nothing, or only the rest of a run that was killed before it wrote a marker.
std::optional<DatasetMarker> NfsRoot::look(NfsSession& session) const {
  NfsFile file;
  const NfsStatus found = session.look_up(directory_, marker_name, file);
  if (found == NfsStatus::ok) {
    check_own_file(file, owner_, path_ + "/" + marker_name);
    std::string text;
    require_ok(session.read(file.handle, max_marker_bytes, text), path_ + "/" + marker_name);
    std::optional<DatasetMarker> marker = parse_marker(text);
    if (!marker) refuse_marker(path_);
    return marker;
  }
  if (found != NfsStatus::noent) require_ok(found, path_ + "/" + marker_name);
  std::vector<NfsEntry> entries;
  require_ok(session.list(directory_, entries), path_);
  for (const NfsEntry& entry : entries)
    if (!is_own_name(entry.name))
      throw usage_error(path_, "is not empty and has no marker of edagen's", "move it away");
  return std::nullopt;
}

void NfsRoot::lock(NfsSession& session) {
  if (claimed()) return;
  check_owner(session, true);
  lock_ = std::make_unique<NfsLock>(session, directory_, owner_, path_);
}

void NfsRoot::claim(NfsSession& session, const DatasetMarker& fresh) {
  if (!exists()) {
    NfsFile made;
    const NfsStatus status = session.make_directory(at_->mounted.root, dataset_directory, made);
    if (status == NfsStatus::acces || status == NfsStatus::perm) refuse_user();
    if (status != NfsStatus::exist) require_ok(status, path_);
    open(session);
    if (!exists()) throw run_error(path_, "has just been made, and is gone");
  }
  look(session);  // before the lock, so that no lock file is left in a directory that is no dataset
  lock(session);
  const std::optional<DatasetMarker> there = look(session);
  const std::string& expected = marker_ ? marker_->id : fresh.id;  // our own, if it came by another URL of this run
  if (there ? there->id != expected : marker_.has_value())
    throw usage_error(path_, "has been replaced or changed in the meantime", "nothing was done in it");
  marker_ = there.value_or(fresh);
  marker_->complete = false;
  write_marker(session);
}

void NfsRoot::claim_with_leader(NfsSession& session, const DatasetMarker& fresh) {
  open(session);
  const std::optional<DatasetMarker> there = exists() ? look(session) : std::nullopt;
  if (!there || there->id != fresh.id)
    throw usage_error(path_, "is not the dataset that rank 0 has made", "one export for all hosts");
  check_owner(session, true);
  marker_ = there;
  is_leaders_ = true;
}

/// A new marker appears as a whole, by a rename; of a marker that is there one RPC changes the state.
void NfsRoot::write_marker(NfsSession& session) const {
  const std::string text = marker_text(*marker_), shown = path_ + "/" + marker_name;
  NfsFile file;
  const NfsStatus found = session.look_up(directory_, marker_name, file);
  if (found == NfsStatus::noent) {
    const NfsStatus removed = session.remove(directory_, new_marker_name);  // of a run that was killed
    if (removed != NfsStatus::noent) require_ok(removed, path_ + "/" + new_marker_name);
    require_ok(session.create_exclusively(directory_, new_marker_name, 0644, file), path_ + "/" + new_marker_name);
    require_ok(session.write(file.handle, 0, as_byte_span(text)), path_ + "/" + new_marker_name);
    return require_ok(session.rename(directory_, new_marker_name, marker_name), shown);
  }
  require_ok(found, shown);
  require_ok(session.write(file.handle, 0, as_byte_span(text)), shown);
  if (file.attributes.size > text.size())
    require_ok(session.set_attributes(file.handle, size_alone(text.size())), shown);
}

void NfsRoot::mark_complete(NfsSession& session) {
  if (is_leaders_) return;
  marker_->complete = true;
  write_marker(session);
}

bool NfsRoot::is_gone(NfsSession& session) const {
  NfsAttributes attributes;
  return exists() && session.get_attributes(directory_, attributes) == NfsStatus::stale;
}

bool NfsRoot::is_marked(NfsSession& session) const {
  try {
    const std::optional<DatasetMarker> there = look(session);
    return there && marker_ && there->id == marker_->id;
  } catch (const Error& error) {
    return marker_ && error.kind() == Error::Kind::run;  // an unreadable marker may still exist
  }
}

void NfsRoot::remove(NfsSession& session, std::size_t threads, StuckWatch& watch, ForeignLeft& left) {
  if (!exists() || is_leaders_) return;
  StuckWatch::Thread self(watch);
  self.call_started("looking at", path_);
  look(session);  // as in claim()
  lock(session);
  if (lock_->shared()) return;
  lock_->check_not_lost(session);
  const std::optional<DatasetMarker> there = look(session);
  if (marker_ && !there) throw run_error(path_, "somebody has removed its marker", "nothing else was removed");
  if (there.has_value() != marker_.has_value() || (there && there->id != marker_->id))
    throw run_error(path_, "is another dataset by now", "nothing was removed");
  self.pause();
  if (!remove_content(*at_, directory_, path_, threads, watch, left)) return;

  self.call_started("removing", path_);
  // The marker goes last but one, so that `edagen clean` recognises the dataset until then.
  lock_->forget();
  for (const char* const name : {new_marker_name, marker_name, lock_name})
    if (const NfsStatus removed = session.remove(directory_, name); removed != NfsStatus::noent)
      require_ok(removed, path_ + "/" + name);
  NfsFile named;
  if (session.look_up(at_->mounted.root, dataset_directory, named) != NfsStatus::ok ||
      named.attributes.file_id != attributes_.file_id)
    throw run_error(path_,
                    "was moved in the meantime: what it held is removed, the empty directory is left where it is");
  require_ok(session.remove_directory(at_->mounted.root, dataset_directory), path_);
  lock_.reset();
  directory_ = NfsHandle();
  marker_.reset();
}

bool remove_nfs_dataset(const NfsExport& at, std::size_t threads, StuckWatch& watch, const std::string& id) {
  StuckWatch::Thread self(watch);
  self.call_started("opening", at.name(), dataset_directory);
  NfsSession session(at);
  NfsRoot root(at, session);
  self.pause();
  if (!root.exists()) return false;
  if (!id.empty() && (!root.marker() || root.marker()->id != id))
    throw run_error(root.path(), "is another dataset by now", "nothing was removed");
  if (const std::string renewed = NfsLock::expired_renewal(session, root.directory()); !renewed.empty())
    spdlog::info("{}: the lock of a run that has ended was last renewed {}", root.path(), renewed);
  ForeignLeft left;
  root.remove(session, threads, watch, left);
  left.check();
  return true;
}

}  // namespace edagen
