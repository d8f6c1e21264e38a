#include "cli/signals.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/no_more_threads.hpp"

namespace edagen {
namespace {

/// A watch blocks signals in the thread that makes it, and ignores SIGPIPE at the end.
class SignalsKept {
 public:
  SignalsKept() : on_broken_pipe_(::signal(SIGPIPE, SIG_DFL)) {
    ::signal(SIGPIPE, on_broken_pipe_);
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked_);
  }
  ~SignalsKept() {
    ::signal(SIGPIPE, on_broken_pipe_);
    pthread_sigmask(SIG_SETMASK, &blocked_, nullptr);
  }
  SignalsKept(const SignalsKept&) = delete;
  SignalsKept& operator=(const SignalsKept&) = delete;

 private:
  sighandler_t on_broken_pipe_;
  sigset_t blocked_;
};

TEST(SignalWatch, ASignalRequestsTheEndWhereTheSystemRefusesAnotherThread) {
  const SignalsKept kept;
  const SignalWatch watch;
  const testing::NoMoreThreads full;
  ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
  for (int tries = 0; tries < 1000 && !watch.token().stop_requested(); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_TRUE(watch.token().stop_requested());
}

}  // namespace
}  // namespace edagen
