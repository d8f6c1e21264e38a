// What happens while a load, a search or a session goes on.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "edagen/op.hpp"
#include "edagen/units.hpp"

namespace edagen {

struct AtTarget;
struct BuildProgress;
struct ComparisonResult;
struct CurvePoint;
struct Interval;
struct IntervalStats;
struct PointFigures;
struct Result;
struct RunFigures;

// Events of a load:

/// The warm-up goes on for as long again, as the latency still trends.
struct WarmupExtended {};
/// The window begins and ends: what is counted elsewhere can be read at the same moments.
struct WindowBegan {
  bool again = false;  ///< the latency trended in the window before, which does not count
};
struct WindowEnded {};
/// An interval of the window, or of the warm-up before it, with all that was seen in it.
struct IntervalEnded {
  bool in_window = false;
  const Interval& interval;
  const IntervalStats& stats;
};
/// One of the first few failures of a run; from any thread, one at a time.
struct OpFailed {
  const std::string& what;
  OpKind kind;
  int error = 0;
};
/// An op has not returned for `age`.
struct OpStuck {
  const std::string& what;
  OpKind kind;
  Nanos age;
};

// Events of a series or a search:

struct PointBegan {
  std::optional<double> ops_per_sec;  ///< nullopt: a closed loop
  const std::string& purpose;         ///< empty when it is the only load
  bool is_slice = false;              ///< of a comparison: the purpose names the phase, too
};
/// A session emits PointMeasured instead.
struct PointEnded {
  const CurvePoint& point;
};
/// What a search would answer if it ended now.
struct AnswerEstimated {
  const AtTarget& answer;
};

// Events of a session:

/// All was checked and nothing was touched yet. `text`: what will be done, for people.
struct PlanChecked {
  const std::string& text;
};
/// What is measured from here on can be read back from this file, however the process ends.
struct JournalOpened {
  const std::string& path;
};
/// How long loads will be made where the latency settles, of a search at most; not of a simulated volume.
struct LoadTimeExpected {
  Nanos time;
};
struct DatasetProgressed {
  const BuildProgress& progress;
};
/// The dataset is there, or building it has ended early.
struct DatasetBuilt {};
/// The load of a run begins. `header`: what is known of its result by now.
struct LoadBegan {
  const Result& header;
};
struct PointMeasured {
  const PointFigures& point;
};
/// No load is made any more.
struct LoadEnded {};
/// The outputs were written where there was something to write; the dataset is still there.
struct RunFinished {
  const Result& result;
};
/// Run `number` of `of` of a variant of a comparison begins; not emitted for slices, which name their variant.
struct VariantBegan {
  const std::string& variant;
  std::size_t number = 0, of = 0;
};
/// Run `number` of `of` of a variant of a comparison has ended.
struct VariantMeasured {
  const std::string& variant;
  std::size_t number = 0, of = 0;
  const RunFigures& figures;
  bool at_target = false;  ///< the rate at the latency target is compared
};
/// The server or the kernel does not take a tuning: the comparison goes on with the others.
struct VariantRefused {
  const std::string& variant;
  const std::string& why;
};
struct ComparisonFinished {
  const ComparisonResult& result;
};
/// The session goes on without these ops, but their threads stay.
struct OpsNeverReturned {
  std::uint64_t count = 0;
};
/// A dataset stays where it is.
struct DatasetLeft {
  enum class Why {
    asked,         ///< it is to be kept
    taken,         ///< another run has taken it
    unfinished,    ///< its build was interrupted: the next run completes it
    stuck_ops,     ///< ops in it never returned
    hanging_call,  ///< the process ends at once, or in the middle of a call that does not return
    not_removed    ///< removing it failed, which may have left less
  };
  Why why = Why::asked;
  std::vector<std::string> mounts;  ///< directories that hold it
  std::uint64_t files = 0;
  Bytes bytes = 0;
};
/// The datasets that stay if the process ends at once: Why::hanging_call. Valid until the next such event.
struct LeftoversChanged {
  const std::vector<DatasetLeft>& datasets;
};
/// A call outside of the measured load has not returned for `age`. From any thread.
struct CallHangs {
  const std::string& call;
  Nanos age;
};
/// A call does not return although the session is to end: other threads are still in it, so that the process ends when
/// this event has been handled. From any thread.
struct CallAbandoned {
  const std::string& call;
};

/// References are valid while the event is handled.
using Event =
    std::variant<WarmupExtended, WindowBegan, WindowEnded, IntervalEnded, OpFailed, OpStuck, PointBegan, PointEnded,
                 AnswerEstimated, PlanChecked, JournalOpened, LoadTimeExpected, DatasetProgressed, DatasetBuilt,
                 LoadBegan, PointMeasured, LoadEnded, RunFinished, VariantBegan, VariantMeasured, VariantRefused,
                 ComparisonFinished, OpsNeverReturned, DatasetLeft, LeftoversChanged, CallHangs, CallAbandoned>;

/// Handles events. It completes nothing and must not throw. Called from the thread that carries out the load, the
/// search or the session, unless the comment on the event names another.
using EventSink = std::function<void(const Event&)>;

inline void ignore_events(const Event&) {}

template <class... Handlers>
struct EventHandlers : Handlers... {
  using Handlers::operator()...;
  void operator()(const auto&) const {}
};
/// Calls the function that takes the event, if there is one among them.
template <class... Handlers>
void handle(const Event& event, Handlers... handlers) {
  std::visit(EventHandlers<Handlers...>{std::move(handlers)...}, event);
}
/// A sink that handles each event so.
template <class... Handlers>
EventSink on(Handlers... handlers) {
  return [all = EventHandlers<Handlers...>{std::move(handlers)...}](const Event& event) { std::visit(all, event); };
}

}  // namespace edagen
