// The lock that lets one run at a time use a dataset on an NFS server. NFS version 3 has no locks of its own: the name
// of the holder in the lock file is the lock, made by an exclusive CREATE, taken over by a guarded SETATTR, and renewed
// while the run lasts.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "dataset/lock_holder.hpp"
#include "edagen/error.hpp"
#include "nfs_dataset/nfs_session.hpp"

namespace edagen {

class NfsLock {
 public:
  /// Throws Error (usage) with the holder's name and last renewal when another process uses the dataset in `directory`,
  /// whose path is `path`. Changes nothing.
  static void check(NfsSession& session, const NfsHandle& directory, uid_t owner, const std::string& path);
  /// The last renewal of a holder that has ended without releasing its lock; empty: there is none.
  static std::string expired_renewal(NfsSession& session, const NfsHandle& directory);

  /// Takes the lock. Throws as check(), and Error (run) when the file cannot be written.
  NfsLock(NfsSession& session, const NfsHandle& directory, uid_t owner, const std::string& path);
  /// Takes the name away, unless forget() was called.
  ~NfsLock();
  NfsLock(const NfsLock&) = delete;
  NfsLock& operator=(const NfsLock&) = delete;

  /// Whether this process had taken the lock before, by another URL or a mount of the same directory: that lock is
  /// responsible.
  bool shared() const { return shared_; }
  /// When another process has taken the lock, as after an outage or when somebody has removed its file: that. Throws
  /// Error when the file cannot be read.
  std::optional<Error> loss(NfsSession& session) const;
  /// Throws Error (run) when another process has its name in the lock's file by now.
  void check_not_lost(NfsSession& session) const;
  /// The lock's file is about to be removed.
  void forget();

 private:
  bool try_to_take(NfsSession& session, const NfsHandle& directory, uid_t owner);
  void write_name(NfsSession& session);
  void renew_until_stopped(const std::stop_token& stop);
  void stop_renewing();
  /// The file that has the lock's name now: somebody may have removed the one that was taken, and another process then
  /// takes a new one. nullopt: there is none.
  std::optional<NfsFile> named_file(NfsSession& session) const;

  const NfsExport& at_;
  const NfsHandle directory_;
  const std::string path_;
  LockHolder me_;
  NfsFile file_;
  bool shared_ = false, held_ = false;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread renewer_;
};

}  // namespace edagen
