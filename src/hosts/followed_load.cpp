#include "hosts/followed_load.hpp"

#include <utility>

namespace edagen {

void FollowedLoad::begin(std::size_t groups) {
  last_ = IntervalStats(groups);
  decision_.reset();
  over_ = false;
}

TimePoint FollowedLoad::agree_start() {
  hosts_.send(0, About::ready, {});
  for (;;) {
    if (auto start = hosts_.poll(0, About::start)) return TimePoint(from_wire<Nanos>(*start));
    if (is_over()) return now();
    hosts_.rest();
  }
}

void FollowedLoad::interval_ended(const Interval& interval, const IntervalStats& stats, bool phase_over, bool ending) {
  hosts_.send(0, About::interval,
              to_wire(IntervalSeen{interval.start, interval.length, to_wire(stats), phase_over, ending}));
}

void FollowedLoad::hear() {
  while (auto bytes = hosts_.poll(0, About::decision)) {
    const auto decision = from_wire<PhaseDecision>(*bytes);
    if (decision.now) over_ = true;
    else decision_ = Decision{decision.next, TimePoint(decision.at)};
  }
}

std::optional<SharedLoad::Decision> FollowedLoad::decision() {
  hear();
  return std::exchange(decision_, std::nullopt);
}

bool FollowedLoad::is_over() {
  hear();
  return over_ || hosts_.failure() || hosts_.leader_has_ended();
}

}  // namespace edagen
