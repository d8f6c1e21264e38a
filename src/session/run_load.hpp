// The load of a run, ready to be made: procs on a target in real time, or on a simulated volume in virtual time.
#pragma once

#include <memory>
#include <stop_token>

#include "load/engine.hpp"
#include "session/run_site.hpp"

namespace edagen {

class RunLoad {
 public:
  /// After RunSite::build(). Both outlive this. Throws Error (run).
  RunLoad(const RunPlan& plan, RunSite& site, std::stop_token stop);

  LoadRunner& runner() { return *runner_; }

 private:
  std::vector<EngineProc> procs() const;
  void make_engine(std::stop_token stop);
  void make_simulation(const VolumeModel& model, std::stop_token stop);

  const RunPlan& plan_;
  RunSite& site_;
  std::vector<OpMix> mixes_;  ///< by kind of procs
  std::unique_ptr<Target> target_;
  std::unique_ptr<LoadRunner> runner_;
};

}  // namespace edagen
