// Ops as RPCs of NFS clients of edagen's own. Each client of the run is an identity, with connections, transaction ids
// and file handles of its own; the ops of all its procs are in flight in one event loop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "edagen/target.hpp"
#include "nfs/mountstats.hpp"
#include "nfs_client/nfs_place.hpp"
#include "nfs_client/nfs_settings.hpp"

namespace edagen {

/// The dataset must be there. Procs of one client are in one queue, whose thread does all the work of the client;
/// whatever the depth of a proc, no op needs a thread.
class NfsTarget final : public Target {
 public:
  /// `places` are indexed by proc; their specs outlive the target.
  NfsTarget(std::vector<NfsServer> servers, std::vector<NfsPlace> places, const NfsTargetOptions& options = {});
  ~NfsTarget() override;

  /// Throws: all ops go through queues.
  std::unique_ptr<TargetWorker> make_worker() override;
  /// Connects the clients of `procs`. Throws Error (run) when a server cannot be reached.
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override;
  bool queues_all_procs() const override { return true; }
  std::string describe(std::uint32_t proc, const Op& op) const override;
  /// Commits what is written and not yet committed.
  std::vector<int> sync() override;

  /// The most memory for file handles of each of so many clients.
  static std::size_t handle_bytes(std::size_t clients);

  /// The counters since the target was made, one entry for each server in their order, for difference(). `mount_point`
  /// is the server's name, `source` is address:/export, and there is an entry for each connection of each client.
  /// Thread-safe, also while ops are in flight.
  std::vector<NfsMountStats> counters() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The kinds of ops of the workload that NFSv3 clients of edagen's own do not have: locks and mappings.
std::vector<OpKind> ops_without_rpcs(const WorkloadSpec& workload);

}  // namespace edagen
