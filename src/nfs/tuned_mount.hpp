// A tuning while it is mounted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/stuck_watch.hpp"
#include "edagen/tuning.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

/// Which of the tuning's options did not take effect; empty when all did.
std::vector<std::string> not_in_force(const Tuning& tuning, const NfsMountStats& mount);

/// Needs root. Not thread-safe.
class TunedMount {
 public:
  /// Mounts `source` (SERVER:/PATH) on a fresh private directory, alone with its own cache (nosharecache), with sysctls
  /// and read-ahead set; reads back what is in force. Throws Error (run) when something did not take effect; then
  /// nothing stays. `watch` names what hangs, of the unmounting, too; it outlives this.
  TunedMount(const std::string& source, const Tuning& tuning, StuckWatch& watch);
  /// Unmounts and restores the sysctls; says what is left when that fails.
  ~TunedMount();
  TunedMount(const TunedMount&) = delete;
  TunedMount& operator=(const TunedMount&) = delete;

  const std::string& directory() const { return directory_; }

 private:
  void set_sysctls();
  void set_read_ahead();
  void undo();

  const Tuning& tuning_;
  StuckWatch& watch_;
  std::string directory_;
  bool mounted_ = false;
  std::map<std::string, std::string> before_;
};

/// Mount points that an earlier comparison has left behind.
std::vector<std::string> left_over_mounts();

}  // namespace edagen
