// What this host's NFS client counts in the window of a load point.
#pragma once

#include <string>
#include <vector>

#include "hosts/steered_load.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

class NfsWindow final : public HostCounters {
 public:
  /// `mount_points`: whose counters count.
  explicit NfsWindow(std::vector<std::string> mount_points) : mount_points_(std::move(mount_points)) {}

  void window_began() override;
  void window_ended() override;
  void add_to(HostStats& host, const RunStats& window) const override;
  /// In the last window, once for each superblock.
  const std::vector<NfsMountStats>& counted() const { return counted_; }

 private:
  std::vector<std::string> mount_points_;
  std::vector<NfsMountStats> before_, counted_;
};

}  // namespace edagen
