// A target whose ops do what a test says, and that notes what it was asked for.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "edagen/target.hpp"

namespace edagen::testing {

class FakeTarget : public Target {
 public:
  using Behaviour = std::function<OpResult(std::uint32_t proc, const Op& op)>;
  explicit FakeTarget(Behaviour behaviour = [](auto, const auto&) { return OpResult{}; })
      : behaviour_(std::move(behaviour)) {}

  std::unique_ptr<TargetWorker> make_worker() override { return std::make_unique<Worker>(*this); }
  /// Ops complete in complete(), the latest first.
  std::unique_ptr<TargetQueue> make_queue(const std::vector<QueuedProc>&) override {
    return std::make_unique<Queue>(*this);
  }
  std::vector<int> sync() override {
    ++syncs;
    if (during_sync) during_sync();
    return sync_failures;
  }
  void drop_caches() override {
    ++cache_drops;
    if (during_drop) during_drop();
  }
  int syncs = 0, cache_drops = 0;
  std::vector<int> sync_failures;
  std::function<void()> during_sync, during_drop;

  std::string describe(std::uint32_t proc, const Op& op) const override {
    return "proc " + std::to_string(proc) + " " + std::string(to_string(op.kind));
  }
  /// The ops of each proc, in order.
  std::map<std::uint32_t, std::vector<Op>> ops() const {
    std::lock_guard lock(mutex_);
    return ops_;
  }

 private:
  struct Worker final : TargetWorker {
    explicit Worker(FakeTarget& its_target) : target(its_target) {}
    OpResult carry_out(std::uint32_t proc, const Op& op) override { return target.carry_out(proc, op); }
    FakeTarget& target;
  };
  struct Queue final : TargetQueue {
    explicit Queue(FakeTarget& its_target) : target(its_target) {}
    void begin(std::uint32_t slot, std::uint32_t proc, const Op& op) override { begun.push_back({slot, proc, op}); }
    std::size_t complete(std::span<Completion> done, Nanos timeout) override {
      if (timeout < Nanos(0)) return 0;
      if (begun.empty()) std::this_thread::sleep_for(timeout);
      std::size_t count = 0;
      for (; count < done.size() && !begun.empty(); begun.pop_back(), ++count)
        done[count] = {begun.back().slot, target.carry_out(begun.back().proc, begun.back().op)};
      return count;
    }
    struct InFlight {
      std::uint32_t slot, proc;
      Op op;
    };
    FakeTarget& target;
    std::vector<InFlight> begun;
  };

  OpResult carry_out(std::uint32_t proc, const Op& op) {
    {
      std::lock_guard lock(mutex_);
      ops_[proc].push_back(op);
    }
    return behaviour_(proc, op);
  }

  Behaviour behaviour_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::vector<Op>> ops_;
};

}  // namespace edagen::testing
