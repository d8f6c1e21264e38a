// The queue of some clients of NfsTarget: their event loop, and the ops in flight in it.
#pragma once

#include <vector>

#include "nfs_client/nfs_ops.hpp"

namespace edagen {

class NfsQueue final : public TargetQueue, private TaskEnd {
 public:
  /// `all_procs` are indexed by proc. Connects the clients of `procs`. Throws Error (run) when a server cannot be
  /// reached.
  NfsQueue(const std::vector<std::unique_ptr<NfsProc>>& all_procs, const std::vector<QueuedProc>& procs,
           AllCounters& counters, const NfsTargetOptions& options);
  ~NfsQueue() override;

  void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) override;
  std::size_t complete(std::span<Completion> done, Nanos timeout) override;
  /// Ops in flight are given up when the queue is destroyed.
  bool abandon() override { return true; }

  /// Commits all data of the procs. Returns the errors, at most one for each proc. No ops are in flight.
  std::vector<int> commit_all();

 private:
  struct InFlight {
    Task<OpResult> task;
    Op op;
    NfsProc* proc = nullptr;
    bool has_looked_up_again = false;
  };

  void connect(const NfsTargetOptions& options);
  void wait_for_connection(const NfsIdentity& identity, TimePoint deadline, const std::stop_token& stop);
  std::coroutine_handle<> task_ended(std::uint32_t slot) override;
  std::size_t take(std::span<Completion> done);
  /// An op that met a stale handle is carried out once more, with new look-ups. Returns false for others.
  bool tries_again(std::uint32_t slot);

  const std::vector<std::unique_ptr<NfsProc>>& all_procs_;
  ClientLoop loop_;
  NfsOps ops_;
  std::vector<NfsProc*> procs_;
  std::vector<NfsIdentity*> identities_;
  std::vector<InFlight> in_flight_;      ///< by slot
  std::vector<std::uint32_t> finished_;  ///< slots whose tasks have ended
};

}  // namespace edagen
