// An NFS export that is in use without a mount: where the server is, the handle of the export's root, and for whom.
#pragma once

#include "base/free_space.hpp"
#include "edagen/nfs_url.hpp"
#include "nfs3/mount_client.hpp"

namespace edagen {

struct NfsExport {
  NfsUrl url;
  MountedExport mounted;
  AuthSys who;
  std::uint32_t read_bytes_max = 0, write_bytes_max = 0;  ///< of one RPC: those of the URL that the server allows
  FreeSpace free;                                         ///< when it was opened

  /// The URL without its keys, for messages.
  std::string name() const;
  /// Equal for exports that share their space, by the server's file system id.
  std::string volume() const;
  /// Equal for URLs of the same directory, as of two addresses of one server.
  bool same_root(const NfsExport& other) const;
};

/// Whom the RPCs are made for: the user of the URL, else that of this process with its groups. `machine` names the
/// client.
AuthSys credential_of(const NfsUrl& url, std::string machine);

}  // namespace edagen
