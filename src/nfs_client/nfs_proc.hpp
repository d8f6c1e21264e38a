// A proc of NfsTarget: its place, and what its client has open for it between ops.
#pragma once

#include "dataset/dataset_layout.hpp"
#include "nfs_client/nfs_identity.hpp"
#include "nfs_client/nfs_place.hpp"
#include "nfs_client/open_nfs_file.hpp"
#include "nfs_client/payload_ring.hpp"

namespace edagen {

/// Used by the thread of its client alone.
struct NfsProc {
  const NfsPlace* place;
  NfsIdentity* identity;
  std::uint32_t number;  ///< within its client
  NameWriter names;
  NfsHandle home = {};  ///< of its own directory, once that is known
  OpenNfsFiles files = {};
  PayloadRing* payload = nullptr;  ///< of the queue that has the proc

  const NfsSettings& settings() const { return identity->server().settings; }
  HandleKey key(NameRef name) const { return {number, name}; }
};

}  // namespace edagen
