// What an NFS client of edagen's own counts besides the figures of mountstats.
#pragma once

#include "nfs/mountstats.hpp"

namespace edagen {

/// What the kernel's NFS client does not count, since the target was made.
struct NfsEvents {
  Counter delayed_rpcs = 0;      ///< answered by JUKEBOX (NFS3ERR_JUKEBOX), and made again after a wait
  Counter short_reads = 0;       ///< fewer bytes than were asked for, before the end of the file
  Counter short_writes = 0;      ///< fewer bytes than were sent
  Counter verifier_changes = 0;  ///< the server has lost data that was not committed
  Counter rewritten_bytes = 0;   ///< written again because of that
  Counter stale_handles = 0;     ///< names looked up again because their handle had gone stale
  /// "exists" after a CREATE, "no such file" after a REMOVE, and the like, that had been sent again: the first
  /// transmission has done it. No error of the op.
  Counter repeated_changes = 0;
};

}  // namespace edagen
