// Calls that may never return (file systems on dead servers), watched from a thread of their own: one that hangs is
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
  /// What one thread is doing. Cheap enough for each file that is made: no clock is read.
  class Thread {
   public:
    explicit Thread(StuckWatch& watch);
    ~Thread();
    Thread(const Thread&) = delete;
    Thread& operator=(const Thread&) = delete;

    /// "`what` PATH/`leaf`" begins, and with it what went before has ended. Longer names are cut off.
    void begins(std::string_view what, std::string_view path, std::string_view leaf = {});
    /// What begins() named goes on: a part of it has ended.
    void goes_on() { calls_.fetch_add(2, std::memory_order_relaxed); }
    /// Nothing is being done.
    void rests();

   private:
    friend class StuckWatch;
    StuckWatch& watch_;
    std::atomic<std::uint64_t> calls_{0};  ///< odd: in a call
    std::mutex mutex_;                     ///< of what follows
    std::array<char, 512> text_{};
    std::size_t length_ = 0;
    // Of the watching thread:
    std::uint64_t seen_ = 0;
    TimePoint since_{};
    bool told_ = false;
  };

  /// `stuck` is called once for each call that lasts `stuck_after` or longer, in the watching thread.
  using Stuck = std::function<void(const std::string& what, Nanos age)>;
  StuckWatch(Nanos stuck_after, Stuck stuck);
  ~StuckWatch();

  /// From now on `abandon` is called, once, when a call lasts longer than 5 s (`stuck_after` if that is less) and
  /// `stop` has been requested. Its caller's threads still use their stacks: it must end the process.
  void end_with(std::stop_token stop, std::function<void(const std::string& what)> abandon);

 private:
  void look();

  const Nanos stuck_after_;
  const Stuck stuck_;
  std::mutex mutex_;  ///< of the next three
  std::list<Thread*> threads_;
  std::stop_token stop_;
  std::function<void(const std::string&)> abandon_;
  std::jthread watcher_;
};

}  // namespace edagen
