// Whether this program was kept from running: stopped, suspended with the host, or without a processor.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "edagen/clock.hpp"

namespace edagen {

/// Watches with a thread that only sleeps, for 5 ms at a time: a longer sleep is a pause. A thread that also works
/// would miss a stop during its work. Thread-safe.
class PauseWatch {
 public:
  /// Begins to watch. The watching thread calls `operations`, which returns how many ops have ended, as the threads
  /// that carry them out count them. While ops go on, a late thread is no pause of the program.
  using Operations = std::function<std::uint64_t()>;
  explicit PauseWatch(Operations operations);

  /// Drops the pauses so far. `late`: this call should have come so much earlier, which is a pause, too.
  void restart(Nanos late = Nanos(0));
  /// This call should have come so much earlier, which is a pause, but for what the watch has seen of that time.
  void add_late(Nanos late);
  /// The longest pause, including those of the watching thread alone, while ops went on.
  Nanos longest() const;
  /// The share of the time since the beginning or the last restart in pauses that are longer than scheduling explains.
  double share() const;
  /// What such pauses delay ops by on average that are due at any time: each op until its pause is over.
  NanosF delay() const;

 private:
  struct Pauses {
    Nanos longest{0}, all{0};
    double squares = 0;  ///< of those in `all`, in s^2

    void add(Nanos pause);
  };
  /// By the clock that goes on while the host is suspended.
  struct Span {
    Nanos begin{0}, end{0};
  };
  void watch(const std::stop_token& stop);
  /// Takes the pause of the sleep that ends, and begins the next one.
  void look(Nanos at);
  void begin_sleep(Nanos at);
  void remember(const Span& pause);
  Nanos seen_since(Nanos begin) const;
  Pauses pauses_until(Nanos at) const;
  bool ops_went_on(Nanos slept) const;

  const Operations operations_;
  mutable std::mutex mutex_;  ///< of all below
  TimePoint since_;
  std::uint64_t first_operations_ = 0;
  Pauses pauses_;          ///< before the current sleep
  std::deque<Span> last_;  ///< of these the last ones, which do not overlap
  Nanos asleep_since_{0};  ///< by the clock that goes on while the host is suspended
  std::uint64_t operations_before_ = 0;
  std::jthread thread_;  ///< the last member: it ends first
};

}  // namespace edagen
