// Procs that do one op at a time, and threads that block in them: as many as ops are blocked at once.
#pragma once

#include <array>
#include <condition_variable>

#include "load/shard.hpp"
#include "load/wake_up.hpp"

namespace edagen {

class SerialShard final : public Shard {
 public:
  /// `spin`: workers wake before ops are due and spin until they are.
  SerialShard(std::vector<ShardProc*> procs, std::size_t groups, bool spin, Failed failed);

  /// A worker's life: until stop() and the end of its op.
  void work(TargetWorker& worker, OpInFlight& in_flight);
  void stop() override;

  /// Wakes up to `workers` parked workers if ops have been due since before `deadline`. Returns how many more workers
  /// are missing.
  std::size_t wake(Nanos deadline, std::size_t workers);

 private:
  struct Done {
    OpKind kind;
    OpTimes times;
    OpResult result;
  };
  static constexpr std::size_t batch_ops = 32;
  static constexpr Nanos batch_time{50'000};

  bool take(std::unique_lock<std::mutex>& lock, Due& due);
  void attend(std::unique_lock<std::mutex>& lock, Nanos next);
  std::size_t carry_out_batch(ShardProc& proc, TargetWorker& worker, OpInFlight& in_flight,
                              std::array<Done, batch_ops>& done, double& generator_lag_ns);
  void account(ShardProc& proc, const std::array<Done, batch_ops>& done, std::size_t count, double generator_lag_ns);
  /// Nearly all recent ops took less: mean plus four mean deviations.
  double likely_service_ns() const { return service_mean_ns_ + 4 * service_deviation_ns_; }

  std::condition_variable parked_, attending_;
  std::vector<Due> queue_;  ///< heap, earliest first
  std::size_t parked_workers_ = 0;
  /// A worker sleeps or spins until then, when the earliest op is due. Written with mutex_ held.
  std::atomic<Nanos> attended_ = never;
  const bool spin_;
  WakeUp wake_up_;
  bool stopping_ = false;
  double service_mean_ns_ = 0, service_deviation_ns_ = 0;
};

}  // namespace edagen
