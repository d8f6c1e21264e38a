// How an op is carried out.
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
  /// Begins an op. `slot` is a free one of the proc's and stands for the op until it completes. Only ops of procs whose
  /// kind is queueable(); an open or close must not overlap other ops of its proc.
  virtual void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) = 0;
  /// Waits until something has completed, at most `timeout`. Returns how many of `done` were filled. A timeout below 0
  /// only takes what is known to have completed, without asking the system.
  virtual std::size_t complete(std::span<Completion> done, Nanos timeout) = 0;
};

/// A proc begins at a random place of its work: where its workload has opens of its own, its first op may be a transfer
/// in a file, or the close of one, that no op has opened. It opens the file first.
class Target {
 public:
  virtual ~Target() = default;
  /// Called in the thread that will use it. Thread-safe.
  virtual std::unique_ptr<TargetWorker> make_worker() = 0;
  /// For procs that have several ops in flight; a target whose workloads have none need not override it. Slots are
  /// numbered in the order of `procs`: the first proc has 0 to its depth - 1. As make_worker(); throws Error (run) when
  /// the system has no room for it.
  virtual std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>& procs);
  /// The mount and the path that `op` of `proc` is about, for messages: by default both as numbers. Thread-safe.
  virtual std::string describe(std::uint32_t proc, const Op& op) const;

  /// Flushes what was written to the storage, all mounts at once; the errors, one for each mount that failed. Not while
  /// ops are in flight, as the next. By default there is nothing to do for either.
  virtual std::vector<int> sync() { return {}; }
  /// Takes the data of all procs out of this host's caches, as far as may be.
  virtual void drop_caches() {}
};

}  // namespace edagen
