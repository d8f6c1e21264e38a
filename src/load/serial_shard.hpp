// Procs that do one op at a time, and threads that block in these ops: as many threads as ops are blocked at once.
#pragma once

#include <array>
#include <condition_variable>

#include "load/mix_balancer.hpp"
#include "load/shard.hpp"
#include "load/wake_up.hpp"

namespace edagen {

class SerialShard final : public Shard {
 public:
  /// With `spin` workers wake before ops are due and spin until then. `shares` balances a closed loop of several kinds
  /// of procs; it may be null, and must outlive the shard.
  SerialShard(std::vector<ShardProc*> procs, std::size_t groups, bool spin, MixBalancer* shares, Failed failed);

  /// Runs a worker until stop() and the end of its op.
  void work(TargetWorker& worker, OpInFlight& in_flight);
  void stop() override;
  void close(Nanos end, bool load_goes_on) override;
  bool is_idle() override;
  void reschedule(std::vector<Schedule> schedules) override;
  void count_outstanding(Nanos at) override;

  /// Wakes up to `workers` parked workers if ops were due before `deadline`. Returns how many more workers are missing.
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
  std::size_t carry_out_batch(ShardProc& proc, TargetWorker& worker, OpInFlight& in_flight, Schedule& schedule,
                              Nanos& previous_end, Nanos& unhindered_end, std::array<Done, batch_ops>& done);
  void account(ShardProc& proc, const std::array<Done, batch_ops>& done, std::size_t count);
  /// When the proc may begin its next op; never in a closed loop whose window is over.
  Nanos next_due(const ShardProc& proc) const;
  void enqueue(std::uint32_t place);
  /// Orders the queue anew after next_due() of its procs has changed.
  void renew(std::vector<Due>& queue);
  /// The queue whose front goes next; nullptr when no queue may go on. Called with mutex_ held, as all functions here.
  std::vector<Due>* next_queue();
  std::vector<Due>& queue_of(std::uint32_t place) { return queues_[shares_ ? procs_[place]->group : 0]; }
  std::size_t waiting() const;
  /// Whether workers are at all ops that are due before the window's end.
  bool exhausted();
  /// A time that nearly all recent ops stayed below: mean plus four mean deviations.
  NanosF likely_service() const { return service_mean_ + 4 * service_deviation_; }

  std::condition_variable parked_, attending_;
  /// Heaps, earliest first: one of all procs, or one for each kind that keeps its share.
  std::vector<std::vector<Due>> queues_;
  std::size_t parked_workers_ = 0;
  /// The due time until which a worker sleeps or spins. Written with mutex_ held.
  std::atomic<Nanos> attended_ = never;
  const bool spin_;
  MixBalancer* const shares_;
  WakeUp wake_up_;
  bool stopping_ = false, closed_ = false;
  std::uint64_t rescheduled_ = 0;  ///< how many times
  NanosF service_mean_{0}, service_deviation_{0};
};

}  // namespace edagen
