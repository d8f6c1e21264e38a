// The rates, schedules and op mixes of the procs at a load point.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "edagen/load_runner.hpp"
#include "load/schedule.hpp"
#include "workload/op_stream.hpp"

namespace edagen {

/// Thread-safe, except for choose_mix() and steer().
class AppliedLoad {
 public:
  /// What the procs that take part, on whatever host, are together.
  struct Procs {
    double own_ops_per_sec = 0;
    bool any_unpaced = false;  ///< a proc without a rate of its own is among them

    void add(double ops_per_sec, bool paced) {
      own_ops_per_sec += ops_per_sec;
      any_unpaced |= !paced;
    }
  };

  /// `seed` is that of the schedules, and differs from run to run.
  AppliedLoad(const LoadPoint& load, const Procs& procs, std::uint64_t seed)
      : depth_(load.io_depth), read_percent_(load.read_percent), any_unpaced_(procs.any_unpaced) {
    if (const OpenLoop* const open = load.open_loop()) arrivals_ = open->arrivals;
    steer(load, procs.own_ops_per_sec, seed);
  }

  /// The load goes on with `load`, which takes over (LoadPoint::takes_over).
  void steer(const LoadPoint& load, double own_total, std::uint64_t seed) {
    total_ = load.requested_ops_per_sec().value_or(own_total);
    own_total_ = own_total;
    seed_ = seed;
  }

  /// The rate, in ops/s, of a proc whose own rate is `own`: all own rates are scaled alike.
  double ops_per_sec(double own) const { return own * total_ / own_total_; }
  unsigned depth(unsigned own, bool queueable) const { return queueable ? depth_.value_or(own) : 1; }
  /// Whether ops of such a proc are due at times of a schedule: in an open loop, and beside procs without a rate, which
  /// go as fast as their ops end.
  bool is_scheduled(bool paced) const { return arrivals_ || (paced && any_unpaced_); }
  /// The rate of the proc's schedule, in ops/s; nullopt: the proc has no schedule.
  std::optional<double> scheduled_ops_per_sec(double own, bool paced) const {
    return is_scheduled(paced) ? std::optional(ops_per_sec(own)) : std::nullopt;
  }
  Schedule schedule(double ops_per_sec, bool paced, std::uint64_t proc, Nanos start) const {
    if (!is_scheduled(paced)) return Schedule::closed_loop();
    return Schedule(arrivals_.value_or(Arrivals::uniform), ops_per_sec, derive_seed(seed_, proc), start);
  }

  /// Gives the ops of a proc of kind `group` the mix of the load point. This object must outlive the ops.
  void choose_mix(OpStream& ops, std::size_t group) {
    if (group >= mixes_.size()) mixes_.resize(group + 1);
    if (!mixes_[group]) {
      ProcSpec spec = ops.spec();
      if (read_percent_) spec.set_read_percent(*read_percent_);
      mixes_[group] = std::make_unique<OpMix>(spec.weights);
    }
    ops.use(*mixes_[group]);
  }

 private:
  double total_ = 0, own_total_ = 0;
  std::uint64_t seed_ = 0;
  std::optional<unsigned> depth_;
  std::optional<Arrivals> arrivals_;  ///< nullopt: a closed loop
  std::optional<double> read_percent_;
  const bool any_unpaced_;
  std::vector<std::unique_ptr<OpMix>> mixes_;  ///< by group
};

}  // namespace edagen
