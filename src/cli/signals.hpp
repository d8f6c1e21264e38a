// The first SIGINT, SIGTERM or SIGHUP asks the run to end, the second ends the process at once; a broken pipe asks,
// too.
#pragma once

#include <memory>
#include <stop_token>
#include <thread>

namespace edagen {

/// Blocks the signals in this thread and in all that it starts, and waits for them in a thread of its own.
/// At most one at a time.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  std::stop_token token() const { return asked_.get_token(); }

 private:
  struct Loop;
  void wait();

  std::stop_source asked_;
  bool told_ = false;  ///< the user has asked
  std::unique_ptr<Loop> loop_;
  std::thread thread_;
};

}  // namespace edagen
