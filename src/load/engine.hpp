// The load in real time. Procs are values, and workers (threads) carry out whichever op is due, of any proc.
// As many workers run as ops are blocked at once; a proc that waits for its time costs no thread.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "edagen/load_runner.hpp"
#include "edagen/target.hpp"
#include "load/engine_procs.hpp"

namespace edagen {

struct EngineOptions {
  std::size_t max_workers = 4096;
  Nanos stuck_after = std::chrono::seconds(30);  ///< an op that has not returned by then is reported
  std::optional<std::uint64_t> max_errors;       ///< more errors end a run; nullopt: more than 1 % of the ops (and 10)
  std::uint64_t seed = 1;                        ///< that of the schedules
  /// Whether workers wake shortly before an op is due and spin, with real-time priority where the system allows it
  /// (open loop).
  bool spin = true;
  std::size_t processes_here = 1;  ///< processes on this host that make this load together
  /// Set when several hosts make the load together; must outlive the engine.
  SharedLoad* shared = nullptr;
  std::vector<ProcElsewhere> elsewhere = {};  ///< the procs of the other hosts
};

class Engine final : public LoadRunner {
 public:
  /// `procs` must not be empty, and `target` must outlive the engine. `stop` ends a run early.
  Engine(std::vector<EngineProc> procs, std::vector<std::string> group_names, Target& target, EngineOptions options,
         std::stop_token stop);
  ~Engine() override;

  /// When ops are stuck at the end, run() waits `stuck_after` for them and then leaves their threads behind.
  /// RunStats::stuck_ops is above 0 then, nothing further can be run, and the process can end only by _Exit.
  RunStats run(const LoadPoint& load, const EventSink& emit) override;
  std::uint64_t end_load() override;

 private:
  class Run;

  EngineProcs procs_;
  std::vector<std::string> group_names_;
  Target& target_;
  EngineOptions options_;
  std::stop_token stop_;
  std::shared_ptr<Run> up_;  ///< a load that stays up
};

}  // namespace edagen
