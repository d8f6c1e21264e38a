// A tuning while it is mounted.
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/error.hpp"
#include "edagen/tuning.hpp"
#include "nfs/host_changes.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

/// Which of the tuning's options did not take effect; empty when all did.
std::vector<std::string> not_in_force(const Tuning& tuning, const NfsMountStats& mount);

/// The server or the kernel does not take a tuning; others may work.
struct TuningRefused : Error {
  TuningRefused(const std::string& tuning, const std::string& why)
      : Error(Error::Kind::run, "tuning " + tuning, why), reason(why) {}
  std::string reason;
};

/// Needs root. Not thread-safe.
class TunedMount {
 public:
  /// Mounts `source` (SERVER:/PATH) on a fresh private directory, alone with its own cache (nosharecache), with sysctls
  /// and read-ahead set; reads back what is in force, and, where locks are the server's business by a protocol of their
  /// own (NFSv3), tries one. What takes longer than `limit`, or than until `stop`, is ended. Throws TuningRefused (run)
  /// when something does not work or did not take effect, Error (run) without root and where no server has the name;
  /// then nothing stays. `watch` names
  /// what hangs, of the unmounting, too. `watch` and `host` outlive this.
  TunedMount(const std::string& source, const Tuning& tuning, StuckWatch& watch, Nanos limit,
             const std::stop_token& stop, HostChanges& host);
  /// Unmounts, if need be lazily, and restores the sysctls; names what is left when that fails.
  ~TunedMount();
  TunedMount(const TunedMount&) = delete;
  TunedMount& operator=(const TunedMount&) = delete;

  const std::string& directory() const { return directory_; }
  /// For a mount whose ops never return, on which this object is never destroyed: sets the sysctls back, and logs that
  /// the mount stays.
  void leave();
  /// Empties this host's caches: of files, attributes and names. Throws TuningRefused.
  void drop_caches() const;

 private:
  void load_client(Nanos limit, const std::stop_token& stop) const;
  void set_sysctls();
  void set_read_ahead();
  void check_locks(Nanos limit, const std::stop_token& stop) const;
  void check_in_force() const;
  void undo();
  void set_sysctls_back();
  TuningRefused refusal(const std::string& what) const;

  const Tuning& tuning_;
  StuckWatch& watch_;
  HostChanges& host_;
  std::string directory_;
  std::map<std::string, std::string> before_;
};

}  // namespace edagen
