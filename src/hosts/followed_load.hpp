// A load of several hosts, at a rank that follows.
#pragma once

#include "hosts/hosts.hpp"
#include "hosts/load_messages.hpp"

namespace edagen {

class FollowedLoad final : public SharedLoad {
 public:
  /// Outlives this.
  explicit FollowedLoad(Hosts& hosts) : hosts_(hosts) {}

  /// Another load point.
  void begin(std::size_t groups);
  const IntervalStats& last() const { return last_; }

  TimePoint agree_start() override;
  void interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) override;
  std::optional<Decision> decision() override;
  bool is_over() override;
  void drained(const IntervalStats& stats) override { last_ = stats; }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override {
    hosts_.tell_hanging(stuck_text(what, kind, age));
  }
  void rest() override { hosts_.rest(); }

 private:
  void hear();

  Hosts& hosts_;
  IntervalStats last_{0};
  std::optional<Decision> decision_;
  bool over_ = false;
};

}  // namespace edagen
