#include "hosts/led_load.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace edagen {
namespace {

/// Time for messages to be seen and for threads to be ready, besides the time on the way.
constexpr Nanos least_notice = std::chrono::milliseconds(20);
constexpr Nanos notice_per_rank = std::chrono::microseconds(20);
/// Time for a rank to show that it is alive. mpirun kills one second after it has asked a run to end.
constexpr Nanos patience_when_ending = std::chrono::milliseconds(500);

/// The last interval of its phase.
bool is_last(const IntervalSeen& seen) { return seen.phase_over || seen.ending; }
Nanos end_of(const IntervalSeen& seen) { return seen.start + seen.length; }

}  // namespace

void LedLoad::begin(const LoadPoint& load, const EventSink& emit) {
  load_ = load;
  together_.emplace(load_, groups_, emit);
  ranks_ = std::vector<Rank>(static_cast<std::size_t>(hosts_.size()));
  last_ = IntervalStats(groups_.size());
  decision_.reset();
  phase_start_ = until_ = Nanos(0);
  started_ = over_ = any_ = ended_ = window_ended_ = false;
}

/// A time so far ahead that it reaches all ranks before it has come.
TimePoint LedLoad::soon() const {
  return now() + least_notice + 2 * hosts_.round_trip() + hosts_.size() * notice_per_rank;
}

TimePoint LedLoad::agree_start() {
  const auto waiting = [&](int from) {
    hear_from(from);
    const Rank& rank = ranks_[static_cast<std::size_t>(from)];
    return !rank.begun && !rank.outcome && !hosts_.gone(from);  // with an outcome: it could not begin
  };
  for (int from = 1; from < hosts_.size(); ++from)
    while (!hosts_.failure() && waiting(from)) hosts_.rest();
  started_ = true;
  const TimePoint start = soon();
  for (int to = 1; to < hosts_.size(); ++to) {
    if (hosts_.gone(to)) continue;
    const ClockOffset clock = hosts_.clock(to);
    ranks_[static_cast<std::size_t>(to)].clock_uncertainty = clock.uncertainty;
    hosts_.send(to, About::start, to_wire(start.time_since_epoch() + clock.offset));
  }
  together_->load_began();
  return start;
}

void LedLoad::interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) {
  ranks_[0].seen.push_back({interval.start, interval.length, to_wire(stats), phase_over, ending});
  if (ending) end_now();
  hear();
}

std::optional<SharedLoad::Decision> LedLoad::decision() {
  hear();
  return std::exchange(decision_, std::nullopt);
}

bool LedLoad::is_over() {
  hear();
  if (!over_ && hosts_.failure()) end_now();
  return over_;
}

void LedLoad::end_now() {
  if (std::exchange(over_, true)) return;
  end_window();
  over_since_ = now();
  hosts_.call();
  hosts_.send_all(About::decision, to_wire(PhaseDecision{.now = true}));
}

void LedLoad::hear() {
  for (int from = 1; from < hosts_.size(); ++from) hear_from(from);
  put_together();
}

void LedLoad::hear_from(int from) {
  Rank& rank = ranks_[static_cast<std::size_t>(from)];
  // It comes before all else, also when nobody has waited for it.
  rank.begun = rank.begun || hosts_.poll(from, About::ready).has_value();
  while (auto seen = hosts_.poll(from, About::interval)) {
    rank.seen.push_back(from_wire<IntervalSeen>(*seen));
    if (rank.seen.back().ending) end_now();
  }
  if (rank.outcome) return;
  if (auto outcome = hosts_.poll(from, About::outcome)) rank.outcome = from_wire<LoadOutcome>(*outcome);
}

