// Nights of a clock that was wrong.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "nights/history_file.hpp"
#include "support/nightly.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;

TEST(NightlyCommand, AClockThatWasSetBackPutsNoNightBeforeAnother) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()});
  night(file);
  Night future = read_history(here / "history").nights.back();
  future.started_at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr) + 60 * 60));
  future.finished_at = future.started_at;
  append_night(here / "history", future);
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.err.find("the clock"), std::string::npos) << outcome.err;
  EXPECT_GT(read_history(here / "history").nights.back().started_at, future.started_at);
}

TEST(NightlyCommand, ANightOfAClockThatWasFarAheadStopsNoLaterOne) {
  for (const char* const date : {"2999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"}) {
    const TemporaryDirectory here;
    const std::string file = config(here, {simulated()});
    night(file);
    Night future = read_history(here / "history").nights.at(0);
    future.started_at = date;
    future.finished_at = future.started_at;
    append_night(here / "history", future);
    const Outcome outcome = night(file);
    EXPECT_NE(outcome.err.find("nights of the future left out: 1"), std::string::npos) << outcome.err;
    const History history = read_history(here / "history");
    ASSERT_EQ(history.nights.size(), 2u);
    EXPECT_LT(history.nights.back().started_at, "2900");
  }
}

TEST(NightlyCommand, AKilledNightOfAClockThatRanAheadDatesNoLaterOneAndItsResultsGoFirst) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"keep_results", 2}, {"max_runs", 1}});
  fs::create_directories(here / "history/results/2999-05-04T03-02-01Z");
  std::ofstream(here / "history/results/2999-05-04T03-02-01Z/edagen.night");
  for (int i = 0; i < 2; ++i) night(file);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 2u);
  EXPECT_LT(history.nights.back().started_at, "2900");
  EXPECT_EQ(history.ahead.size(), 1u);
  EXPECT_FALSE(fs::exists(here / "history/results/2999-05-04T03-02-01Z"));
  for (const Night& each : history.nights)
    EXPECT_TRUE(fs::exists(here / "history/" + each.measurements[0].runs[0].file)) << each.started_at;
}

}  // namespace
}  // namespace edagen::testing
