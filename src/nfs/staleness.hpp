// What a tuning costs: how often, and for how long, one client sees what another client's finished writes have
// replaced.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>

#include "base/stuck_watch.hpp"
#include "stats/lifetime.hpp"

namespace edagen {

/// The counts of one kind of look, at files and directories that no other kind looks at: an open refreshes the
/// attributes that a stat would show, a lookup those of its directory.
struct StaleLooks {
  std::uint64_t looks = 0, stale = 0;
  std::vector<Lifetime> periods;  ///< from a write's close until it was seen

  double share() const { return looks == 0 ? 0 : static_cast<double>(stale) / static_cast<double>(looks); }
};

struct Staleness {
  StaleLooks attributes;  ///< stat shows an old size
  StaleLooks data;        ///< open and read give an old version
  StaleLooks lookups;     ///< a created file is not found
};

/// Throws Error (usage) unless `reader` shows what is made in `writer`, so that they are one directory on two mounts.
void check_same_directory(const std::string& writer, const std::string& reader, StuckWatch& watch);

/// `writer` and `reader` are directories on two mounts of one export with caches of their own, as two clients have. One
/// writes new versions of a few files and creates others, each closed before it counts; the other looks at them all the
/// time. Makes and removes a directory of its own below `writer`. `watch` names what hangs. Throws Error (run).
Staleness measure_staleness(const std::string& writer, const std::string& reader, Nanos duration, StuckWatch& watch,
                            const std::stop_token& stop);

}  // namespace edagen