/// As far as all ranks have come, by time: one that was held up has seen fewer and longer intervals, and one may cut a
/// phase into more than another. A rank that has sent its last interval waits for the others.
void LedLoad::put_together() {
  while (!ended_) {
    bool any = false, all_last = true;
    for (const Rank& rank : ranks_)
      if (!rank.seen.empty()) any = true, all_last = all_last && is_last(rank.seen.front());
    if (!any) return;
    Nanos until{0};
    for (const Rank& rank : ranks_)
      if (!rank.seen.empty() && (all_last || !is_last(rank.seen.front())))
        until = std::max(until, end_of(rank.seen.front()));
    for (std::size_t i = 0; i < ranks_.size(); ++i)
      if (!has_come(i, until)) return;
    put_together_round(until, all_last);
  }
}

/// To a time of the phase, within half an interval: they do not end at the same moment everywhere.
bool LedLoad::has_come(std::size_t at, Nanos until) const {
  const Rank& rank = ranks_[at];
  if (hosts_.gone(static_cast<int>(at)) || rank.outcome) return true;  // nothing more will come
  if (rank.seen.empty()) return false;
  return is_last(rank.seen.back()) || end_of(rank.seen.back()) >= until - load_.interval / 2;
}

void LedLoad::put_together_round(Nanos until, bool last) {
  IntervalStats all(groups_.size());
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    Rank& rank = ranks_[i];
    IntervalStats of_rank(groups_.size());
    rank.length = Nanos(0);
    for (bool first = true; !rank.seen.empty(); first = false) {
      const IntervalSeen& seen = rank.seen.front();
      if (!last && is_last(seen)) break;
      if (!first && end_of(seen) > until + load_.interval / 2) break;
      if (first) {
        WireReader(seen.stats).read(of_rank);
      } else {
        IntervalStats more(groups_.size());
        WireReader(seen.stats).read(more);
        of_rank.merge(more);
      }
      rank.length += seen.length;
      until_ = std::max(until_, phase_start_ + end_of(seen));
      rank.seen.pop_front();
    }
    add_host(all, static_cast<int>(i), of_rank);
  }
  any_ = true;
  const Measurement::Next next = together_->interval_ended(until_, all, last && over_);
  if (next == Measurement::Next::interval) {
    if (last && !over_) decide(next);
    return;
  }
  if (next == Measurement::Next::window && !over_) {
    phase_start_ = until_;
    together_->begin_window(until_);
    decide(next, soon());
    return;
  }
  ended_ = true;
  end_window();
  if (!over_) decide(Measurement::Next::end);
}

void LedLoad::add_host(IntervalStats& all, int rank, const IntervalStats& of_rank) const {
  all.merge(of_rank);
  all.hosts.push_back(HostInterval::of(hosts_.name(rank), ranks_[static_cast<std::size_t>(rank)].length, of_rank));
}

void LedLoad::decide(Measurement::Next next, TimePoint at) {
  decision_ = Decision{next, at};
  for (int to = 1; to < hosts_.size(); ++to) {
    if (hosts_.gone(to)) continue;
    const Nanos starts = next == Measurement::Next::window ? at.time_since_epoch() + hosts_.clock(to).offset : Nanos(0);
    hosts_.send(to, About::decision, to_wire(PhaseDecision{.next = next, .at = starts}));
  }
}

/// Counters of this host, which count for all hosts, are of the window alone, too.
void LedLoad::end_window() {
  if (!std::exchange(window_ended_, true)) together_->end_window();
}

/// Waits for each rank that answers, whose ops are still to end, and not for a rank that does not answer.
void LedLoad::await_outcomes() {
  const auto is_missing = [&](int rank) {
    return !ranks_[static_cast<std::size_t>(rank)].outcome && !hosts_.gone(rank);
  };
  const auto is_silent = [&](int rank) { return !hosts_.answered(rank, over_since_); };
  for (;;) {
    hear();
    std::vector<int> missing;
    for (int from = 1; from < hosts_.size(); ++from)
      if (is_missing(from)) missing.push_back(from);
    if (missing.empty()) return;
    if (!over_ && hosts_.failure()) end_now();
    if (over_ && now() - over_since_ > patience_when_ending) {
      std::erase_if(missing, [&](int rank) { return !is_silent(rank); });
      hosts_.lose(missing, "has ended or hangs: it gave no answer when the run was to end");
    }
    hosts_.rest();
  }
}

