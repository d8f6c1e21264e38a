// What the leader and the other ranks of a load tell each other.
#pragma once

#include <fmt/format.h>

#include "edagen/units.hpp"
#include "hosts/wire.hpp"
#include "load/measurement.hpp"
#include "load/shared_load.hpp"

namespace edagen {

/// Sent by the leader, between loads.
struct HostCommand {
  enum class What : std::uint8_t { run, end_load, quit } what = What::run;
  LoadPoint load;
};
void fields(auto&& visit, Is<HostCommand> auto& command) {
  visit("what", command.what);
  visit("load", command.load);
}

struct IntervalSeen {
  Nanos start{0}, length{0};  ///< as Interval
  std::string stats;          ///< IntervalStats as sent: small, however many wait to be put together
  bool phase_over = false;    ///< the last of its phase: a decision is waited for
  bool ending = false;        ///< this rank ends its load, whatever the others do
};
void fields(auto&& visit, Is<IntervalSeen> auto& seen) {
  visit("start", seen.start);
  visit("length", seen.length);
  visit("stats", seen.stats);
  visit("phase_over", seen.phase_over);
  visit("ending", seen.ending);
}

/// Sent by the leader.
struct PhaseDecision {
  Measurement::Next next = Measurement::Next::end;
  Nanos at{0};       ///< of a window: when it begins, by the receiver's clock
  bool now = false;  ///< the load is to end, whatever phase it is in
};
void fields(auto&& visit, Is<PhaseDecision> auto& decision) {
  visit("next", decision.next);
  visit("at", decision.at);
  visit("now", decision.now);
}

/// The text about an op that has not returned.
inline std::string stuck_text(const std::string& what, OpKind kind, Nanos age) {
  return fmt::format("stuck for {}: {} {}", format_duration(age), to_string(kind), what);
}

/// What a rank's load point came to.
struct LoadOutcome {
  IntervalStats last{0};  ///< of the last interval, with the ops that have ended since
  std::vector<GroupStats> groups;
  std::uint64_t stuck_ops = 0;
  Nanos drain{0}, sync_time{0};
  std::vector<int> sync_errors;  ///< of the flush at the end, which is after the last interval
  bool interrupted = false, too_many_errors = false;
  HostStats host;
};
void fields(auto&& visit, Is<LoadOutcome> auto& outcome) {
  visit("last", outcome.last);
  visit("groups", outcome.groups);
  visit("stuck_ops", outcome.stuck_ops);
  visit("drain", outcome.drain);
  visit("sync_time", outcome.sync_time);
  visit("sync_errors", outcome.sync_errors);
  visit("interrupted", outcome.interrupted);
  visit("too_many_errors", outcome.too_many_errors);
  visit("host", outcome.host);
}

}  // namespace edagen
