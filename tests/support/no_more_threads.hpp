// A process that has as many threads as it may have.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>

namespace edagen::testing {

/// The system refuses each new thread of this process while a test uses it: no address space has room for its stack.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_attr_t huge;
    EXPECT_EQ(pthread_getattr_default_np(&before_), 0);
    EXPECT_EQ(pthread_getattr_default_np(&huge), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&huge, std::size_t{1} << 60), 0);
    EXPECT_EQ(pthread_setattr_default_np(&huge), 0);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&before_);
    pthread_attr_destroy(&before_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace edagen::testing