/// After an interrupt ops are not waited for: those that are left need not hang, and the run has not failed.
void LedLoad::end_for_stuck_ops() {
  std::vector<int> hosts;
  for (int rank = 0; rank < hosts_.size(); ++rank) {
    const auto& outcome = ranks_[static_cast<std::size_t>(rank)].outcome;
    if (outcome && outcome->interrupted) return;
    if (outcome && outcome->stuck_ops > 0) hosts.push_back(rank);
  }
  hosts_.end_for_hanging(hosts);
}

RunStats LedLoad::finish(LoadOutcome here, const RunStats& local) {
  ranks_[0].outcome = std::move(here);
  if (!started_) end_now();  // this rank could not begin, the others wait for it
  await_outcomes();
  end_window();
  const bool cut_short = hosts_.failure().has_value();
  end_for_stuck_ops();
  if (!any_) return local;
  IntervalStats last(groups_.size());
  for (std::size_t i = 0; i < ranks_.size(); ++i) {
    const std::optional<LoadOutcome>& outcome = ranks_[i].outcome;
    const bool has_last = outcome && outcome->last.group_operations.size() == groups_.size();
    add_host(last, static_cast<int>(i), has_last ? outcome->last : IntervalStats(groups_.size()));
  }
  RunStats stats = together_->finish(last);
  stats.warmup = local.warmup;
  stats.longer_warmup = local.longer_warmup;
  stats.first_window = local.first_window;
  for (std::size_t i = 0; i < stats.groups.size(); ++i) {
    const GroupStats together = std::exchange(stats.groups[i], local.groups.at(i));
    stats.groups[i].operations = together.operations;  // procs, share and rate are those of all hosts already
    stats.groups[i].waits = together.waits;
    stats.groups[i].due = 0;
  }
  for (const Rank& rank : ranks_) {
    if (!rank.outcome) continue;
    const LoadOutcome& outcome = *rank.outcome;
    stats.drain = std::max(stats.drain, outcome.drain);
    stats.sync_time = std::max(stats.sync_time, outcome.sync_time);
    for (const int error : outcome.sync_errors) stats.ops.record_error(OpKind::fsync, error);
    stats.stuck_ops += outcome.stuck_ops;
    stats.interrupted |= outcome.interrupted;
    stats.too_many_errors |= outcome.too_many_errors;
    stats.cpu_cores_used += outcome.host.cpu_cores_used;
    stats.host_busy = std::max(stats.host_busy, outcome.host.host_busy);
    stats.longest_pause = std::max(stats.longest_pause, outcome.host.longest_pause);
    stats.pause_delay = std::max(stats.pause_delay, outcome.host.pause_delay);
    stats.paused_share = std::max(stats.paused_share, outcome.host.paused_share);
    stats.throttled_share = std::max(stats.throttled_share, outcome.host.throttled_share);
    stats.real_time_refused |= outcome.host.real_time_refused;
    for (std::size_t i = 0; i < outcome.groups.size() && i < stats.groups.size(); ++i) {
      stats.groups[i].due += outcome.groups[i].due;
      stats.groups[i].least_proc_share = std::min(stats.groups[i].least_proc_share, outcome.groups[i].least_proc_share);
    }
    stats.hosts.push_back(outcome.host);
    stats.hosts.back().clock_uncertainty = rank.clock_uncertainty;
  }
  // How many ops were due at a rank that is lost follows from the rates alone.
  if (!std::ranges::all_of(ranks_, [](const Rank& rank) { return rank.outcome.has_value(); }))
    for (GroupStats& group : stats.groups)
      group.due =
          static_cast<std::uint64_t>(std::llround(group.requested_ops_per_sec.value_or(0) * to_seconds(stats.length)));
  stats.interrupted |= cut_short;
  return stats;
}

}  // namespace edagen
