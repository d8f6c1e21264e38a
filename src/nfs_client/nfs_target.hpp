// Ops as RPCs of NFS clients of edagen's own. Each client of the run is an identity, with connections, transaction ids
// and file handles of its own; the ops of all its procs are in flight in one event loop.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "edagen/file_population.hpp"
#include "edagen/target.hpp"
#include "nfs/mountstats.hpp"
#include "nfs_client/nfs_settings.hpp"

namespace edagen {

/// The place of one proc on a server.
struct NfsPlace {
  std::size_t server = 0;    ///< index into the servers
  std::uint64_t client = 0;  ///< number of its client among all clients of the run, on all hosts: the identity
  std::string directory;     ///< existing directory of the proc, below the dataset directory: proc_directory()
  const ProcSpec* spec = nullptr;
  FilePopulation files;
};

struct NfsTargetOptions {
  Nanos connect_timeout =
      std::chrono::seconds(15);  ///< of the first connections of a load; later ones are tried for ever
  Nanos retransmit_after = std::chrono::seconds(60);  ///< an RPC without a reply is sent again, as `timeo` of a mount
  std::stop_token stop;                               ///< ends the wait for the first connections
  Nanos jukebox_wait = std::chrono::seconds(5);       ///< before an RPC is repeated that the server has put off
};

/// What an NFS client of the kernel does not count, since the target was made.
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

/// The dataset must be there. Procs of one client are in one queue, whose thread does all the work of the client;
/// whatever the depth of a proc, no op needs a thread.
class NfsTarget final : public Target {
 public:
  /// `places` are indexed by proc; their specs outlive the target.
  NfsTarget(std::vector<NfsServer> servers, std::vector<NfsPlace> places, NfsTargetOptions options = {});
  ~NfsTarget() override;

  /// Throws: all ops go through queues.
  std::unique_ptr<TargetWorker> make_worker() override;
  /// Connects the clients of `procs`. Throws Error (run) when a server cannot be reached.
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs) override;
  bool queues_all_procs() const override { return true; }
  std::string describe(std::uint32_t proc, const Op& op) const override;
  /// Commits what is written and not yet committed.
  std::vector<int> sync() override;

  /// The counters since the target was made, one entry for each server in their order, for difference(). `mount_point`
  /// is the server's name, `source` is address:/export, and there is an entry for each connection of each client.
  /// Thread-safe, also while ops are in flight.
  std::vector<NfsMountStats> counters() const;
  /// By server. Thread-safe as counters() is.
  std::vector<NfsEvents> events() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The kinds of ops of the workload that NFSv3 clients of edagen's own do not have: locks and mappings.
std::vector<OpKind> ops_without_rpcs(const WorkloadSpec& workload);

}  // namespace edagen
