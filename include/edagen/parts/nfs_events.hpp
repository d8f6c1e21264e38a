// What NFS clients had to do again or in parts.
#pragma once

#include <algorithm>
#include <optional>

#include "edagen/parts/fields.hpp"

namespace edagen {

/// Counts. The kernel's client counts the first three, edagen's own clients count all of them.
struct NfsEvents {
  double delayed_rpcs = 0, short_reads = 0, short_writes = 0;
  std::optional<double> verifier_changes = {}, rewritten_bytes = {}, stale_handles = {}, repeated_changes = {};

  NfsEvents& operator+=(const NfsEvents& other) { return add(other, 1); }
  NfsEvents& operator-=(const NfsEvents& other) { return add(other, -1); }

 private:
  NfsEvents& add(const NfsEvents& other, double sign) {
    for (const auto count : {&NfsEvents::delayed_rpcs, &NfsEvents::short_reads, &NfsEvents::short_writes})
      this->*count = std::max(0.0, this->*count + sign * (other.*count));
    for (const auto count : {&NfsEvents::verifier_changes, &NfsEvents::rewritten_bytes, &NfsEvents::stale_handles,
                             &NfsEvents::repeated_changes})
      if (other.*count) this->*count = std::max(0.0, (this->*count).value_or(0) + sign * *(other.*count));
    return *this;
  }
};
void fields(auto&& visit, Is<NfsEvents> auto& events) {
  visit("delayed_rpcs", events.delayed_rpcs,
        {.exact = true, .about = "put off by the server (JUKEBOX), and made again after a wait"});
  visit("short_reads", events.short_reads,
        {.exact = true, .about = "READs with fewer bytes than were requested, before the end of the file"});
  visit("short_writes", events.short_writes, {.exact = true, .about = "WRITEs of which the server took a part"});
  visit("verifier_changes", events.verifier_changes,
        {.exact = true,
         .about = "times that the server lost data that were not committed; null as are those below on mounts: the "
                  "kernel's client does not count them"});
  visit("rewritten_bytes", events.rewritten_bytes, {.exact = true, .about = "written again because of that"});
  visit("stale_handles", events.stale_handles,
        {.exact = true, .about = "ops that looked their names up again because a file handle had gone stale"});
  visit("repeated_changes", events.repeated_changes,
        {.exact = true,
         .about = "answers \"exists\" or \"no such file\" to changes that a lost reply had made already: no errors"});
}

}  // namespace edagen
