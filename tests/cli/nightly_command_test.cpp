// Nights as a timer starts them, also such as end badly.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

#include "base/text_file.hpp"
#include "nights/history_file.hpp"
#include "nights/night_json.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json simulated(const std::string& name = "m") {
  return {{"name", name},
          {"run", {"run", "--phase", "functional", "--target", "sim:mm1", "--rate", "300", "--duration", "60s"}}};
}

json mounted(const std::string& directory, const std::string& duration = "300ms") {
  return {{"name", "dir"},
          {"run",
           {"run", "--phase", "functional", "--mount", directory, "--rate", "200", "--warmup", "0", "--duration",
            duration, "--dataset-scale", "0.01", "--spin", "off"}}};
}

std::string config(const TemporaryDirectory& here, std::vector<json> measurements, json more = json::object()) {
  json body = {{"schema", "edagen.nightly/1"}, {"history", "history"}, {"measurements", std::move(measurements)}};
  body.update(more);
  return here.write("nightly.json", body.dump());
}

Outcome night(const std::string& file) { return edagen({"nightly", "--config", file}); }

TEST(NightlyCommand, EachNightIsALineBesideItsResults) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"junit", "n.xml"}, {"hook", "echo told $EDAGEN_VERDICT >&2"}});
  for (int i = 0; i < 4; ++i) {
    const Outcome outcome = night(file);
    EXPECT_TRUE(outcome.status == 6 || outcome.status == 0) << outcome.err;
    EXPECT_NE(outcome.err.find("told "), std::string::npos);
  }
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 4u);
  EXPECT_EQ(history.left_out, 0u);
  for (std::size_t i = 0; i < 4; ++i) {
    const Night& each = history.nights[i];
    EXPECT_EQ(each.status, Status::complete);
    ASSERT_FALSE(each.measurements[0].runs.empty());
    EXPECT_EQ(each.measurements[0].comparable, history.nights[0].measurements[0].comparable) << "whatever its seed is";
    const std::string result = here / "history/" + each.measurements[0].runs[0].file;
    EXPECT_TRUE(fs::exists(result)) << result;
    EXPECT_TRUE(fs::exists(fs::path(result).replace_extension(".html")));
  }
  EXPECT_NE(history.nights[0].measurements[0].runs[0].figures[0].value,
            history.nights[1].measurements[0].runs[0].figures[0].value);
  EXPECT_TRUE(history.nights[3].judgement->figures[0].change.has_value());
  EXPECT_TRUE(fs::exists(here / "n.xml"));
}

TEST(NightlyCommand, ANightOfAClockThatRanAheadBlocksNoneAfterIt) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()});
  night(file);
  Night ahead = read_history(here / "history").nights.at(0);
  ahead.started_at = "9999-12-31T23:59:59Z";
  append_night(here / "history", ahead);
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.err.find("nights of the future left out: 1"), std::string::npos) << outcome.err;
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 2u);
  EXPECT_LT(history.nights[1].started_at, "9000");
}

TEST(NightlyCommand, AReferenceIsMeasuredInTheSameNight) {
  const TemporaryDirectory here;
  json measurement = simulated();
  measurement["reference"] = {"--target", "sim:mm1"};
  const std::string file = config(here, {measurement}, {{"max_runs", 1}});
  for (int i = 0; i < 4; ++i) night(file);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 4u);
  EXPECT_EQ(history.nights[0].measurements[0].runs.size(), 2u);
  EXPECT_TRUE(history.nights[3].judgement->figures[0].against_reference);
}

TEST(NightlyCommand, AMountThatIsMissingIsToldAndTheOthersAreMeasured) {
  const TemporaryDirectory here;
  const std::string file = config(here, {mounted(here / "gone"), simulated()});
  const Outcome outcome = night(file);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("dir: "), std::string::npos) << outcome.err;
  fs::create_directory(here / "gone");
  EXPECT_EQ(night(file).status, 6);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 2u);
  EXPECT_EQ(history.nights[0].status, Status::failed);
  EXPECT_FALSE(history.nights[0].measurements[1].runs.empty());
  EXPECT_EQ(history.nights[1].status, Status::complete);
}

