#include "load/pause_watch.hpp"

#include <algorithm>
#include <cstddef>

#include "base/kernel_clock.hpp"

namespace edagen {
namespace {

constexpr Nanos sleep_time = std::chrono::milliseconds(5);
/// Threads of a busy host wait less than this for their turn, unless the program is kept from running.
constexpr Nanos shortest_pause = std::chrono::milliseconds(10);
constexpr std::size_t most_remembered = 1000;  ///< of these, in which a late call may lie: 10 s or more

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
    look(time_since_boot());
  }
}

void PauseWatch::look(Nanos at) {
  const Pauses pauses = pauses_until(at);
  if (pauses.all > pauses_.all) remember({at - (pauses.all - pauses_.all), at});
  pauses_ = pauses;
  begin_sleep(at);
}

void PauseWatch::begin_sleep(Nanos at) {
  operations_before_ = operations_();
  asleep_since_ = at;
}

void PauseWatch::restart(Nanos late) {
  std::lock_guard lock(mutex_);
  const Nanos at = time_since_boot();
  begin_sleep(at);
  since_ = now() - late;
  first_operations_ = operations_before_;
  pauses_ = {};
  last_.clear();
  pauses_.longest = late;
  if (late < shortest_pause) return;
  pauses_.add(late);
  remember({at - late, at});
}

void PauseWatch::add_late(Nanos late) {
  std::lock_guard lock(mutex_);
  const Nanos at = time_since_boot();
  look(at);
  pauses_.longest = std::max(pauses_.longest, late);
  const Nanos unseen = late - seen_since(at - late);
  if (unseen < shortest_pause) return;
  pauses_.add(unseen);
  for (Span& pause : last_) pause.end = std::min(pause.end, std::max(pause.begin, at - late));
  remember({at - late, at});
}

void PauseWatch::remember(const Span& pause) {
  last_.push_back(pause);
  if (last_.size() > most_remembered) last_.pop_front();
}

/// The time of the pauses that were seen, from `begin` on.
Nanos PauseWatch::seen_since(Nanos begin) const {
  Nanos seen{0};
  for (const Span& pause : last_) seen += std::max(Nanos(0), pause.end - std::max(pause.begin, begin));
  return seen;
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
