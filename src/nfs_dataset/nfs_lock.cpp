#include "nfs_dataset/nfs_lock.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "base/rfc3339.hpp"
#include "dataset/dataset_lock.hpp"
#include "edagen/error.hpp"
#include "nfs_dataset/nfs_checks.hpp"

namespace edagen {
namespace {

constexpr int looks = 10;  ///< of 100 ms: a new holder may not have written its name yet

std::string hint_for(const std::string& path) {
  return fmt::format("a lock that is not renewed for {} s is over; if that run has ended, remove {}/{}",
                     lock_expiry_seconds, path, lock_name);
}

std::optional<LockHolder> holder_in(NfsSession& session, const NfsFile& file, const std::string& path) {
  std::string text;
  if (const NfsStatus status = session.read(file.handle, max_lock_bytes, text); status != NfsStatus::ok)
    throw usage_error(path + "/" + lock_name,
                      fmt::format("user {} cannot read it, which belongs to user {}: {}", session.at().who.uid,
                                  file.attributes.uid, status_text(status)),
                      "move it away, or ?uid=N&gid=N of its owner");
  return parse_lock_holder(text);
}

/// Whether a renewal that is old by this host's clock is old by the server's, too: clocks may differ by minutes.
/// The server stamps each WRITE of the name as `modified`, and the change that is made here as `changed`.
bool is_old_on_server(NfsSession& session, LockHolder holder, NfsFile& file, const std::string& shown) {
  if (!holder.renewed.empty()) holder.since = std::exchange(holder.renewed, {});
  if (has_ended(holder)) return true;  // its process has, or its host was restarted after it last wrote its name
  const NfsStatus touched = session.set_attributes(file.handle, mode_alone(0600), file.attributes.changed);
  if (touched == NfsStatus::not_sync) return false;  // it has just been renewed
  require_ok(touched, shown);
  require_ok(session.get_attributes(file.handle, file.attributes), shown);
  const std::int64_t written = file.attributes.modified.seconds, current = file.attributes.changed.seconds;
  return current - written > lock_expiry_seconds;
}

void refuse_if_in_use(const std::optional<LockHolder>& holder, const std::string& path) {
  if (holder && !has_ended(*holder)) refuse_holder(holder, path, hint_for(path));
}

}  // namespace

void NfsLock::check(NfsSession& session, const NfsHandle& directory, uid_t owner, const std::string& path) {
  NfsFile file;
  const NfsStatus found = session.look_up(directory, lock_name, file);
  if (found == NfsStatus::noent) return;
  require_ok(found, path + "/" + lock_name);
  check_own_file(file, owner, path + "/" + lock_name);
  const std::optional<LockHolder> holder = holder_in(session, file, path);
  if (holder && *holder == this_process()) return;
  refuse_if_in_use(holder, path);
}

std::string NfsLock::expired_renewal(NfsSession& session, const NfsHandle& directory) {
  NfsFile file;
  if (session.look_up(directory, lock_name, file) != NfsStatus::ok) return "";
  const std::optional<LockHolder> holder = holder_in(session, file, "");
  return holder && has_ended(*holder) ? holder->renewed : "";
}

NfsLock::NfsLock(NfsSession& session, const NfsHandle& directory, uid_t owner, const std::string& path)
    : at_(session.at()), directory_(directory), path_(path), me_(this_process()) {
  for (int left = looks; !try_to_take(session, directory, owner); --left) {
    if (left == 0) refuse_holder(std::nullopt, path_, hint_for(path_));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  if (held_) renewer_ = std::jthread([this](const std::stop_token& stop) { renew_until_stopped(stop); });
}

/// Returns false when the lock is on its way to another process.
bool NfsLock::try_to_take(NfsSession& session, const NfsHandle& directory, uid_t owner) {
  const std::string shown = path_ + "/" + lock_name;
  const NfsStatus found = session.look_up(directory, lock_name, file_);
  if (found == NfsStatus::noent) {
    const NfsStatus made = session.create_exclusively(directory, lock_name, 0600, file_);
    if (made == NfsStatus::exist) return false;
    require_ok(made, shown);
  } else {
    require_ok(found, shown);
    check_own_file(file_, owner, shown);
    const std::optional<LockHolder> holder = holder_in(session, file_, path_);
    if (holder && *holder == me_) {
      shared_ = true;
      return true;
    }
    refuse_if_in_use(holder, path_);
    if (holder && !is_old_on_server(session, *holder, file_, shown)) refuse_holder(holder, path_, hint_for(path_));
    // A lock without a name is free, or is about to get one: then its time of change moves on.
    if (!holder && file_.attributes.size == 0) std::this_thread::sleep_for(std::chrono::milliseconds(200));
    NfsSetAttributes attributes = mode_alone(0600);
    attributes.size = 0;
    // The server does this only for the first of those who have seen the same state.
    const NfsStatus taken = session.set_attributes(file_.handle, attributes, file_.attributes.changed);
    if (taken == NfsStatus::not_sync) return false;
    require_ok(taken, shown);
  }
  // A server answers a call that is sent again as it did the first time, however late that is: another process may have
  // taken the lock and written its name since.
  require_ok(session.get_attributes(file_.handle, file_.attributes), shown);
  if (file_.attributes.size != 0) return false;
  write_name(session);
  const std::optional<LockHolder> now_there = holder_in(session, file_, path_);
  held_ = now_there && *now_there == me_;
  return held_;
}

/// The name has the same length each time, and is written by one RPC.
void NfsLock::write_name(NfsSession& session) {
  me_.renewed = rfc3339_now();
  require_ok(session.write(file_.handle, 0, as_byte_span(lock_text(me_))), path_ + "/" + lock_name);
}

void NfsLock::renew_until_stopped(const std::stop_token& stop) {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      stopped_.wait_for(lock, stop, std::chrono::seconds(lock_renewal_seconds), [] { return false; });
    }
    if (stop.stop_requested()) return;
    try {
      NfsSession session(at_, stop);
      const std::optional<NfsFile> named = named_file(session);
      const std::optional<LockHolder> holder = named ? holder_in(session, *named, path_) : std::nullopt;
      if (holder && *holder == me_) {
        write_name(session);
        continue;
      }
      if (!named) spdlog::error("{}: somebody has removed the lock of this run", path_);
      return;  // loss() names who has taken it
    } catch (const std::exception& error) {
      if (!stop.stop_requested()) spdlog::warn("{}: the lock was not renewed: {}", path_, error.what());
    }
  }
}

