// A volume of which no short probe sees what is typical: a queue that is served at a constant speed, which now and then
// pauses and slowly wanders. Computed as a fluid, so that an hour of it takes a fraction of a second.
#pragma once

#include <algorithm>
#include <cmath>

#include "edagen/load_runner.hpp"
#include "edagen/random.hpp"

namespace edagen::testing {

struct Disturbance {
  double pauses_per_second = 0;
  double pause_seconds = 0;   ///< median; lognormal
  double pause_spread = 0;    ///< standard deviation of its logarithm
  double drift = 0;           ///< standard deviation of the speed's logarithm
  double drift_seconds = 60;  ///< over which a deviation is forgotten
};

class DisturbedVolume final : public LoadRunner {
 public:
  DisturbedVolume(const Disturbance& disturbance, std::uint64_t seed) : disturbance_(disturbance), random_(seed) {
    drift_ = disturbance.drift * random_.normal();
  }

  RunStats run(const LoadPoint& load, RunObserver&) override {
    const double rate = load.ops_per_sec.value();
    backlog_ = pause_ = 0;
    advance(rate, load.warmup, nullptr);
    RunStats stats;
    stats.length = load.duration;
    stats.requested_ops_per_sec = rate;
    stats.groups = {{.name = "all", .due = static_cast<std::uint64_t>(rate * to_seconds(load.duration))}};
    for (Nanos start{0}; start + load.interval / 2 < load.duration; start += load.interval) {
      OpStats ops;
      advance(rate, load.interval, &ops);
      Interval interval;
      interval.start = start;
      interval.length = load.interval;
      interval.operations = ops.operations();
      interval.statistic = NanosF(ops.response().mean());
      stats.intervals.push_back(interval);
      stats.ops.merge(ops);
    }
    return stats;
  }

 private:
  static constexpr double speed = 1000;  ///< ops/s
  static constexpr double step = 0.002;  ///< s

  void advance(double rate, Nanos time, OpStats* ops) {
    for (double left = to_seconds(time); left > step / 2; left -= step) {
      const double share = step / disturbance_.drift_seconds;
      drift_ += disturbance_.drift * std::sqrt(2 * share) * random_.normal() - drift_ * share;
      if (random_.uniform() < disturbance_.pauses_per_second * step)
        pause_ += disturbance_.pause_seconds * std::exp(disturbance_.pause_spread * random_.normal());
      const double working = std::max(0.0, step - pause_);
      pause_ = std::max(0.0, pause_ - step);
      backlog_ += rate * step;
      const double done = std::min(backlog_, speed * std::exp(drift_) * working);
      backlog_ -= done;
      if (ops == nullptr) continue;
      const Nanos latency = from_seconds(0.0005 + backlog_ / rate);
      for (done_ += done; done_ >= 1; --done_) ops->record(OpKind::stat, {latency, latency, Nanos(0)}, {});
    }
  }

  Disturbance disturbance_;
  Random random_;
  double drift_ = 0, backlog_ = 0, pause_ = 0, done_ = 0;
};

}  // namespace edagen::testing
