// Whether another run has taken the lock of a run's dataset: looked at while the load goes on, which ends for it.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "dataset/dataset.hpp"
#include "edagen/clock.hpp"

namespace edagen {

/// Looks with a thread of its own, which may hang where a server does not answer. All functions but end() and
/// last_look(), which wait for a look, return at once.
class LockWatch {
 public:
  /// `dataset` outlives this. `stop`: of the session.
  LockWatch(const Dataset& dataset, std::stop_token stop, Nanos every);

  /// For the load: requested with the session's stop, and when the lock is lost.
  std::stop_token stop() const { return ends_.get_token(); }
  /// The loss that was found, if any.
  std::optional<Error> loss() const;
  /// Returns when no look goes on, and none will.
  void end();
  /// Ends the looks and looks once more. After a stop of the session a server of nfs:// is waited for for a second.
  std::optional<Error> last_look();

 private:
  void watch(const std::stop_token& over);
  std::optional<Error> look(const std::stop_token& stop) const;

  const Dataset& dataset_;
  const Nanos every_;
  std::stop_source ends_;
  std::stop_callback<std::function<void()>> on_stop_;
  mutable std::mutex mutex_;  ///< guards the next two
  std::condition_variable_any over_;
  std::optional<Error> loss_;
  std::jthread watcher_;  ///< the last member: it ends first
};

}  // namespace edagen
