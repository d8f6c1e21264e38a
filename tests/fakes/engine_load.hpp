// Procs, load points and a watcher for tests that run an engine.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "fakes/fake_target.hpp"
#include "load/engine.hpp"
#include "workload/workload_file.hpp"

namespace edagen::testing {

/// Procs of eda_functional on a fake target.
struct Load {
  explicit Load(std::size_t count, std::uint64_t seed = 1) {
    mixes.emplace_back(workload.proc_kinds[0].weights);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t its_seed = proc_seed(seed, i);
      const ProcSpec& kind = workload.proc_kinds[0];
      procs.push_back({OpStream(kind, mixes[0], FilePopulation(kind, kind.dataset, its_seed), its_seed), 0, 100});
    }
  }
  Engine engine(Target& target, EngineOptions options = {}) {
    return Engine(std::move(procs), {"functional"}, target, options, stop.get_token());
  }
  WorkloadSpec workload = load_workload("eda_functional");
  std::vector<OpMix> mixes;
  std::vector<EngineProc> procs;
  std::stop_source stop;
};

/// Ends a load when each of so many procs has carried out so many ops, however long a busy machine takes for that.
class OpCountdown {
 public:
  OpCountdown(std::stop_source& stop, std::size_t procs, int ops)
      : stop_(stop), ops_(ops), done_(procs), left_(procs) {}
  /// Called from an op, by any thread.
  void count(std::uint32_t proc) {
    if (++done_[proc] == ops_ && --left_ == 0) stop_.request_stop();
  }

 private:
  std::stop_source& stop_;
  const int ops_;
  std::vector<std::atomic<int>> done_;  ///< by proc
  std::atomic<std::size_t> left_;       ///< procs that have not done their ops
};

/// Counts the ops that are carried out at the same time. Thread-safe.
class OpsAtOnce {
 public:
  void began() {
    const int now = ++inside_;
    for (int known = most_; now > known && !most_.compare_exchange_weak(known, now);) {
    }
  }
  void ended() { --inside_; }
  int most() const { return most_; }

 private:
  std::atomic<int> inside_{0}, most_{0};
};

/// What was carried out is what so many procs do, from their first op on.
inline void expect_ops_from_the_first(FakeTarget& target, std::size_t procs) {
  Load fresh(procs);
  for (auto& [proc, ops] : target.ops())
    for (const Op& op : ops) ASSERT_EQ(op, fresh.procs[proc].ops.next());
}

inline LoadPoint load(std::optional<double> rate, Nanos warmup = Nanos(0),
                      Nanos duration = std::chrono::milliseconds(500)) {
  LoadPoint point;
  if (rate) point.rate = OpenLoop{*rate};
  point.warmup = warmup;
  point.duration = duration;
  point.interval = std::chrono::milliseconds(100);
  point.settle = false;  // a busy machine is not steady
  return point;
}

struct Watcher {
  operator EventSink() {
    return on([this](const IntervalEnded& its) { ++(its.in_window ? cold : warm); },
              [this](const OpFailed& its) {
                failures.push_back({its.what, its.error});
              },
              [this](const OpStuck& its) { stuck.push_back(its.what); });
  }
  int warm = 0, cold = 0;
  std::vector<std::pair<std::string, int>> failures;
  std::vector<std::string> stuck;
};

}  // namespace edagen::testing
