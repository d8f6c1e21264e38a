#include "session/prepared_load.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <utility>

#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// Notes in a file when a load is made and when it ends.
class NotingLoad final : public LoadRunner {
 public:
  explicit NotingLoad(std::string log) : log_(std::move(log)) {}
  RunStats run(const LoadPoint&, const EventSink&) override {
    note("load");
    return {};
  }
  std::uint64_t end_load() override {
    note("end");
    return std::exchange(stuck, 0);
  }
  std::uint64_t stuck = 0;

 private:
  void note(const char* what) const { std::ofstream(log_, std::ios::app) << what << "\n"; }
  std::string log_;
};

struct Prepared {
  testing::TemporaryDirectory folder;
  std::string log = folder / "log";
  NotingLoad load{log};
  PointCommand command;
  std::stop_source stop;

  explicit Prepared(const std::string& text) : command{text, folder.path()} {}
  std::string log_text() const { return testing::text_of(log); }
};

LoadPoint full(double rate) {
  LoadPoint load;
  load.rate = OpenLoop{rate};
  return load;
}

LoadPoint block(double rate) {
  LoadPoint load = full(rate);
  load.stays_up = true;
  return load;
}

TEST(PreparedLoad, RunsTheCommandBeforeEachLoadPointWhenNoOpIsInFlight) {
  Prepared its("echo command $EDAGEN_OPS_PER_SEC >>log");
  PreparedLoad load(its.load, its.command, its.stop.get_token());
  load.run(full(450), ignore_events);
  load.run({}, ignore_events);
  EXPECT_EQ(its.log_text(), "end\ncommand 450\nload\nend\ncommand max\nload\n");
  EXPECT_EQ(load.note(), "");
}

TEST(PreparedLoad, RunsItOnceBeforeTheBlocksOfASearchAndBeforeTheDemonstration) {
  Prepared its("echo command >>log");
  PreparedLoad load(its.load, its.command, its.stop.get_token());
  load.run(block(1), ignore_events);
  load.run(block(2), ignore_events);
  load.run(full(3), ignore_events);
  load.run(block(4), ignore_events);
  EXPECT_EQ(its.log_text(), "end\ncommand\nload\nload\nend\ncommand\nload\nload\n");
}

TEST(PreparedLoad, ThatFailsIsNotedAndTheLoadIsMadeAllTheSame) {
  Prepared its("exit 3");
  PreparedLoad load(its.load, its.command, its.stop.get_token());
  load.run(full(1), ignore_events);
  load.run(full(2), ignore_events);
  EXPECT_EQ(its.log_text(), "end\nload\nend\nload\n");
  EXPECT_NE(load.note().find("failed before 2 of 2 load points"), std::string::npos) << load.note();
}

TEST(PreparedLoad, EndsWithARunThatIsToEnd) {
  Prepared its("echo >begun; exec sleep 1000");
  PreparedLoad load(its.load, its.command, its.stop.get_token());
  std::jthread stopper([&] {
    for (int i = 0; i < 20'000 && !std::filesystem::exists(its.folder / "begun"); ++i) std::this_thread::sleep_for(1ms);
    its.stop.request_stop();
  });
  load.run(full(1), ignore_events);
  load.run(full(2), ignore_events);
  EXPECT_NE(load.note().find("failed before 1 of 1 load point"), std::string::npos) << "none begins after that";
}

TEST(PreparedLoad, BeginsNoLoadWhileOpsAreStuckAndCountsThem) {
  Prepared its("echo command >>log");
  its.load.stuck = 2;
  PreparedLoad load(its.load, its.command, its.stop.get_token());
  const RunStats stats = load.run(full(1), ignore_events);
  EXPECT_EQ(stats.stuck_ops, 2u);
  EXPECT_EQ(stats.requested_ops_per_sec, 1);
  EXPECT_FALSE(stats.interrupted);
  EXPECT_EQ(its.log_text(), "end\n");
  its.load.stuck = 2;
  its.stop.request_stop();
  EXPECT_TRUE(load.run(full(2), ignore_events).interrupted) << "while these ops were waited for";
}

TEST(PreparedLoad, WithoutACommandChangesNothing) {
  Prepared its("");
  PreparedLoad load(its.load, its.command, its.stop.get_token());
  load.run(full(1), ignore_events);
  EXPECT_EQ(its.log_text(), "load\n");
}

}  // namespace
}  // namespace edagen
