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
  /// `own_total` is the sum of the own rates of all procs that take part, in ops/s. `seed` is that of the schedules,
  /// and differs from run to run.
  AppliedLoad(const LoadPoint& load, double own_total, std::uint64_t seed)
      : depth_(load.io_depth), read_percent_(load.read_percent) {
    if (const OpenLoop* const open = load.open_loop()) arrivals_ = open->arrivals;
    steer(load, own_total, seed);
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
  Schedule schedule(double ops_per_sec, std::uint64_t proc, Nanos start) const {
    return arrivals_ ? Schedule(*arrivals_, ops_per_sec, derive_seed(seed_, proc), start) : Schedule::closed_loop();
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
  std::vector<std::unique_ptr<OpMix>> mixes_;  ///< by group
};

}  // namespace edagen