TEST(NightlyCommand, AMeasurementThatCannotBeRunIsTheVerdictWhereverItIsTold) {
  const TemporaryDirectory here;
  const std::string file = config(here, {mounted(here / "gone"), simulated()},
                                  {{"junit", "n.xml"},
                                   {"markdown", "n.md"},
                                   {"hook", "cat > stdin.json; echo \"$EDAGEN_VERDICT|$EDAGEN_SUMMARY\" > told"}});
  const Outcome outcome = night(file);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("\nfailed: dir: "), std::string::npos) << outcome.out;
  const std::string told = read_text_file(here / "told", MiB);
  EXPECT_TRUE(told.starts_with("failed|failed: dir: ")) << told;
  const json judgement = json::parse(read_text_file(here / "stdin.json", MiB));
  EXPECT_EQ(judgement["verdict"], "failed");
  EXPECT_EQ(judgement["failures"][0]["measurement"], "dir");
  const std::string junit = read_text_file(here / "n.xml", MiB);
  EXPECT_NE(junit.find("errors=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<testcase classname=\"edagen.dir\" name=\"measurement\"><error message=\""), std::string::npos);
  EXPECT_NE(read_text_file(here / "n.md", MiB).find("failed: dir: "), std::string::npos);
  const Outcome again = edagen({"check", "--history", here / "history"});
  EXPECT_EQ(again.status, 1) << "the gate says the same of that night";
  EXPECT_NE(again.out.find("failed: dir: "), std::string::npos) << again.out;
}

TEST(NightlyCommand, ARunThatEndsByErrorsIsAFailureOfTheNight) {
  const TemporaryDirectory here;
  const StallFs volume;
  if (!volume.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  volume.order("fail 5 write");
  json failing = mounted(volume.path(), "2s");
  failing["run"].insert(failing["run"].end(), {"--max-errors", "0", "--file-size", "4k"});
  const Outcome outcome = night(config(here, {failing}, {{"max_runs", 1}}));
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.out.find("\nfailed: dir: "), std::string::npos) << outcome.out << outcome.err;
}

/// Told and not measured: nothing is mounted where something is to be.
TEST(NightlyCommand, AVolumeThatIsNotMountedIsNotMistakenForTheDiskBelowIt) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const auto file = [&](const json& needs) {
    json measurement = mounted(here / "volume");
    measurement["require"] = needs;
    return config(here, {measurement}, {{"max_runs", 1}});
  };
  const Outcome missing = night(file({{"mount_points", {"volume"}}}));
  EXPECT_EQ(missing.status, 1);
  EXPECT_NE(missing.out.find("nothing is mounted there"), std::string::npos) << missing.out;
  EXPECT_FALSE(fs::exists(here / "volume/edagen.data"));
  const Outcome other = night(file({{"fs", "nfs"}}));
  EXPECT_EQ(other.status, 1);
  EXPECT_NE(other.out.find("and nfs is required"), std::string::npos) << other.out;
  const SmallDisk disk(here / "volume", 80 * 1024);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  EXPECT_EQ(night(file({{"mount_points", {"volume"}}, {"fs", "tmpfs"}})).status, 6);
}

TEST(NightlyCommand, AVolumeThatIsOnAnotherDeviceThanBeforeIsToldAlsoWhereMountsMayDiffer) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file =
      config(here, {mounted(here / "volume")}, {{"max_runs", 1}, {"allow_differences", {"mount"}}});
  {
    const SmallDisk disk(here / "volume", 80 * 1024);
    if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
    night(file);
  }
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.out.find("and was on 'tmpfs "), std::string::npos) << outcome.out;
}

TEST(NightlyCommand, OneMeasurementMayHaveLimitsOfItsOwn) {
  const TemporaryDirectory here;
  json strict = simulated("strict");
  strict["max_regression_percent"] = 0.5;
  const Outcome outcome = night(config(here, {simulated(), strict}, {{"max_runs", 1}}));
  EXPECT_NE(outcome.out.find("0.5 % of strict"), std::string::npos) << outcome.out;
}

