// The threads of a load: workers that carry out the ops of its shards, more of them when ops are late, and the watch on
// ops that do not return.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "load/processors.hpp"
#include "load/real_time.hpp"
#include "load/shards.hpp"

namespace edagen {

/// All functions are called by the thread that makes the load. Threads that do not end keep what they use.
class Workers {
 public:
  struct Options {
    std::size_t most = 1;  ///< maximum number of workers of all serial shards
    bool open_loop = false;
    bool spin = false;  ///< as in Shards
    Nanos stuck_after{0};
    std::size_t processes_here = 1;  ///< processes that make a load on this host, with this one
  };
  /// `target` outlives the threads.
  Workers(const Shards& shards, Target& target, const Options& options);

  /// Starts a thread for each shard, which waits for begin(). `owner` owns this object and the shards.
  void start(std::weak_ptr<void> owner);
  /// Whether all threads are ready: queues may have gigabytes of buffers to fill.
  bool are_ready() const { return ready_ >= shards_.queued().size() + shards_.serial().size(); }
  void begin();

  /// Whether workers may be missing: false when each shard has one proc, or each proc has a worker that never rests.
  bool may_be_missing() const;
  /// Adds workers to shards whose ops are late because all other workers are blocked. `at` is now, since the load
  /// began.
  void add_where_late(Nanos at);
  using Stuck = std::function<void(const std::string& what, OpKind kind, Nanos age)>;
  /// Reports each op that has not returned for too long, once.
  void watch_stuck(Nanos at, const Stuck& stuck);
  /// Must be called every 100 ms or so.
  void update_priorities(TimePoint at);
  /// Whether the system has refused one of the threads real-time priority.
  bool is_real_time_refused() const;

  /// Whether a worker could not be set up.
  bool is_broken();
  void rethrow();  ///< throws the reason
  /// Whether all workers have ended, after the shards were stopped.
  bool have_ended() const;
  /// Whether all workers that have not ended are in ops that have been reported.
  bool only_stuck_are_left() const;
  /// Joins the workers that have ended and leaves the others behind. Returns the number of ops that have not returned,
  /// and will not.
  std::size_t join_or_abandon();

 private:
  struct Worker {
    explicit Worker(std::size_t slots) : in_flight(slots) {}
    std::vector<OpInFlight> in_flight;
    std::atomic<bool> gone{false};
    std::thread thread;
    RealTime real_time;  ///< begun when the worker sleeps until ops are due
  };

  void start(SerialShard& shard);
  void start(QueueShard& shard);
  /// Throws std::system_error when the system refuses a thread.
  void start(std::size_t slots, std::function<void(Worker&)> life);
  void start_if_allowed(std::size_t shard);
  void raise_if_spinning();
  std::size_t of_serial_shards() const { return workers_.size() - shards_.queued().size(); }

  const Shards& shards_;
  Target& target_;
  const Options options_;
  std::weak_ptr<void> owner_;
  std::vector<std::unique_ptr<Worker>> workers_;
  bool no_more_threads_ = false;       ///< the system has refused one
  std::vector<std::size_t> in_shard_;  ///< workers of each serial shard
  std::vector<std::size_t> burst_;  ///< workers to add to a shard that is late; the number doubles while it stays late
  RealTimePolicy real_time_;
  CpuMeter cpu_;
  std::atomic<std::size_t> ready_{0};
  std::atomic_flag begun_;
  std::mutex broken_mutex_;
  std::exception_ptr broken_;
};

}  // namespace edagen
