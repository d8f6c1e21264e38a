// A target whose ops do what a test says, and that notes what it was asked for.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "edagen/target/target.hpp"

namespace edagen::testing {

class FakeTarget final : public Target {
 public:
  using Behaviour = std::function<OpResult(std::uint32_t proc, const Op& op)>;
  explicit FakeTarget(Behaviour behaviour = [](auto, const auto&) { return OpResult{}; })
      : behaviour_(std::move(behaviour)) {}

  std::unique_ptr<TargetWorker> make_worker() override { return std::make_unique<Worker>(*this); }
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
    OpResult carry_out(std::uint32_t proc, const Op& op) override {
      {
        std::lock_guard lock(target.mutex_);
        target.ops_[proc].push_back(op);
      }
      return target.behaviour_(proc, op);
    }
    FakeTarget& target;
  };

  Behaviour behaviour_;
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::vector<Op>> ops_;
};

}  // namespace edagen::testing
