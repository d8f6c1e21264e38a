// The interface of targets, which carry out ops.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/op.hpp"

namespace edagen {

/// Carries out ops for one thread, with buffers of its own.
class TargetWorker {
 public:
  virtual ~TargetWorker() = default;
  /// Blocks until the op is done. Never throws; a failure is in the result. Calls for one proc must not overlap.
  virtual OpResult carry_out(std::uint32_t proc, const Op& op) = 0;
};

/// A proc with several ops in flight at once.
struct QueuedProc {
  std::uint32_t proc = 0;
  unsigned depth = 1;  ///< most ops at once
};

/// Carries out ops of several procs at once, for one thread.
class TargetQueue {
 public:
  struct Completion {
    std::uint32_t slot = 0;
    OpResult result;
  };

  virtual ~TargetQueue() = default;
  /// Begins an op of a proc whose kind is queueable(). `slot` is a free slot of the proc, and stands for the op until
  /// it completes. An open or close must not overlap other ops of its proc.
  virtual void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) = 0;
  /// Waits until an op has completed, at most `timeout`. Returns how many of `done` were filled. A timeout below 0 only
  /// takes completions that need no system call.
  virtual std::size_t complete(std::span<Completion> done, Nanos timeout) = 0;
  /// Gives up the ops in flight, so that the queue can be destroyed: they never complete. Returns false when the ops
  /// cannot be given up, as system calls cannot.
  virtual bool abandon() { return false; }
};

/// A proc begins at a random place of its work. When its workload has opens of its own, the first op may be a transfer
/// in a file, or a close of a file, that no op has opened: the target then opens the file first.
class Target {
 public:
  virtual ~Target() = default;
  /// Called in the thread that will use it. Thread-safe.
  virtual std::unique_ptr<TargetWorker> make_worker() = 0;
  /// Makes a queue for procs with several ops in flight; a target whose workloads have no such procs need not override
  /// it. Slots are numbered in the order of `procs`: the first proc has 0 to its depth - 1. Called as make_worker() is;
  /// throws Error (run) when the system has no room for it.
  virtual std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs);
  /// Whether queues carry out all ops, of whatever kind, also those of procs that have one op in flight at most. All
  /// procs of a client are in one queue then, and make_worker() is not called.
  virtual bool queues_all_procs() const { return false; }
  /// The mount and the path that `op` of `proc` is about, for messages: by default both as numbers. Thread-safe.
  virtual std::string describe(std::uint32_t proc, const Op& op) const;

  /// Flushes written data to the storage, all mounts at once. Returns the errors, one for each mount that failed. This
  /// and drop_caches() are not called while ops are in flight, and do nothing by default.
  virtual std::vector<int> sync() { return {}; }
  /// Drops the data of all procs from this host's caches, as far as the user may.
  virtual void drop_caches() {}
};

}  // namespace edagen
