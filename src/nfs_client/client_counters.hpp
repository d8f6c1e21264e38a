// What the NFS clients of one thread count. The thread alone adds; others read at any time.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "edagen/clock.hpp"
#include "nfs/mountstats.hpp"
#include "nfs3/nfs3_types.hpp"

namespace edagen {

class RelaxedCounter {
 public:
  void add(std::int64_t count) { set(get() + count); }
  void set(std::int64_t count) { count_.store(count, std::memory_order_relaxed); }
  std::int64_t get() const { return count_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> count_{0};
};

struct ProcedureCounters {
  RelaxedCounter requests, transmissions, timeouts, errors, bytes_sent, bytes_received;
  RelaxedCounter queue_ns, round_trip_ns, execute_ns;
};

/// The clients of one server.
struct ClientCounters {
  std::array<ProcedureCounters, nfs_procedure_count> procedures;
  RelaxedCounter read_bytes, written_bytes;
  RelaxedCounter delayed_rpcs, short_reads, short_writes, verifier_changes, rewritten_bytes, stale_handles,
      repeated_changes;

  void add_to(NfsMountStats& mount) const;
};

/// One connection of a client, in whatever loop it is: those of RpcConnectionCounters that others read.
struct ConnectionCounters {
  RelaxedCounter sends, receives, connects, backlog, requests_in_use, sending, source_port;

  TransportCounters transport() const;
};

/// By server.
using ThreadCounters = std::vector<ClientCounters>;

/// The counters of all threads that ever were: a thread takes those of one that has ended. Thread-safe.
class AllCounters {
 public:
  explicit AllCounters(std::size_t servers) : servers_(servers) {}
  TimePoint began() const { return began_; }
  ThreadCounters& take();
  void give_back(ThreadCounters& counters);
  /// Calls f for the counters of each thread.
  template <class F>
  void for_each(F f) const {
    std::lock_guard lock(mutex_);
    for (const auto& counters : all_) f(*counters);
  }

 private:
  const std::size_t servers_;
  const TimePoint began_ = now();
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<ThreadCounters>> all_;
  std::vector<ThreadCounters*> free_;
};

}  // namespace edagen
