// What this host's NFS clients, the kernel's or edagen's own, count in the window of a load point.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hosts/steered_load.hpp"
#include "nfs/mountstats.hpp"

namespace edagen {

class NfsWindow final : public HostCounters {
 public:
  /// All counters of the clients so far, in the same order each time.
  using Read = std::function<std::vector<NfsMountStats>()>;

  /// `mount_points`: whose counters count. They may be URLs, where `read` has such.
  explicit NfsWindow(std::vector<std::string> mount_points, Read read = read_mountstats)
      : mount_points_(std::move(mount_points)), read_(std::move(read)) {}

  void window_began() override;
  void window_ended() override;
  void add_to(HostStats& host, const RunStats& window) const override;
  /// In the last window, once for each superblock.
  const std::vector<NfsMountStats>& counted() const { return counted_; }

 private:
  std::vector<std::string> mount_points_;
  Read read_;
  std::vector<NfsMountStats> before_, counted_;
};

}  // namespace edagen