TEST(NightlyCommand, OutputsOnTheCommandLineAreOfTheSameVerdict) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"max_regression_percent", 7}, {"junit", "of-the-file.xml"}});
  const Outcome outcome = edagen({"nightly", "--config", file, "--json", "-", "--junit", here / "n.xml"});
  EXPECT_EQ(json::parse(outcome.out)["max_regression"], 0.07) << outcome.out;
  EXPECT_TRUE(fs::exists(here / "n.xml"));
  EXPECT_FALSE(fs::exists(here / "of-the-file.xml"));
}

TEST(NightlyCommand, EachLineOfALogBeginsWithItsTime) {
  const TemporaryDirectory here;
  const Outcome outcome = night(config(here, {mounted(here / "gone"), simulated()}));
  const std::regex dated(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d edagen: .*)");
  std::istringstream lines(outcome.err + night(here / "none.json").err);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_TRUE(std::regex_match(line, dated)) << line;
  EXPECT_GE(count, 3u);
}

/// What the hook has written into a file by now; waits for it.
pid_t pid_in(const std::string& file) {
  for (int i = 0; i < 3000; ++i) {
    pid_t pid = 0;
    if (std::ifstream(file) >> pid && pid > 0) return pid;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return 0;
}

bool is_gone(pid_t pid) {
  for (int i = 0; i < 500; ++i) {
    std::string state;
    std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
    if (!(stat >> state >> state >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(NightlyCommand, ASignalEndsTheHookAndWhatItHasStarted) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()},
                                  {{"max_runs", 1},
                                   {"hook",
                                    "trap '' TERM; sleep 300 & echo $! > pid.part; "
                                    "mv pid.part pid; wait; sleep 300"}});
  Program asked(edagen_words({"nightly", "--config", file}));
  const pid_t started_by_hook = pid_in(here / "pid");
  ASSERT_GT(started_by_hook, 0);
  asked.signal(SIGTERM);
  const Outcome outcome = asked.wait();
  EXPECT_EQ(outcome.status, 6) << "the night had ended: its verdict stands";
  EXPECT_NE(outcome.err.find("hook: ended"), std::string::npos) << outcome.err;
  EXPECT_TRUE(is_gone(started_by_hook));
}

TEST(NightlyCommand, ASecondSignalLeavesNoHookBehind) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file =
      config(here, {mounted(here / "volume", "1h")},
             {{"hook", "trap '' TERM; sleep 300 & echo $! > pid.part; mv pid.part pid; wait; sleep 300"}});
  Program asked(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(asked.wait_for_stderr("dir, run 1"));
  asked.signal(SIGTERM);
  const pid_t started_by_hook = pid_in(here / "pid");
  ASSERT_GT(started_by_hook, 0) << "a night that was stopped is told, too";
  asked.signal(SIGTERM);
  EXPECT_EQ(asked.wait().status, 130);
  EXPECT_TRUE(is_gone(started_by_hook));
}

TEST(NightlyCommand, OfTwoAtOnceOneIsRefusedAndTouchesNothing) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file = config(here, {mounted(here / "volume", "3s")}, {{"max_runs", 1}});
  Program first(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(first.wait_for_stderr("run 1"));
  const Outcome second = night(file);
  EXPECT_EQ(second.status, 2);
  EXPECT_NE(second.err.find("another night is going on here"), std::string::npos) << second.err;
  EXPECT_EQ(first.wait().status, 6);
  EXPECT_EQ(read_history(here / "history").nights.size(), 1u);
}

TEST(NightlyCommand, ANightThatIsKilledAtAnyPointLeavesAHistoryThatGoesOn) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file = config(here, {mounted(here / "volume"), simulated()}, {{"max_runs", 1}});
  for (int point = 0; point < 10; ++point) {
    Program killed(edagen_words({"nightly", "--config", file}));
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + 90 * point));
    killed.signal(SIGKILL);
    killed.wait();
    const Outcome next = night(file);
    EXPECT_TRUE(next.status == 0 || next.status == 6 || next.status == 3) << point << ": " << next.status << next.err;
    const History history = read_history(here / "history");
    EXPECT_EQ(history.nights.back().status, Status::complete) << point;
    EXPECT_EQ(history.left_out, 0u);
  }
  std::size_t complete = 0;
  for (const Night& each : read_history(here / "history").nights) complete += each.status == Status::complete ? 1 : 0;
  EXPECT_GE(complete, 10u);
}

