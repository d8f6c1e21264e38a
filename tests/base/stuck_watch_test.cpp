#include "base/stuck_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace edagen {
namespace {

using namespace std::chrono_literals;

struct Told {
  std::mutex mutex;
  std::vector<std::string> stuck, abandoned;

  StuckWatch::Stuck hear() {
    return [this](const std::string& what, Nanos) {
      std::lock_guard lock(mutex);
      stuck.push_back(what);
    };
  }
  std::size_t count() {
    std::lock_guard lock(mutex);
    return stuck.size();
  }
};

/// True as soon as it is; false when it is not within a generous time.
template <class F>
bool comes_true(F f) {
  for (int i = 0; i < 500 && !f(); ++i) std::this_thread::sleep_for(20ms);
  return f();
}

TEST(StuckWatch, ACallThatLastsTooLongIsNamedOnce) {
  Told told;
  StuckWatch watch(200ms, told.hear());
  StuckWatch::Thread thread(watch);
  thread.call_started("making", "/mnt/a/d000", "f000001");
  ASSERT_TRUE(comes_true([&] { return told.count() > 0; }));
  std::this_thread::sleep_for(300ms);
  EXPECT_EQ(told.stuck, std::vector<std::string>{"making /mnt/a/d000/f000001"});
  thread.call_started("making", "/mnt/a/d000", "f000002");
  EXPECT_TRUE(comes_true([&] { return told.count() == 2; }));
}

TEST(StuckWatch, AThreadThatRestsOrGoesOnIsNotStuck) {
  Told told;
  StuckWatch watch(500ms, told.hear());
  StuckWatch::Thread resting(watch), writing(watch);
  resting.call_started("making", "x");
  resting.pause();
  writing.call_started("writing", "y");
  for (int i = 0; i < 60; ++i) {
    std::this_thread::sleep_for(20ms);
    writing.resume();
  }
  EXPECT_EQ(told.count(), 0u);
}

TEST(StuckWatch, ALongNameIsCutOff) {
  Told told;
  StuckWatch watch(100ms, told.hear());
  StuckWatch::Thread thread(watch);
  thread.call_started("making", std::string(10'000, 'x'), "leaf");
  ASSERT_TRUE(comes_true([&] { return told.count() > 0; }));
  EXPECT_TRUE(told.stuck.front().starts_with("making xxx"));
  EXPECT_LE(told.stuck.front().size(), 512u);
}

TEST(StuckWatch, WhoIsToEndDoesNotWaitForACallThatHangs) {
  Told told;
  std::atomic<int> abandoned{0};
  std::stop_source stop;
  StuckWatch watch(300ms, told.hear());
  watch.end_with(stop.get_token(), [&](const std::string& what) {
    EXPECT_EQ(what, "opening --journal /fifo");
    ++abandoned;
  });
  StuckWatch::Thread thread(watch);
  thread.call_started("opening --journal", "/fifo");
  ASSERT_TRUE(comes_true([&] { return told.count() > 0; }));
  EXPECT_EQ(abandoned, 0) << "nobody has asked for an end";
  stop.request_stop();
  EXPECT_TRUE(comes_true([&] { return abandoned == 1; }));
  std::this_thread::sleep_for(200ms);
  EXPECT_EQ(abandoned, 1);
}

}  // namespace
}  // namespace edagen
