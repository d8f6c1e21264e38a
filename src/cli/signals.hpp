// The first SIGINT, SIGTERM or SIGHUP requests the run to end, the second, half a second later or more, ends the
// process at once; a broken pipe is such a request, too, also that of a stdout to which the result is to go. The thread
// that waits for signals writes nothing, so that a terminal or pipe that nobody reads does not hold it up.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

#include "edagen/clock.hpp"

namespace edagen {

/// Blocks the signals in this thread and in all that it starts, and waits for them in a thread of its own.
/// At most one at a time.
class SignalWatch {
 public:
  /// `before_exit` is called in a thread of its own when the process is to end at once, which it does two seconds later
  /// if `before_exit` has not returned. `stdout_awaited`: the run is to
  /// end when nobody can read stdout any more.
  explicit SignalWatch(std::function<void()> before_exit = {}, bool stdout_awaited = false);
  ~SignalWatch();
  std::stop_token token() const { return asked_.get_token(); }

 private:
  struct Loop;
  struct SpareThread;
  void wait();
  void watch_stdout();
  std::future<void> written_apart(std::function<void()> write);

  const std::function<void()> before_exit_;
  std::stop_source asked_;
  std::optional<TimePoint> told_;  ///< when the user has asked
  std::future<void> message_;
  std::unique_ptr<SpareThread> spare_;
  std::unique_ptr<Loop> loop_;
  std::thread thread_;
};

}  // namespace edagen