TEST(NightlyCommand, ANightThatIsAskedToEndKeepsWhatItHas) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file = config(here, {simulated(), mounted(here / "volume", "1h")});
  Program asked(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(asked.wait_for_stderr("dir, run 1"));
  asked.signal(SIGTERM);
  EXPECT_EQ(asked.wait().status, 130);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 1u);
  EXPECT_EQ(history.nights[0].status, Status::interrupted);
  EXPECT_EQ(history.nights[0].measurements[0].runs.size(), 1u);
}

TEST(NightlyCommand, ANightEndsAtItsTimeLimit) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const Outcome outcome = night(config(here, {mounted(here / "volume", "1h")}, {{"time_limit", "2s"}}));
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.out.find("the night ended at its time limit"), std::string::npos);
  EXPECT_EQ(read_history(here / "history").nights[0].status, Status::failed);
}

TEST(NightlyCommand, AVolumeThatHangsEndsTheNightAtItsTimeLimitWithALineAVerdictAndTheHook) {
  for (const bool has_needs : {true, false}) {
    SCOPED_TRACE(has_needs);
    const TemporaryDirectory here;
    const StallFs volume;
    if (!volume.mounted()) EDAGEN_SKIP("FUSE is not to be had");
    json hanging = mounted(volume.path());
    if (has_needs) hanging["require"] = {{"fs", "fuse"}};
    const std::string file =
        config(here, {simulated(), hanging},
               {{"time_limit", "3s"}, {"max_runs", 1}, {"junit", "n.xml"}, {"hook", "echo told $EDAGEN_VERDICT >&2"}});
    volume.order("hang");  // the root: its leaf has no name
    Program night(edagen_words({"nightly", "--config", file}));
    EXPECT_TRUE(night.wait_for_stderr("told failed"));
    volume.order("none");  // FUSE lets even a process that ends go only when the op has been answered
    const Outcome outcome = night.wait();
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_NE(outcome.err.find("does not return: ending without it"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.out.find("\nfailed: dir: "), std::string::npos) << outcome.out;
    EXPECT_TRUE(fs::exists(here / "n.xml"));
    const History history = read_history(here / "history");
    ASSERT_EQ(history.nights.size(), 1u);
    EXPECT_EQ(history.nights[0].status, Status::failed);
    EXPECT_EQ(history.nights[0].judgement->verdict, NightVerdict::failed);
    EXPECT_FALSE(history.nights[0].measurements[0].runs.empty());
  }
}

TEST(NightlyCommand, AFullDiskIsToldBeforeAnythingIsMeasured) {
  const TemporaryDirectory here;
  const SmallDisk disk(here / "history", 80 * 1024);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  const std::string file = config(here, {simulated()});
  EXPECT_EQ(night(file).status, 6);
  disk.fill();
  const Outcome full = night(file);
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("of room"), std::string::npos) << full.err;
  EXPECT_EQ(read_history(here / "history").nights.size(), 1u);
  disk.make_room();
  EXPECT_EQ(night(file).status, 6);
  EXPECT_EQ(read_history(here / "history").nights.size(), 2u);
}

TEST(NightlyCommand, ADiskThatIsFullInTheMiddleOfANightSpoilsNoOther) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const SmallDisk disk(here / "history", 80 * 1024);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  const std::string file = config(here, {simulated(), mounted(here / "volume", "2s")}, {{"max_runs", 1}});
  EXPECT_EQ(night(file).status, 6);
  Program full(edagen_words({"nightly", "--config", file}));
  ASSERT_TRUE(full.wait_for_stderr("dir, run 1"));
  disk.fill();
  const Outcome outcome = full.wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("the night is not in the history"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("m: mean ms at 300 ops/s  "), std::string::npos) << outcome.out;
  EXPECT_EQ(read_history(here / "history").nights.size(), 1u);
  disk.make_room();
  EXPECT_EQ(night(file).status, 6);
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 3u) << "the full one is noted";
  EXPECT_EQ(history.nights[1].status, Status::incomplete);
  EXPECT_EQ(history.nights[2].status, Status::complete);
  EXPECT_EQ(history.left_out, 0u);
}

