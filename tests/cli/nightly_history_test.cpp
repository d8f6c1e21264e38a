// What a night leaves in its history, and what it leaves alone there.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/text_file.hpp"
#include "nights/history_file.hpp"
#include "support/nightly.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

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
        EXPECT_TRUE(is_refused(outcome, "lies in the dataset"));
      }
    }
  EXPECT_TRUE(fs::is_empty(here / "volume"));
}

}  // namespace
}  // namespace edagen::testing