void NfsLock::stop_renewing() {
  renewer_.request_stop();
  stopped_.notify_all();
  if (renewer_.joinable()) renewer_.join();
}

std::optional<NfsFile> NfsLock::named_file(NfsSession& session) const {
  NfsFile file;
  const NfsStatus found = session.look_up(directory_, lock_name, file);
  if (found == NfsStatus::noent) return std::nullopt;
  require_ok(found, path_ + "/" + lock_name);
  return file;
}

std::optional<Error> NfsLock::loss(NfsSession& session) const {
  const std::optional<NfsFile> named = held_ ? named_file(session) : std::nullopt;
  if (!named) return std::nullopt;  // nobody has taken it
  const std::optional<LockHolder> holder = holder_in(session, *named, path_);
  if (holder && *holder == me_) return std::nullopt;
  return run_error(path_, holder ? taken_text(*holder) : had_lock_text);
}

void NfsLock::check_not_lost(NfsSession& session) const {
  const std::optional<NfsFile> named = named_file(session);
  const std::optional<LockHolder> holder = named ? holder_in(session, *named, path_) : std::nullopt;
  if (holder && !(*holder == me_)) throw run_error(path_, taken_text(*holder), "nothing was removed");
}

void NfsLock::forget() {
  stop_renewing();
  held_ = false;
}

NfsLock::~NfsLock() {
  stop_renewing();
  if (!held_) return;
  try {
    // Does not wait for a server that is gone: other processes see by the renewals that this one has ended.
    std::stop_source soon;
    soon.request_stop();
    NfsSession session(at_, soon.get_token());
    const std::optional<LockHolder> holder = holder_in(session, file_, path_);
    if (holder && *holder == me_) session.set_attributes(file_.handle, size_alone(0));
  } catch (const std::exception&) {  // also those of a loop that has no descriptors
  }
}

}  // namespace edagen
