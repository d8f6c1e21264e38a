// Whether this program was kept from running: stopped, suspended with the host, or without a processor.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

#include "edagen/clock.hpp"

namespace edagen {

/// A thread that does nothing but sleep for 5 ms at a time: what it sleeps beyond that is a pause. A thread that also
/// works would miss a stop that hits it at work. All members may be called by any thread.
class PauseWatch {
 public:
  /// Begins to watch. `operations`, which the watching thread calls: how many ops have ended, as the threads that carry
  /// them out count them. While ops go on, a late thread is no pause of the program.
  using Operations = std::function<std::uint64_t()>;
  explicit PauseWatch(Operations operations);

  /// What was seen before no longer counts.
  void restart();
  /// The longest pause, also of a thread that had no processor while ops went on.
  Nanos longest() const;
  /// The share of the time since the watch began or was restarted that went into pauses longer than scheduling
  /// explains.
  double share() const;

 private:
  struct Pauses {
    Nanos longest{0}, all{0};
  };
  void watch(const std::stop_token& stop);
  void begin_sleep(Nanos at);
  Pauses pauses_until(Nanos at) const;
  bool ops_went_on(Nanos slept) const;

  const Operations operations_;
  mutable std::mutex mutex_;  ///< of all below
  TimePoint since_;
  std::uint64_t first_operations_ = 0;
  Pauses pauses_;          ///< before the current sleep
  Nanos asleep_since_{0};  ///< by the clock that goes on while the host is suspended
  std::uint64_t operations_before_ = 0;
  std::jthread thread_;  ///< the last member: it ends first
};

}  // namespace edagen
