#include "session/lock_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <utility>

#include "edagen/error.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

const DatasetPlan no_files{};

/// A dataset that is there, and whose lock is looked at as a test wants it.
class LockedDataset final : public Dataset {
 public:
  using Look = std::function<std::optional<Error>(const std::stop_token&)>;
  explicit LockedDataset(Look look) : Dataset(no_files, false, nullptr), look_(std::move(look)) {}

  std::string id() const override { return "id"; }
  bool is_begun() const override { return true; }
  bool is_marked() const override { return true; }
  std::optional<Error> loss_of_lock(const std::stop_token& stop) const override { return look_(stop); }
  void remove(std::size_t, StuckWatch&) override {}

 private:
  void check_roots_for_foreign_files(int, const Skips&, std::size_t, const std::stop_token&,
                                     StuckWatch&) const override {}
  void claim_roots(DatasetMarker&, bool, StuckWatch::Thread&, const std::stop_token&) override {}
  void make_proc_directories(StuckWatch::Thread&, const std::stop_token&) override {}
  void build_directories(DirectoryQueue&, BuildCounters&, StuckWatch::Thread&, const std::stop_token&) override {}
  void mark_complete(StuckWatch&) override {}

  Look look_;
};

void wait_for(const std::function<bool()>& condition) {
  for (int left = 10'000; left > 0 && !condition(); --left) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(condition());
}

/// A look at a server that does not answer: it goes on until a stop, for 10 s at most.
class SilentLook {
 public:
  std::optional<Error> operator()(const std::stop_token& stop) {
    has_begun = true;
    for (int left = 10'000; left > 0 && !stop.stop_requested(); --left) std::this_thread::sleep_for(1ms);
    is_stopped = stop.stop_requested();
    throw run_error("nfs://server/vol", "does not answer");
  }
  std::atomic<bool> has_begun = false, is_stopped = false;
};

TEST(LockWatch, ALossThatALookFindsEndsTheLoadAndStaysALoss) {
  std::atomic<bool> is_taken = false;
  const LockedDataset dataset([&](const std::stop_token&) {
    return is_taken ? std::optional(run_error("vol/edagen.data", "is used by process 7 by now")) : std::nullopt;
  });
  LockWatch watch(dataset, {}, 1ms);
  EXPECT_FALSE(watch.stop().stop_requested());
  is_taken = true;
  wait_for([&] { return watch.stop().stop_requested(); });
  is_taken = false;
  for (const std::optional<Error>& loss : {watch.loss(), watch.last_look()})
    EXPECT_STREQ(loss ? loss->what() : "", "vol/edagen.data: is used by process 7 by now");
}

TEST(LockWatch, AStopOfTheSessionEndsTheLoadAndIsNoLoss) {
  std::stop_source session;
  const LockedDataset dataset([](const std::stop_token&) { return std::nullopt; });
  LockWatch watch(dataset, session.get_token(), 1h);
  EXPECT_FALSE(watch.stop().stop_requested());
  session.request_stop();
  EXPECT_TRUE(watch.stop().stop_requested());
  EXPECT_FALSE(watch.loss());
  EXPECT_FALSE(watch.last_look());
}

TEST(LockWatch, ALookThatGoesOnEndsWithTheWatch) {
  SilentLook look;
  const LockedDataset dataset(std::ref(look));
  LockWatch watch(dataset, {}, 1ms);
  wait_for([&] { return look.has_begun.load(); });
  watch.end();
  EXPECT_TRUE(look.is_stopped);
  EXPECT_FALSE(watch.loss()) << "what cannot be looked at is no loss";
}

TEST(LockWatch, TheLastLookEndsWithTheSessionSoThatWhatWasMeasuredIsWritten) {
  SilentLook look;
  std::stop_source session;
  const LockedDataset dataset(std::ref(look));
  LockWatch watch(dataset, session.get_token(), 1h);
  session.request_stop();
  EXPECT_FALSE(watch.last_look());
  EXPECT_TRUE(look.is_stopped);
}

}  // namespace
}  // namespace edagen
