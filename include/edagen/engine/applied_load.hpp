// What a load point asks of each proc that takes part in it.
#pragma once

#include <cstdint>

#include "edagen/engine/load_runner.hpp"

namespace edagen {

/// A value; thread-safe.
class AppliedLoad {
 public:
  /// `own_total`: the own rates of all procs that take part together, ops/s. `seed`: of their schedules, another for
  /// each run.
  AppliedLoad(const LoadPoint& load, double own_total, std::uint64_t seed)
      : total_(load.ops_per_sec.value_or(own_total)),
        own_total_(own_total),
        seed_(seed),
        depth_(load.io_depth),
        arrivals_(load.ops_per_sec ? load.arrivals : Arrivals::unpaced) {}

  /// Of a proc whose own rate is `own`, ops/s: the own rates are scaled alike.
  double ops_per_sec(double own) const { return own * total_ / own_total_; }
  unsigned depth(unsigned own, bool queueable) const { return queueable ? depth_.value_or(own) : 1; }
  Schedule schedule(double ops_per_sec, std::uint64_t proc) const {
    return Schedule(arrivals_, ops_per_sec, derive_seed(seed_, proc));
  }

 private:
  double total_, own_total_;
  std::uint64_t seed_;
  std::optional<unsigned> depth_;
  Arrivals arrivals_;
};

}  // namespace edagen
