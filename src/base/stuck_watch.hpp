// Watches calls that may never return (file systems on dead servers), in a thread of its own: a call that hangs is
// named, and an interrupted program does not wait for it.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "edagen/clock.hpp"

namespace edagen {

class StuckWatch {
 public:
  /// The current call of one thread. Cheap enough for each file of a dataset, as no clock is read.
  class Thread {
   public:
    explicit Thread(StuckWatch& watch);
    ~Thread();
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    /// The call "`what` PATH/`leaf`" starts, and the call before has ended. Longer names are cut off.
    void call_started(std::string_view what, std::string_view path, std::string_view leaf = {});
    /// The next part of the same call starts.
    void resume() { calls_.fetch_add(2, std::memory_order_relaxed); }
    /// The thread is in no call.
    void pause();

   private:
    friend class StuckWatch;
    StuckWatch& watch_;
    std::atomic<std::uint64_t> calls_{0};  ///< odd while in a call
    std::mutex mutex_;                     ///< guards the next two
    std::array<char, 512> text_{};
    std::size_t length_ = 0;
    // Used by the watching thread alone:
    std::uint64_t seen_ = 0;
    TimePoint since_{};
    bool reported_ = false;
  };

  /// `stuck` is called once for each call that lasts `stuck_after` or longer, in the watching thread.
  using Stuck = std::function<void(const std::string& what, Nanos age)>;
  StuckWatch(Nanos stuck_after, Stuck stuck);
  ~StuckWatch();

  /// From now on `abandon` is called, once, when a call lasts longer than 5 s (or `stuck_after`, if shorter) and `stop`
  /// has been requested. Threads still use their stacks then, so `abandon` must end the process.
  void end_with(std::stop_token stop, std::function<void(const std::string& what)> abandon);

 private:
  void look();

  const Nanos stuck_after_;
  const Stuck stuck_;
  std::mutex mutex_;  ///< guards the next three
  std::list<Thread*> threads_;
  std::stop_token stop_;
  std::function<void(const std::string&)> abandon_;
  std::jthread watcher_;
};

}  // namespace edagen