TEST(NightlyCommand, AClockThatWasSetBackPutsNoNightBeforeAnother) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()});
  night(file);
  Night future = read_history(here / "history").nights.back();
  future.started_at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr) + 60 * 60));
  append_night(here / "history", future);
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.err.find("the clock"), std::string::npos) << outcome.err;
  EXPECT_GT(read_history(here / "history").nights.back().started_at, future.started_at);
}

TEST(NightlyCommand, ANightOfAClockThatWasFarAheadStopsNoLaterOne) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()});
  night(file);
  Night future = read_history(here / "history").nights.back();
  future.started_at = "2999-12-31T23:59:59Z";
  append_night(here / "history", future);
  const Outcome outcome = night(file);
  EXPECT_NE(outcome.err.find("nights of the future left out: 1"), std::string::npos) << outcome.err;
  const History history = read_history(here / "history");
  ASSERT_EQ(history.nights.size(), 2u);
  EXPECT_LT(history.nights.back().started_at, future.started_at);
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

TEST(NightlyCommand, OldResultsGoAndTheirLinesStay) {
  const TemporaryDirectory here;
  const std::string file = config(here, {simulated()}, {{"keep_results", 2}, {"max_runs", 1}});
  for (int i = 0; i < 4; ++i) night(file);
  EXPECT_EQ(read_history(here / "history").nights.size(), 4u);
  EXPECT_EQ(std::distance(fs::directory_iterator(here / "history/results"), fs::directory_iterator()), 2);
}

TEST(NightlyCommand, WhatIsForeignBelowTheHistoryStays) {
  const TemporaryDirectory here;
  fs::create_directories(here / "history/results/2019-05-04T03-02-01Z/sub");
  fs::create_directories(here / "history/results/2020-05-04T03-02-01Z");
  std::ofstream(here / "history/results/2019-05-04T03-02-01Z/thesis.txt") << "work";
  std::ofstream(here / "history/results/2020-05-04T03-02-01Z/big.part") << "work";
  const std::string file = config(here, {simulated()}, {{"keep_results", 1}, {"max_runs", 1}});
  for (int i = 0; i < 3; ++i) {
    night(file);
    if (i == 1)
      for (const auto& folder : fs::directory_iterator(here / "history/results"))
        std::ofstream(folder.path() / "notes.txt") << "mine";
  }
  EXPECT_EQ(read_history(here / "history").nights.size(), 3u) << "no night is made up";
  EXPECT_TRUE(fs::exists(here / "history/results/2019-05-04T03-02-01Z/thesis.txt"));
  EXPECT_TRUE(fs::exists(here / "history/results/2019-05-04T03-02-01Z/sub"));
  EXPECT_TRUE(fs::exists(here / "history/results/2020-05-04T03-02-01Z/big.part"));
  std::size_t notes = 0;
  for (const auto& folder : fs::directory_iterator(here / "history/results"))
    notes += fs::exists(folder.path() / "notes.txt") ? 1 : 0;
  EXPECT_EQ(notes, 3u) << "also where the results beside it went";
}

TEST(NightlyCommand, NoOutputTakesThePlaceOfTheHistory) {
  const TemporaryDirectory here;
  night(config(here, {simulated()}, {{"max_runs", 1}}));
  const std::string before = read_text_file(here / "history/nights.jsonl", GiB);
  for (const char* const place : {"history/nights.jsonl", "history/lock"}) {
    const Outcome outcome = night(config(here, {simulated()}, {{"max_runs", 1}, {"junit", place}}));
    EXPECT_EQ(outcome.status, 2) << place << outcome.err;
  }
  const History history = read_history(here / "history");
  const std::string result = here / "history/" + history.nights.at(0).measurements.at(0).runs.at(0).file;
  const std::string kept = read_text_file(result, GiB);
  for (const std::string& place : {here / "history/nights.jsonl", here / "history/lock", result}) {
    for (const char* const option : {"--json", "--junit", "--markdown"}) {
      const Outcome outcome = edagen({"check", "--history", here / "history", option, place});
      EXPECT_EQ(outcome.status, 2) << option << outcome.err;
      EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    }
    EXPECT_EQ(edagen({"history", here / "history", "--html", place}).status, 2) << place;
    EXPECT_EQ(edagen({"--phase", "functional", "--target", "sim:mm1", "--json", place}).status, 2) << place;
  }
  EXPECT_EQ(edagen({"history", here / "history", "--html", here / "history/index.html"}).status, 0);
  EXPECT_EQ(read_text_file(here / "history/nights.jsonl", GiB), before);
  EXPECT_EQ(read_text_file(result, GiB), kept);
  EXPECT_EQ(fs::file_size(here / "history/lock"), 0u);
}

