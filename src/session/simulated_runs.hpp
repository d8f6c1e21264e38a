// The runs of a comparison of simulated volumes. Runs in virtual time do not disturb each other, so as many are carried
// out at once as there are processors, each with a session of its own.
#pragma once

#include <atomic>
#include <deque>
#include <future>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <vector>

#include "edagen/event.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// take() is for one thread. The sink gets events of one run at a time while take() waits, from the thread of that run
/// or from the one that called. For a run that began before, it gets the beginning of the load and the load points, but
/// not what happened within them.
class SimulatedRuns {
 public:
  struct Run {
    std::size_t variant = 0, repeat = 0;
    RunPlan plan;  ///< on a VolumeModel
  };

  /// Begins the runs in the order of `runs`, `at_once` at a time. `stop` ends all of them.
  SimulatedRuns(std::vector<Run> runs, std::size_t at_once, EventSink emit, std::stop_token stop, Nanos stuck_after);
  /// Ends the runs that go on.
  ~SimulatedRuns();
  SimulatedRuns(const SimulatedRuns&) = delete;
  SimulatedRuns& operator=(const SimulatedRuns&) = delete;

  /// Waits for the run's end, and emits the events of the run meanwhile. nullopt: the run is not among `runs`. To be
  /// called once for a run. Throws what the run has thrown.
  std::optional<Result> take(std::size_t variant, std::size_t repeat);

 private:
  struct Entry {
    Run run;
    std::promise<Result> result = {};
    bool is_awaited = false;  ///< take() waits for this run
    bool is_shown = false;    ///< events go to the sink; until then:
    std::optional<Result> header = {};
    std::vector<PointFigures> points = {};
  };

  void carry_out_all();
  Result carry_out(Entry& entry);
  void pass_on(Entry& entry, const Event& event);
  void show(Entry& entry);

  std::deque<Entry> entries_;
  const EventSink emit_;
  const Nanos stuck_after_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;  ///< of the members of entries that events change, and of the sink
  std::stop_source stop_;
  std::stop_callback<std::function<void()>> stop_with_session_;
  std::vector<std::jthread> threads_;
};

}  // namespace edagen
