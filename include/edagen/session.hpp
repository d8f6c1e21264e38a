// Carries out plans: the one way from a RunPlan to a Result. The volume is looked at, the dataset made, the load
// measured and written down as it is measured, and what was made is removed, whatever happens on the way.
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "edagen/event.hpp"
#include "edagen/exit_status.hpp"
#include "edagen/parts/build_progress.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

class Hosts;
struct SessionState;

/// Not thread-safe; any number of plans, one after the other. All throw Error: usage when the plan cannot be carried
/// out and nothing was touched, run when it failed.
class Session {
 public:
  /// `stop` ends what is being done, with what was measured so far. `stuck_after`: a call outside of the measured load
  /// that lasts longer is emitted as CallHangs. `hosts`: of edagen's own command line, where it runs on many hosts.
  /// `write_failures` is called when a result is complete, before the outputs are written.
  Session(EventSink emit, std::stop_token stop, Nanos stuck_after = std::chrono::seconds(30), Hosts* hosts = nullptr,
          WriteFailures write_failures = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// What run() would do, for people. Looks at the volumes and changes nothing.
  std::string describe(const RunPlan& plan);
  std::string describe(const ComparisonPlan& plan);

  /// `number`: of the plan among those that other hosts follow.
  Result run(const RunPlan& plan, std::size_t number = 0);
  ComparisonResult run(const ComparisonPlan& plan);
  StalenessFigures run(const StalenessPlan& plan);
  /// At a host that does not lead, instead of run(): its part of these plans.
  void follow(const std::vector<RunPlan>& plans);

  /// Ops never returned: their threads are still there, so that the process can only end by _Exit.
  bool stuck() const;
  /// An output could not be written, or what was made could not be removed: the log names it.
  bool cleanup_incomplete() const;

 private:
  std::unique_ptr<SessionState> state_;
};

}  // namespace edagen
