// The common part of simulations: procs, schedules and the phases of a load point.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "edagen/parts/random.hpp"
#include "load/applied_load.hpp"
#include "load/measurement.hpp"
#include "load/mix_balancer.hpp"
#include "sim/sim_runner.hpp"

namespace edagen {

/// Draws a time with this mean, in the unit of the mean.
inline double draw_time(Random& random, ServiceTimes times, double mean) {
  return times == ServiceTimes::deterministic ? mean : mean * random.exponential();
}

/// A 4-ary heap of (time, value), earliest first; ties in no order. Most events are followed by another event, which
/// takes the place of the first: pop() leaves that place open until then.
template <class Value>
class TimeHeap {
 public:
  struct Entry {
    double at;  ///< ns
    Value value;
  };
  void clear() {
    entries_.clear();
    open_ = false;
  }
  /// The earliest entry; an entry at infinity when the heap is empty.
  Entry earliest() { return empty() ? Entry{std::numeric_limits<double>::infinity(), {}} : entries_.front(); }
  /// Removes the earliest entry. The heap must not be empty.
  Entry pop() {
    if (open_) close();
    open_ = true;
    return entries_.front();
  }
  void push(double at, Value value) {
    if (open_) {
      open_ = false;
      return sink({at, value});
    }
    entries_.push_back({at, value});
    std::size_t i = entries_.size() - 1;
    for (; i > 0 && entries_[parent(i)].at > at; i = parent(i)) entries_[i] = entries_[parent(i)];
    entries_[i] = {at, value};
  }
  /// Calls f(time, value) for each entry; f may change the time.
  template <class F>
  void change_times(F f) {
    if (open_) close();
    for (Entry& entry : entries_) f(entry.at, entry.value);
    std::ranges::sort(entries_, {}, &Entry::at);
  }

 private:
  static std::size_t first_child(std::size_t i) { return 4 * i + 1; }
  static std::size_t parent(std::size_t i) { return (i - 1) / 4; }

  bool empty() {
    if (open_) close();
    return entries_.empty();
  }
  /// Moves the last entry to the open place.
  void close() {
    open_ = false;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
  }
  /// Moves `entry` from the top to children place.
  void sink(const Entry entry) {
    const std::size_t end = entries_.size();
    std::size_t i = 0;
    for (std::size_t child = first_child(0); child < end; child = first_child(i)) {
      const std::size_t least = least_of(child, end);
      if (entries_[least].at >= entry.at) break;
      entries_[i] = entries_[least];
      i = least;
    }
    entries_[i] = entry;
  }
  /// The earliest of up to four children from `first` on. Four are compared by arithmetic, since branches would be
  /// unpredictable.
  std::size_t least_of(std::size_t first, std::size_t end) const {
    const std::span<const Entry> children(entries_.begin() + static_cast<std::ptrdiff_t>(first),
                                          std::min<std::size_t>(4, end - first));
    if (children.size() < 4)
      return first + static_cast<std::size_t>(std::ranges::min_element(children, {}, &Entry::at) - children.begin());
    const auto is_earlier = [](double a, double b) { return static_cast<std::size_t>(a < b); };
    const std::size_t one = is_earlier(children[1].at, children[0].at),
                      other = 2 + is_earlier(children[3].at, children[2].at);
    const std::size_t is_other =
        is_earlier(std::min(children[2].at, children[3].at), std::min(children[0].at, children[1].at));
    return first + (one ^ ((one ^ other) & -is_other));
  }

  std::vector<Entry> entries_;
  bool open_ = false;  ///< whether the top has been removed
};

/// Runs a load point over a simulation.
class SimBase : public LoadRunner {
 public:
  SimBase(std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop);
  void share(SharedLoad& shared) { shared_ = &shared; }
  void use_clock(std::shared_ptr<double> clock) { clock_ = std::move(clock); }
  RunStats run(const LoadPoint& load, const EventSink& emit) final;
  std::uint64_t end_load() final {
    up_.reset();
    return 0;
  }

 protected:
  struct Proc : EngineProc {
    bool cacheable;
    std::size_t first_sharer;  ///< the proc whose files it works on
    bool active;               ///< whether the proc takes part in this load point
    unsigned depth_now;        ///< depth at this load point
    double rate;
    Schedule schedule;
    std::uint64_t ended, due;  ///< as in ShardProc
  };

  /// Begins a load at time 0 and drops all ops in flight; `procs` take part, now or later.
  virtual void begin(const std::vector<std::uint32_t>& procs) = 0;
  /// Goes on from `at` (ns) by the procs' current schedules.
  virtual void reschedule(double at) = 0;
  /// The beginning of the load by the clock.
  double load_began() const { return load_began_; }
  /// Advances to `until` (ns), and records every op that ends before through record().
  virtual void advance(double until) = 0;
  /// Calls f(proc, intended start) for each op that has begun and has not been recorded.
  virtual void for_each_in_flight(const std::function<void(Proc&, double)>& f) = 0;

  void record(Proc& proc, OpKind kind, double intended, double start, double end, const OpResult& result) {
    const auto ns = [](double value) { return Nanos(static_cast<Nanos::rep>(value)); };
    if (!proc.here) return;
    const bool open_loop = proc.schedule.open_loop();
    OpKindStats& stats = interval_stats_.ops.of(kind);
    ClientStats& client = interval_stats_.clients[proc.client];
    if (window_.contains(ns(end))) {
      stats.count(result);
      ++interval_stats_.group_operations[proc.group];
      client.counts.count(result);
      ++proc.ended;
    }
    if (!window_.contains(ns(open_loop ? intended : start))) return;
    ++proc.due;
    if (open_loop) {
      stats.time({ns(end - intended), ns(end - start), ns(start - intended)});
      client.time(kind, ns(end - intended), ns(end - start));
    } else {
      stats.time_closed_loop(ns(end - start));
      client.time_closed_loop(kind, ns(end - start));
    }
  }

  /// In a closed loop a proc that must let other kinds keep their shares tries again after this time.
  static constexpr NanosF retry_after{50e3};
  bool may_begin(const Proc& proc) const { return !shares_ || shares_->may_begin(proc.group); }
  void begun(const Proc& proc) {
    if (shares_) shares_->op_started(proc.group, 1);
  }

  std::vector<Proc> procs_;
  Random random_;

 private:
  void apply(const LoadPoint& load, bool takes_over);
  bool drain(Nanos at_most);
  Measurement::Next agree(Measurement& measurement, Measurement::Next next, bool ending);

  SharedLoad* shared_ = nullptr;
  std::vector<std::string> groups_;
  Window window_;
  std::unique_ptr<MixBalancer> shares_;  ///< in a closed loop of several kinds of procs
  std::uint64_t seed_;
  std::stop_token stop_;
  std::uint64_t runs_ = 0;
  std::unique_ptr<AppliedLoad> applied_;  ///< the current load point
  std::optional<LoadPoint> up_;           ///< a load that stays up
  std::vector<std::uint32_t> procs_now_;  ///< procs that take part
  Nanos at_{0};                           ///< the time since the load began
  double load_began_ = 0;
  std::shared_ptr<double> clock_ = std::make_shared<double>(0);  ///< VolumeModel::clock
  IntervalStats interval_stats_;
};

std::unique_ptr<SimBase> make_station_sim(const StationModel& model, std::vector<SimProc> procs,
                                          std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop);
std::unique_ptr<SimBase> make_volume_sim(const VolumeModel& model, std::vector<SimProc> procs,
                                         std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop);

}  // namespace edagen
