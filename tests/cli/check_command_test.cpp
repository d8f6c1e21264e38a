#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/json_schema.hpp"
#include "base/text_file.hpp"
#include "nights/history_file.hpp"
#include "nights/night_json.hpp"
#include "support/program.hpp"
#include "support/sample_nights.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

/// A history of `nights` nights and then one of this rate.
std::string history_ending_with(const TemporaryDirectory& here, double rate, std::size_t nights = 20) {
  for (const Night& night : sample_history(nights)) append_night(here.path(), night);
  append_night(here.path(), sample_night(nights, {sample_rate(rate)}));
  return here.path();
}

TEST(CheckCommand, TheExitStatusIsTheVerdict) {
  const TemporaryDirectory worse, same, few;
  EXPECT_EQ(edagen({"check", "--history", history_ending_with(worse, 900)}).status, 3);
  EXPECT_EQ(edagen({"check", "--history", history_ending_with(same, 1001)}).status, 0);
  EXPECT_EQ(edagen({"check", "--history", same.path(), "--max-regression", "0.5%"}).status, 6);
  EXPECT_EQ(edagen({"check", "--history", history_ending_with(few, 900, 2)}).status, 6);
}

TEST(CheckCommand, TheVerdictGoesWhereOtherSystemsTakeIt) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen(
      {"check", "--history", history_ending_with(here, 900), "--json", here / "c.json", "--junit", here / "c.xml",
       "--markdown", here / "c.md", "--hook",
       "cat > '" + (here / "stdin") + "'; echo \"$EDAGEN_VERDICT: $EDAGEN_SUMMARY\" > '" + (here / "env") + "'"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const auto document = nlohmann::json::parse(read_text_file(here / "c.json", MiB));
  EXPECT_NO_THROW(check_schema(document, "workloads/schema/check.schema.json", "check"));
  EXPECT_EQ(document["verdict"], "regression");
  EXPECT_EQ(nlohmann::json::parse(read_text_file(here / "stdin", MiB)), document);
  EXPECT_NE(read_text_file(here / "c.xml", MiB).find("failures=\"1\""), std::string::npos);
  EXPECT_NE(read_text_file(here / "c.md", MiB).find("regression"), std::string::npos);
  EXPECT_TRUE(read_text_file(here / "env", MiB).starts_with("regression: regression: m: ops/s -"));
  EXPECT_TRUE(outcome.out.find("regression: m: ops/s") != std::string::npos);
}

TEST(CheckCommand, AHookThatFailsIsToldAndChangesNoVerdict) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen({"check", "--history", history_ending_with(here, 1001), "--hook", "exit 7"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find("hook: exit status 7"), std::string::npos);
}

std::vector<std::string> run_words(const std::string& seed, const std::string& json) {
  return {"run", "--phase",    "functional", "--target", "sim:mm1", "--rate", "300", "--warmup",
          "5s",  "--duration", "60s",        "--seed",   seed,      "--json", json,  "--quiet"};
}

TEST(CheckCommand, ResultsAreComparedWithResults) {
  const TemporaryDirectory here;
  std::vector<std::string> words = {"check", "--allow-difference",    "seed", "--max-regression",
                                    "50%",   "--max-tail-regression", "90%"};
  for (int i = 1; i <= 8; ++i) {
    const std::string file = here / (std::to_string(i) + ".json");
    EXPECT_EQ(edagen(run_words(std::to_string(i), file)).status, 0);
    words.push_back(file);
  }
  const Outcome outcome = edagen(words);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("mean ms at 300 ops/s"), std::string::npos);
}

TEST(CheckCommand, RunsThatAreNotComparableAreRefusedWithTheirDifferences) {
  const TemporaryDirectory here;
  edagen(run_words("1", here / "a.json"));
  edagen(run_words("2", here / "b.json"));
  const Outcome outcome = edagen({"check", here / "a.json", here / "b.json"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.err.find("seed '1' is '2' now"), std::string::npos) << outcome.err;
  EXPECT_EQ(edagen({"check", here / "a.json", here / "b.json", "--allow-difference", "seed"}).status, 6);
}

TEST(CheckCommand, BadWordsAreRefusedInOneLine) {
  const TemporaryDirectory here;
  const std::string history = history_ending_with(here, 1000, 3);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check"},
                                             {"check", "--history", here / "none"},
                                             {"check", "--history", history, "--false-alarms", "0"},
                                             {"check", "--history", history, "--max-regression", "many"},
                                             {"check", "--history", history, "--allow-difference", "moon"},
                                             {"check", "--history", history, "--since", "yesterday"},
                                             {"check", here / "none.json", here / "none.json"}}) {
    const Outcome outcome = edagen(words);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST(HistoryCommand, OfAThousandNightsIsATableAndAPage) {
  const TemporaryDirectory here;
  std::string lines;
  auto nights = sample_history(336);
  for (std::size_t year = 0; year < 3; ++year)
    for (Night night : nights) {
      night.started_at.replace(0, 4, std::to_string(2024 + year));
      if (year == 2) *night.measurements[0].runs[0].figures[0].value *= 0.9;
      lines += dumped(to_json(night)) + "\n";
    }
  const Outcome outcome = edagen({"history", here.write("n.jsonl", lines), "--html", here / "page.html"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("since 2026-01-01T01:00:00Z: m: ops/s -"), std::string::npos) << outcome.out;
  const std::string page = read_text_file(here / "page.html", 64 * MiB);
  for (const char* const reference : {"src=\"http", "href=\"http", "url(http", "@import", "/*RESULTS*/"})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
}

}  // namespace
}  // namespace edagen::testing
