#include "load/pause_watch.hpp"

#include <algorithm>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

constexpr Nanos sleep_time = std::chrono::milliseconds(5);
/// Threads of a busy host wait less than this for their turn, unless the program is kept from running.
constexpr Nanos shortest_pause = std::chrono::milliseconds(10);

/// Unlike the steady clock, this time goes on while the host is suspended.
Nanos time_since_boot() { return time_of(CLOCK_BOOTTIME); }

}  // namespace

PauseWatch::PauseWatch(Operations operations) : operations_(std::move(operations)) {
  restart();
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void PauseWatch::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(sleep_time);
    std::lock_guard lock(mutex_);
    const Nanos awake_at = time_since_boot();
    pauses_ = pauses_until(awake_at);
    begin_sleep(awake_at);
  }
}

void PauseWatch::begin_sleep(Nanos at) {
  operations_before_ = operations_();
  asleep_since_ = at;
}

void PauseWatch::restart(Nanos late) {
  std::lock_guard lock(mutex_);
  begin_sleep(time_since_boot());
  since_ = now() - late;
  first_operations_ = operations_before_;
  pauses_ = {};
  pauses_.longest = late;
  if (late >= shortest_pause) pauses_.add(late);
}

void PauseWatch::add_late(Nanos late) {
  std::lock_guard lock(mutex_);
  const Nanos at = time_since_boot();
  pauses_ = pauses_until(at);
  begin_sleep(at);
  pauses_.longest = std::max(pauses_.longest, late);
  if (late >= shortest_pause && late > pauses_.all) pauses_.add(late - pauses_.all);
}

void PauseWatch::Pauses::add(Nanos pause) {
  all += pause;
  squares += to_seconds(pause) * to_seconds(pause);
}

PauseWatch::Pauses PauseWatch::pauses_until(Nanos at) const {
  const Nanos slept = at - asleep_since_, pause = slept - sleep_time;
  Pauses pauses = pauses_;
  pauses.longest = std::max(pauses.longest, pause);
  if (pause >= shortest_pause && !ops_went_on(slept)) pauses.add(pause);
  return pauses;
}

/// Whether more than half as many ops ended as in other times of that length.
bool PauseWatch::ops_went_on(Nanos slept) const {
  const double usual =
      static_cast<double>(operations_before_ - first_operations_) / std::max(1e-3, to_seconds(now() - since_ - slept));
  return static_cast<double>(operations_() - operations_before_) > usual / 2 * to_seconds(slept);
}

Nanos PauseWatch::longest() const {
  std::lock_guard lock(mutex_);
  return pauses_until(time_since_boot()).longest;
}

double PauseWatch::share() const {
  std::lock_guard lock(mutex_);
  const Nanos time = now() - since_;
  return time > Nanos(0) ? std::min(1.0, to_seconds(pauses_until(time_since_boot()).all) / to_seconds(time)) : 0;
}

NanosF PauseWatch::delay() const {
  std::lock_guard lock(mutex_);
  const double time = to_seconds(now() - since_);
  return time > 0 ? NanosF(Seconds(pauses_until(time_since_boot()).squares / 2 / time)) : NanosF(0);
}

}  // namespace edagen
