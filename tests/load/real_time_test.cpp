#include "load/real_time.hpp"

#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "support/skip.hpp"

namespace edagen {
namespace {

TEST(RealTimePolicy, RaisesThreadsThatMostlySleep) {
  const RealTimePolicy policy(8, 8, 1);
  EXPECT_TRUE(policy.raises(0.6, 1));
  EXPECT_FALSE(policy.raises(0.8, 1)) << "the kernel would stop it for 50 ms in each second";
}

TEST(RealTimePolicy, LeavesHalfAProcessorToAllOthersHoweverManyThreadsShareTheRest) {
  const RealTimePolicy two(2, 2, 1), eight(8, 8, 1);
  EXPECT_TRUE(two.raises(0.3, 1.4));
  EXPECT_FALSE(two.raises(0.3, 1.6)) << "of five workers with a third each, say";
  EXPECT_TRUE(eight.raises(0.5, 7.4));
  EXPECT_FALSE(eight.raises(0.5, 7.6));
}

TEST(RealTimePolicy, CountsTheOtherRanksOnThisHost) {
  const RealTimePolicy three_of_two(2, 2, 3);
  EXPECT_TRUE(three_of_two.raises(0.1, 0.4));
  EXPECT_FALSE(three_of_two.raises(0.1, 0.6)) << "three of these would leave a fifth of a processor";
}

TEST(RealTimePolicy, LeavesHalfAProcessorOfThoseToWhichTheProcessIsBound) {
  const RealTimePolicy bound(64, 2, 1), rank(64, 8, 8);
  EXPECT_TRUE(bound.raises(0.3, 1.4));
  EXPECT_FALSE(bound.raises(0.3, 1.6)) << "the other 62 processors are for others";
  EXPECT_TRUE(rank.raises(0.5, 7.4)) << "the other ranks have processors of their own";
  EXPECT_FALSE(rank.raises(0.5, 7.6));
}

int policy_of(pthread_t thread) {
  int policy = -1;
  sched_param priority{};
  pthread_getschedparam(thread, &policy, &priority);
  return policy;
}

TEST(RealTime, IsOverForGoodWhenTheThreadEndsIt) {
  RealTime real_time;
  std::atomic_flag raised, ended, judged;
  std::thread thread([&] {
    raised.wait(false);
    real_time.end();
    ended.test_and_set();
    ended.notify_one();
    judged.wait(false);
  });
  const auto tell = [](std::atomic_flag& flag) {
    flag.test_and_set();
    flag.notify_one();
  };
  real_time.begin(thread.native_handle());
  real_time.raise(true);
  const bool allowed = policy_of(thread.native_handle()) == SCHED_FIFO;
  tell(raised);
  ended.wait(false);
  EXPECT_EQ(policy_of(thread.native_handle()), SCHED_OTHER);
  real_time.raise(true);
  EXPECT_EQ(policy_of(thread.native_handle()), SCHED_OTHER);
  tell(judged);
  thread.join();
  if (!allowed) EDAGEN_SKIP("real-time priority needs root or RLIMIT_RTPRIO");
}

/// Takes all capabilities from the calling thread alone.
bool give_up_capabilities() {
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none{};
  return ::syscall(SYS_capset, &header, none.data()) == 0;
}

TEST(RealTime, TellsWhetherTheSystemHasRefusedIt) {
  std::thread thread([] {
    RealTime real_time;
    real_time.begin(::pthread_self());
    EXPECT_FALSE(real_time.is_refused()) << "nothing was asked for";
    EXPECT_TRUE(give_up_capabilities());
    real_time.raise(true);
    EXPECT_EQ(real_time.is_refused(), policy_of(::pthread_self()) != SCHED_FIFO);
    rlimit limit{};
    if (::getrlimit(RLIMIT_RTPRIO, &limit) == 0 && limit.rlim_cur == 0) {
      EXPECT_TRUE(real_time.is_refused());
    }
    real_time.end();
  });
  thread.join();
}

}  // namespace
}  // namespace edagen
