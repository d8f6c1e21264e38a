#include "session/simulated_runs.hpp"

#include <algorithm>

#include "session/run_lifecycle.hpp"

namespace edagen {

SimulatedRuns::SimulatedRuns(std::vector<Run> runs, std::size_t at_once, EventSink emit, std::stop_token stop,
                             Nanos stuck_after)
    : emit_(std::move(emit)),
      stuck_after_(stuck_after),
      stop_with_session_(std::move(stop), [this] { stop_.request_stop(); }) {
  for (Run& run : runs) entries_.push_back(Entry{.run = std::move(run)});
  for (std::size_t i = 0; i < std::min(at_once, entries_.size()); ++i)
    threads_.emplace_back([this] { carry_out_all(); });
}

SimulatedRuns::~SimulatedRuns() { stop_.request_stop(); }

void SimulatedRuns::carry_out_all() {
  Result not_begun;
  not_begun.status = Status::interrupted;
  for (std::size_t i = next_++; i < entries_.size(); i = next_++) {
    try {
      if (stop_.stop_requested()) {
        entries_[i].result.set_value(not_begun);
        continue;
      }
      entries_[i].result.set_value(carry_out(entries_[i]));
    } catch (...) {
      entries_[i].result.set_exception(std::current_exception());
    }
  }
}

Result SimulatedRuns::carry_out(Entry& entry) {
  const EventSink sink = [&](const Event& event) { pass_on(entry, event); };
  SessionState session(sink, stop_.get_token(), stuck_after_, nullptr, {});
  return RunLifecycle(session, entry.run.plan, entry.run.variant, nullptr, RunLifecycle::Part::of_comparison)
      .carry_out();
}

void SimulatedRuns::pass_on(Entry& entry, const Event& event) {
  const std::scoped_lock lock(mutex_);
  if (!entry.is_shown) {
    const bool between_points = std::holds_alternative<PointBegan>(event) || std::holds_alternative<LoadEnded>(event);
    if (entry.is_awaited && (!entry.header || between_points)) show(entry);
  }
  if (entry.is_shown) return emit_(event);
  handle(
      event, [&](const LoadBegan& began) { entry.header = began.header; },
      [&](const PointMeasured& measured) { entry.points.push_back(measured.point); });
}

/// Emits what the sink has missed of the run.
void SimulatedRuns::show(Entry& entry) {
  if (entry.header) emit_(LoadBegan{*entry.header});
  for (const PointFigures& point : entry.points) emit_(PointMeasured{point});
  entry.header.reset();
  entry.points.clear();
  entry.is_shown = true;
}

std::optional<Result> SimulatedRuns::take(std::size_t variant, std::size_t repeat) {
  const auto entry = std::ranges::find_if(
      entries_, [&](const Entry& each) { return each.run.variant == variant && each.run.repeat == repeat; });
  if (entry == entries_.end()) return std::nullopt;
  {
    const std::scoped_lock lock(mutex_);
    entry->is_awaited = true;
  }
  Result result = entry->result.get_future().get();
  const std::scoped_lock lock(mutex_);
  if (!entry->is_shown) {  // it had ended before
    show(*entry);
    emit_(LoadEnded{});
  }
  return result;
}

}  // namespace edagen
