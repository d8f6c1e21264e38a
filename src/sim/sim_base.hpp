// What the simulations have in common: procs, their schedules, the course of a load point.
#pragma once

#include <vector>

#include "load/applied_load.hpp"
#include "load/measurement.hpp"
#include "sim/sim_runner.hpp"

namespace edagen {

/// A 4-ary heap of (time, value), earliest first; ties in no order.
template <class Value>
class TimeHeap {
 public:
  struct Entry {
    double at;  ///< ns
    Value value;
  };
  bool empty() const { return entries_.empty(); }
  const Entry& top() const { return entries_.front(); }
  void clear() { entries_.clear(); }
  void push(double at, Value value) {
    entries_.push_back({at, value});
    std::size_t i = entries_.size() - 1;
    for (; i > 0 && entries_[(i - 1) / 4].at > at; i = (i - 1) / 4) entries_[i] = entries_[(i - 1) / 4];
    entries_[i] = {at, value};
  }
  void pop() {
    const Entry last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
  }
  /// pop() and push() in one.
  void replace_top(double at, Value value) { sink({at, value}); }

 private:
  void sink(const Entry entry) {
    const std::size_t count = entries_.size();
    std::size_t i = 0;
    for (std::size_t child = 1; child < count; child = 4 * i + 1) {
      std::size_t least = child;
      for (std::size_t c = child + 1; c < std::min(child + 4, count); ++c)
        if (entries_[c].at < entries_[least].at) least = c;
      if (entries_[least].at >= entry.at) break;
      entries_[i] = entries_[least];
      i = least;
    }
    entries_[i] = entry;
  }
  std::vector<Entry> entries_;
};

/// Runs the course of a load point over a simulation.
class SimBase : public LoadRunner {
 public:
  SimBase(std::vector<SimProc> procs, std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop);
  RunStats run(const LoadPoint& load, RunObserver& observer) final;

 protected:
  struct Proc : EngineProc {
    bool cacheable;
    unsigned depth_now;  ///< at this load point, as the next
    double rate;
    Schedule schedule;
    std::uint64_t completed, completed_before;
  };

  /// Forgets all ops in flight; `active` are the procs that take part.
  virtual void begin(const std::vector<std::uint32_t>& active, bool open_loop) = 0;
  /// Goes on until `until` (ns); records every op that ends before, through record().
  virtual void advance(double until) = 0;

  void record(Proc& proc, OpKind kind, double intended, double start, double end, const OpResult& result) {
    const auto ns = [](double value) { return Nanos(static_cast<Nanos::rep>(value)); };
    ++proc.completed;
    ++interval_stats_.group_operations[proc.group];
    if (proc.schedule.open_loop())
      interval_stats_.ops.record(kind, {ns(end - intended), ns(end - start), ns(start - intended)}, result);
    else interval_stats_.ops.record_closed_loop(kind, ns(end - start), result);
  }

  std::vector<Proc> procs_;
  Random random_;

 private:
  std::vector<std::string> groups_;
  std::uint64_t seed_;
  std::stop_token stop_;
  std::uint64_t runs_ = 0;
  std::unique_ptr<AppliedLoad> applied_;  ///< at the current load point
  IntervalStats interval_stats_;
};

/// The payload an op moves, as the target would report it.
OpResult result_of(const Op& op);

std::unique_ptr<LoadRunner> make_station_sim(const StationModel& model, std::vector<SimProc> procs,
                                             std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop);
std::unique_ptr<LoadRunner> make_volume_sim(const VolumeModel& model, std::vector<SimProc> procs,
                                            std::vector<std::string> groups, std::uint64_t seed, std::stop_token stop);

}  // namespace edagen
