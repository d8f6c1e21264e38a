// The procs of a load, dealt to shards, and the calls that go to all shards.
#pragma once

#include <memory>
#include <vector>

#include "base/usable_processors.hpp"
#include "load/mix_balancer.hpp"
#include "load/queue_shard.hpp"
#include "load/serial_shard.hpp"

namespace edagen {

class Shards {
 public:
  struct Options {
    std::size_t groups = 0;             ///< kinds of procs
    std::optional<double> ops_per_sec;  ///< nullopt: a closed loop
    bool spin = false;                  ///< workers wake before ops are due and spin until then
    std::size_t most_workers = 0;       ///< maximum number of workers, and so of shards
    bool all_queued = false;            ///< Target::queues_all_procs()
  };
  /// The procs have their depth already, and must outlive this object. `failed` is as in Shard.
  Shards(const std::vector<ShardProc*>& procs, const Options& options, const Shard::Failed& failed);

  /// Whether an open loop at this rate can go on with these shards: false when it needs another number of them.
  bool suit(double ops_per_sec) const;

  /// Whether each shard whose ops are due at times may have a thread that spins until then: processors are left for
  /// others.
  bool may_spin() const { return (serial_.empty() ? queued_.size() : serial_.size()) < usable_processor_count(); }

  const std::vector<std::unique_ptr<SerialShard>>& serial() const { return serial_; }
  const std::vector<std::unique_ptr<QueueShard>>& queued() const { return queued_; }
  std::size_t serial_procs() const { return serial_procs_; }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

  void begin_window(Window window);
  /// Adds the statistics of all shards since the last call to `stats`.
  void harvest(IntervalStats& stats);
  bool are_idle() const;
  /// After all shards were stopped: as Shard::abandon().
  void abandon() {
    for (Shard* const shard : all_) shard->abandon();
  }
  std::uint64_t errors() const;
  std::uint64_t operations() const;
  /// Most ops that the procs of the load point can have in flight.
  std::size_t depth() const;
  /// The actual start of the first op that has ended, since the load began; 0 when no op has ended.
  Nanos first_op() const;
  /// Adds the procs of each kind, with their rates and their due and ended ops.
  void add_procs(std::vector<GroupStats>& groups) const;

 private:
  const bool open_loop_;
  std::unique_ptr<MixBalancer> shares_;  ///< in a closed loop of several kinds of procs
  std::vector<std::unique_ptr<SerialShard>> serial_;
  std::vector<std::unique_ptr<QueueShard>> queued_;
  std::vector<Shard*> all_;
  std::size_t spinners_ = 1;  ///< shards that the rate needs
  std::size_t serial_procs_ = 0;
  std::unique_ptr<IntervalStats> spare_;  ///< empty
};

}  // namespace edagen
