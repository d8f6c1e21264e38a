// A load of several hosts, at the rank that leads: it agrees on when the load begins, puts together what all have seen
// in an interval, and decides from that what comes next.
#pragma once

#include <deque>

#include "hosts/hosts.hpp"
#include "hosts/load_messages.hpp"

namespace edagen {

class LedLoad final : public SharedLoad {
 public:
  /// All outlive this. `groups`: names of the kinds of procs.
  LedLoad(Hosts& hosts, std::vector<std::string> groups) : hosts_(hosts), groups_(std::move(groups)) {}

  /// Another load point. `emit` gets what all ranks have seen together.
  void begin(const LoadPoint& load, const EventSink& emit);
  /// After this rank's part of it: what all have measured. Waits for them; of those that are lost it has what they had
  /// sent.
  RunStats finish(LoadOutcome here, const RunStats& local);
  /// The load is over on all ranks, whatever phase it is in.
  void end_now();

  TimePoint agree_start() override;
  void interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) override;
  std::optional<Decision> decision() override;
  bool is_over() override;
  void drained(const IntervalStats& stats) override { last_ = stats; }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override {
    hosts_.tell_hanging(stuck_text(what, kind, age));
  }
  void rest() override { hosts_.rest(); }

  const IntervalStats& last() const { return last_; }

 private:
  struct Rank {
    std::deque<IntervalSeen> seen;
    std::optional<LoadOutcome> outcome;
    bool begun = false;          ///< has said that it is ready
    Nanos length{0};             ///< of its part of the last interval that was put together
    Nanos clock_uncertainty{0};  ///< of the clock by which it was to begin
  };
  TimePoint soon() const;
  void hear();
  void hear_from(int rank);
  void put_together();
  bool has_come(std::size_t rank, Nanos until) const;
  void put_together_round(Nanos until, bool last);
  void add_host(IntervalStats& all, int rank, const IntervalStats& of_rank) const;
  void decide(Measurement::Next next, TimePoint at = {});
  void end_window();
  void await_outcomes();
  void end_for_stuck_ops();

  Hosts& hosts_;
  std::vector<std::string> groups_;
  LoadPoint load_;
  std::optional<Measurement> together_;
  std::vector<Rank> ranks_;
  IntervalStats last_{0};
  std::optional<Decision> decision_;
  Nanos phase_start_{0}, until_{0};  ///< of the measurement together, since the load point began
  bool started_ = false, over_ = false, any_ = false, ended_ = false, window_ended_ = false;
  TimePoint over_since_{};
};

}  // namespace edagen
