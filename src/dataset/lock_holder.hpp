// The name of a process in a dataset's lock file, and whether the process has ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace edagen {

/// A process, identified among all processes since its host was started.
struct LockHolder {
  std::string host, boot, since;
  std::string spaces;  ///< name spaces of `pid` and `started`; empty: written by an earlier version
  long pid = 0;
  std::uint64_t started = 0;  ///< clock ticks after the start of its host
  /// RFC 3339; written by a holder that reaches the dataset through NFS without a mount, where the name alone is the
  /// lock. Such a holder renews it every lock_renewal_seconds. Empty: the lock is one of flock(2).
  std::string renewed;

  /// Whether both are the same process.
  bool operator==(const LockHolder& other) const {
    return boot == other.boot && spaces == other.spaces && pid == other.pid && started == other.started;
  }
};

inline constexpr int lock_renewal_seconds = 30;
/// A holder that has not renewed its lock for so long has ended. Clocks of hosts may differ by some seconds.
inline constexpr int lock_expiry_seconds = 300;

LockHolder this_process();

inline constexpr std::size_t max_lock_bytes = 4096;
/// nullopt when the text names no process: the lock is free, or its holder has not written its name yet.
std::optional<LockHolder> parse_lock_holder(const std::string& text);
std::string lock_text(const LockHolder& holder);

/// Whether the holder has certainly ended. Processes in another container or on another host are invisible and count as
/// running until their renewals expire; those of this host name from before the start of this host have ended.
bool has_ended(const LockHolder& holder);

/// The words about a dataset whose lock this holder has taken from this process.
std::string taken_text(const LockHolder& holder);
/// The words where that process has let it go since.
inline constexpr const char* had_lock_text = "another process had its lock meanwhile";

/// Throws Error (usage): the dataset `path` is in use. `hint` is what the user can do.
[[noreturn]] void refuse_holder(const std::optional<LockHolder>& holder, const std::string& path,
                                const std::string& hint = "");

}  // namespace edagen
