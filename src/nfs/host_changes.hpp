// What a comparison of tunings changes on this host, recorded so that a comparison that was killed leaves nothing
// unknown: sysctls and mounts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.hpp"
#include "edagen/clock.hpp"

namespace edagen {

/// Where sysctls are, and where their values before a comparison are recorded and tunings are mounted.
struct HostPlaces {
  std::string sysctls = "/proc/sys";
  std::string record = "/run";                         ///< a tmpfs, private to root, and gone after a restart
  Nanos mount_ends_within = std::chrono::seconds(10);  ///< that a killed comparison has begun
};

/// One comparison of tunings at a time on a host. Needs root. Not thread-safe.
class HostChanges {
 public:
  /// Takes the lock of the record and undoes what a comparison that was killed has left, with a warning for each.
  /// Throws Error (usage) when another comparison of tunings is running, when the record cannot be kept, or when
  /// something cannot be undone.
  explicit HostChanges(HostPlaces places = {});
  /// Removes the record when all values are as they were, unless release() was called.
  ~HostChanges();
  HostChanges(const HostChanges&) = delete;
  HostChanges& operator=(const HostChanges&) = delete;

  /// The value of a sysctl, its words with single spaces between them; nullopt: this kernel has none of the name.
  std::optional<std::string> value(const std::string& name) const;
  /// The sysctl that the kernel sets to 0 when `name` is set, and that setting `name` back does not restore:
  /// vm.dirty_bytes of vm.dirty_ratio on a host that limits write-back in bytes. Empty: there is no such sysctl.
  std::string lost_with(const std::string& name) const;
  /// Records a sysctl's present value, on the first call for it, and then sets it. False when it cannot be set. Throws
  /// Error (run) when the record cannot be written: then nothing was set.
  bool set(const std::string& name, const std::string& value);

  /// Sets it to the value that it had. False when it cannot be set.
  bool set_back(const std::string& name, const std::string& before) const;

  /// Releases the record, so that the next comparison of tunings can begin although this process does not end: ops on
  /// one of its mounts never return. No value may be set after this.
  void release();

  /// A fresh directory to mount a tuning on. Throws Error (run).
  std::string make_mount_point() const;

  /// Sets back what this process has set, before it ends without destructors: a call does not return, or somebody does
  /// not wait for it. Thread-safe.
  static void set_back_before_exit();

  /// Sentences about what a killed comparison has left; changes nothing.
  static std::vector<std::string> left_behind(const HostPlaces& places = {});

 private:
  void undo_what_was_left();

  const HostPlaces places_;
  Descriptor record_;
  std::map<std::string, std::string> before_;
};

}  // namespace edagen