TEST(NightlyCommand, NoHistoryAndNoOutputLiesInADatasetThatTheNightWouldBuild) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  json reference = mounted(here / "other");
  reference["reference"] = {"--mount", here / "volume"};
  for (const json& measurement : {mounted(here / "volume"), reference})
    for (const json& more : {json{{"history", "volume/edagen.data/history"}}, json{{"junit", "volume/edagen.data"}}}) {
      const std::string file = config(here, {measurement}, more);
      for (const Outcome& outcome : {night(file), edagen({"nightly", "--config", file, "--dry-run"})}) {
        EXPECT_EQ(outcome.status, 2) << outcome.err;
        EXPECT_NE(outcome.err.find("lies in the dataset"), std::string::npos) << outcome.err;
      }
    }
  EXPECT_TRUE(fs::is_empty(here / "volume"));
}

TEST(NightlyCommand, ABadConfigurationIsRefusedInOneLineThatNamesThePlace) {
  const TemporaryDirectory here;
  const auto refused = [&](const std::string& file, const std::string& what) {
    const Outcome outcome = night(file);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.err.find(what), std::string::npos) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_FALSE(fs::exists(here / "history"));
  };
  json unknown = simulated(), twice = simulated(), output = simulated(), other = simulated();
  unknown["run"].push_back("--moon");
  output["run"].push_back("--json");
  output["run"].push_back("x.json");
  other["run"][0] = "compare";
  refused(config(here, {unknown}), "#/measurements/0/run");
  refused(config(here, {simulated(), twice}), "#/measurements/1/name: is there twice");
  refused(config(here, {output}), "output option");
  refused(config(here, {other}), "begins with 'compare'");
  refused(config(here, {simulated()}, {{"max_run", 3}}), "max_runs");
  refused(config(here, {simulated()}, {{"allow_differences", {"kernels"}}}), "did you mean 'kernel'?");
  json typo = simulated(), needs = simulated();
  typo["run"][3] = "--targte";
  needs["require"] = {{"fs", "nfs"}};
  refused(config(here, {typo}), "#/measurements/0/run: --targte: unknown option (did you mean '--target'?)");
  refused(config(here, {needs}), "#/measurements/0/require: is for volumes of --mount");
  refused(here / "none.json", "cannot be read");
}

TEST(NightlyCommand, ADryRunSaysWhatTheNightWouldDoAndTouchesNothing) {
  const TemporaryDirectory here;
  fs::create_directory(here / "volume");
  const std::string file =
      config(here, {simulated(), mounted(here / "volume", "30s")},
             {{"max_runs", 2}, {"junit", "n.xml"}, {"hook", "touch ran"}, {"since", "2026-01-02"}});
  const Outcome outcome = edagen({"nightly", "--dry-run", "--config", file});
  EXPECT_EQ(outcome.status, 0);
  for (const std::string& said :
       {std::string("night: 2 measurements, up to 2 runs of each"), (here / "history") + ", which is new",
        std::string("30 s for a run of each at most, 60 s with all runs"), "output   --junit " + (here / "n.xml"),
        std::string("hook     touch ran"), std::string("since 2026-01-02"), std::string("300 ops/s"),
        "mount    " + (here / "volume")})
    EXPECT_NE(outcome.out.find(said), std::string::npos) << said << "\n" << outcome.out;
  for (const char* const made : {"history", "n.xml", "ran", "volume/edagen.data"})
    EXPECT_FALSE(fs::exists(here / made));
}

}  // namespace
}  // namespace edagen::testing
