// The load of a run, ready to be made: procs on a target in real time, or on a simulated volume in virtual time.
#pragma once

#include <memory>
#include <stop_token>

#include "hosts/steered_load.hpp"
#include "load/engine.hpp"
#include "session/nfs_window.hpp"
#include "session/run_site.hpp"

namespace edagen {

class RunLoad {
 public:
  /// After RunSite::build(). Both outlive this. Throws Error (run).
  RunLoad(const RunPlan& plan, RunSite& site, std::stop_token stop);

  /// Makes the load of all hosts, at the leader; else the load of this host.
  LoadRunner& runner() { return steered_ ? *steered_ : *runner_; }
  /// At a host that follows: makes the load until the leader ends it. Throws Error (run). `stuck_ops`: as of
  /// follow_load().
  void follow(const EventSink& emit, std::uint64_t& stuck_ops);
  /// At the leader: ends the load of the others. Elsewhere it does nothing.
  void dismiss();
  /// Ends what is still up on this host; returns the number of ops that do not return.
  std::uint64_t end_here() { return runner_->end_load(); }

 private:
  SharedLoad* shared();
  std::vector<EngineProc> procs() const;
  void make_engine(std::stop_token stop);
  void make_simulation(const VolumeModel& model, std::stop_token stop);

  const RunPlan& plan_;
  RunSite& site_;
  std::vector<OpMix> mixes_;  ///< by kind of procs
  std::shared_ptr<Target> target_;
  std::unique_ptr<LedLoad> led_;
  std::unique_ptr<FollowedLoad> followed_;
  NfsWindow nfs_;
  std::unique_ptr<LoadRunner> runner_;  ///< this host's
  std::unique_ptr<SteeredLoad> steered_;
};

}  // namespace edagen
