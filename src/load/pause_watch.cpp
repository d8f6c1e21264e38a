#include "load/pause_watch.hpp"

#include <algorithm>
#include <thread>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

/// Threads of a busy host wait less than this for their turn, unless the program is kept from running.
constexpr Nanos shortest_pause = std::chrono::milliseconds(10);

/// Unlike the steady clock, this time goes on while the host is suspended.
Nanos time_since_boot() { return time_of(CLOCK_BOOTTIME); }

}  // namespace

void PauseWatch::sleep_until(TimePoint until) {
  const std::uint64_t operations = operations_();
  const Nanos asleep = time_since_boot(), asked = std::max(until - now(), Nanos(0));
  std::this_thread::sleep_until(until);
  const Nanos slept = time_since_boot() - asleep, pause = slept - asked;
  longest_ = std::max(longest_, pause);
  if (pause >= shortest_pause && !ops_went_on(operations, slept)) all_ += pause;
}

/// Whether more than half as many ops ended as in other times of that length.
bool PauseWatch::ops_went_on(std::uint64_t before, Nanos slept) const {
  const double usual = static_cast<double>(before - first_) / std::max(1e-3, to_seconds(now() - since_ - slept));
  return static_cast<double>(operations_() - before) > usual / 2 * to_seconds(slept);
}

double PauseWatch::share() const {
  const Nanos time = now() - since_;
  return time > Nanos(0) ? std::min(1.0, to_seconds(all_) / to_seconds(time)) : 0;
}

}  // namespace edagen
