// A textbook station under a stream of stat ops, or several.
#pragma once

#include "sim/sim_runner.hpp"
#include "workload/op_stream.hpp"

namespace edagen::testing {

/// A load point of Poisson arrivals with intervals of a twentieth of it.
inline LoadPoint poisson(double rate, Nanos duration) {
  LoadPoint load;
  load.rate = OpenLoop{rate, Arrivals::poisson};
  load.warmup = duration / 10;
  load.duration = duration;
  load.interval = duration / 20;
  return load;
}

class StationSetup {
 public:
  StationSetup(int servers, double service_ns, ServiceTimes times, std::uint64_t seed, std::uint64_t count = 1,
               std::function<double(double, double)> end_of_service = {}, std::shared_ptr<double> clock = {},
               unsigned depth = 1) {
    VolumeModel model;
    model.station = StationModel{servers, NanosF(service_ns), times, std::move(end_of_service)};
    model.clock = std::move(clock);
    make(model, seed, count, depth);
  }
  /// A volume of one's own in place of a station.
  explicit StationSetup(const VolumeModel& model) { make(model, 1, 1, 1); }
  LoadRunner& runner() { return *runner_; }

 private:
  void make(const VolumeModel& model, std::uint64_t seed, std::uint64_t count, unsigned depth) {
    spec_.weights[static_cast<std::size_t>(OpKind::stat)] = 1;
    spec_.dataset.empty_files = 10;
    mix_ = std::make_unique<OpMix>(spec_.weights);
    std::vector<SimProc> procs;
    for (std::uint64_t i = 0; i < count; ++i) {
      procs.push_back(
          {{OpStream(spec_, *mix_, FilePopulation(spec_, spec_.dataset, seed + i), seed + i), 0, 100}, false});
      procs.back().proc.depth = depth;
      procs.back().proc.queueable = true;
    }
    runner_ = make_sim_runner(model, std::move(procs), {"station"}, seed, {});
  }

  ProcSpec spec_;
  std::unique_ptr<OpMix> mix_;
  std::unique_ptr<LoadRunner> runner_;
};

}  // namespace edagen::testing
