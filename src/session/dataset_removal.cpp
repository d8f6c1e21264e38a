#include "session/dataset_removal.hpp"

#include "base/usable_processors.hpp"
#include "nfs_dataset/nfs_root.hpp"
#include "nfs_dataset/nfs_tree.hpp"
#include "nfs_dataset/open_export.hpp"
#include "session/run_site.hpp"

namespace edagen {

void check_dataset_at(const std::string& place, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  self.call_started("looking at", place);
  if (is_nfs_url(place)) {
    const NfsExport at = open_export(parse_nfs_url(place, "--target"));
    NfsSession session(at);
    const NfsRoot root(at, session);
  } else {
    const DatasetRoot root(dataset_place(check_mounts({place}).front()));
  }
}

bool remove_dataset_at(const std::string& place, StuckWatch& watch, const std::string& id) {
  StuckWatch::Thread self(watch);
  self.call_started("looking at", place);
  if (is_nfs_url(place)) {
    const NfsExport at = open_export(parse_nfs_url(place, "--target"));
    self.pause();
    return remove_nfs_dataset(at, nfs_sessions_at_once, watch, id);
  }
  const MountDirectory mount = check_mounts({place}).front();
  self.pause();
  return remove_dataset(dataset_place(mount), 2 * usable_processor_count(), watch, id);
}

}  // namespace edagen
