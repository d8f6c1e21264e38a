// From a URL to an export that can be used.
#pragma once

#include "nfs_dataset/nfs_export.hpp"

namespace edagen {

/// Finds the server, has MOUNT look the export up, and requests from NFS what it is and how much room it has. Changes
/// nothing. Throws Error (usage) with the reason for people.
NfsExport open_export(const NfsUrl& url);

}  // namespace edagen
