#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text_file.hpp"
#include "nights/history_file.hpp"
#include "nights/night_json.hpp"
#include "result/result_file.hpp"
#include "support/document_schema.hpp"
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

TEST(CheckCommand, ARegressionIsTheStatusAlsoWhereAnOutputCannotBeWritten) {
  const TemporaryDirectory worse, same;
  EXPECT_EQ(edagen({"check", "--history", history_ending_with(worse, 900), "--json", "/dev/full"}).status, 3);
  EXPECT_EQ(edagen({"check", "--history", history_ending_with(same, 1001), "--json", "/dev/full"}).status, 1);
}

TEST(CheckCommand, TheVerdictGoesWhereOtherSystemsTakeIt) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen(
      {"check", "--history", history_ending_with(here, 900), "--json", here / "c.json", "--junit", here / "c.xml",
       "--markdown", here / "c.md", "--hook",
       "cat > '" + (here / "stdin") + "'; echo \"$EDAGEN_VERDICT: $EDAGEN_SUMMARY\" > '" + (here / "env") + "'"});
  EXPECT_EQ(outcome.status, 3) << outcome.err;
  const auto document = nlohmann::json::parse(read_text_file(here / "c.json", MiB));
  EXPECT_NO_THROW(check_document<NightJudgement>(document));
  EXPECT_EQ(document["verdict"], "regression");
  EXPECT_EQ(nlohmann::json::parse(read_text_file(here / "stdin", MiB)), document);
  EXPECT_NE(read_text_file(here / "c.xml", MiB).find("failures=\"1\""), std::string::npos);
  EXPECT_NE(read_text_file(here / "c.md", MiB).find("regression"), std::string::npos);
  EXPECT_TRUE(read_text_file(here / "env", MiB).starts_with("regression: regression: m: ops/s -"));
  EXPECT_TRUE(outcome.out.find("regression: m: ops/s -") != std::string::npos);
}

TEST(CheckCommand, AHookThatFailsIsToldAndChangesNoVerdict) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen({"check", "--history", history_ending_with(here, 1001), "--hook", "exit 7"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.err.find("hook: exit status 7"), std::string::npos);
}

std::vector<std::string> words_of_run(const std::string& seed, const std::string& json) {
  return {"run", "--phase",    "functional", "--target", "sim:mm1", "--rate", "300", "--warmup",
          "5s",  "--duration", "60s",        "--seed",   seed,      "--json", json,  "--quiet"};
}

TEST(CheckCommand, ResultsAreComparedWithResults) {
  const TemporaryDirectory here;
  std::vector<std::string> words = {"check", "--max-regression", "50%", "--max-tail-regression", "90%"};
  for (int i = 1; i <= 8; ++i) {
    const std::string file = here / (std::to_string(i) + ".json");
    EXPECT_EQ(edagen(words_of_run(std::to_string(i), file)).status, 0);
    words.push_back(file);
  }
  const Outcome outcome = edagen(words);
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("\nno change (more than "), std::string::npos) << outcome.out;
}

TEST(CheckCommand, RunsThatAreNotComparableAreRefusedWithTheirDifferences) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  auto words = words_of_run("2", here / "b.json");
  words[6] = "400";
  edagen(words);
  const Outcome outcome = edagen({"check", here / "a.json", here / "b.json"});
  EXPECT_TRUE(is_refused(outcome, "load '"));
  EXPECT_NE(outcome.err.find("(--allow-difference load compares them all the same)"), std::string::npos) << outcome.err;
}

TEST(CheckCommand, TheFileThatIsNotComparableIsNamedAlsoBehindOnesThatAreOlderThanSince) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  auto words = words_of_run("2", here / "b.json");
  words[6] = "400";
  edagen(words);
  edagen(words_of_run("3", here / "c.json"));
  auto old = nlohmann::json::parse(read_text_file(here / "a.json", largest_result));
  old["started_at"] = "2020-01-31T12:00:00Z";
  here.write("a.json", old.dump());
  const Outcome outcome = edagen({"check", here / "a.json", here / "b.json", here / "c.json", "--since", "2021-01-01"});
  EXPECT_TRUE(is_refused(outcome, "b.json: is not comparable with "));
}

TEST(CheckCommand, ACurveOfAnotherSeedIsComparable) {
  const TemporaryDirectory here;
  std::vector<std::string> files;
  for (const std::string seed : {"1", "2"}) {
    files.push_back(here / (seed + ".json"));
    edagen({"curve", "--phase", "functional", "--target", "sim:mm1", "--points", "3", "--max-rate", "300", "--warmup",
            "5s", "--duration", "30s", "--seed", seed, "--json", files.back(), "--quiet"});
  }
  const Outcome outcome = edagen({"check", files[0], files[1]});
  EXPECT_EQ(outcome.status, 6) << outcome.err;
}

TEST(CheckCommand, OneRunGivenTwiceIsRefusedAndOneOfTheHistoryCountsOnce) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  std::filesystem::copy_file(here / "a.json", here / "b.json");
  const Outcome outcome = edagen({"check", here / "a.json", here / "b.json"});
  EXPECT_TRUE(is_refused(outcome, "is the same run as"));
  const Result result = read_result(here / "a.json");
  std::filesystem::create_directory(here / "h");
  append_night(here / "h", night_of(result, "m", ""));
  const Outcome known = edagen({"check", "--history", here / "h", here / "a.json"});
  EXPECT_NE(known.err.find("it is left out there"), std::string::npos) << known.err;
  EXPECT_NE(known.out.find("m: 0 earlier measurements"), std::string::npos) << known.out;
}

TEST(CheckCommand, ASimulationOfTheSameSeedIsNoOtherRun) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  auto again = nlohmann::json::parse(read_text_file(here / "a.json", largest_result));
  again["started_at"] = "2026-01-31T12:00:00Z";
  here.write("b.json", again.dump());
  const Outcome outcome = edagen({"check", here / "a.json", here / "b.json"});
  EXPECT_TRUE(is_refused(outcome, "has exactly the figures of "));
  EXPECT_NE(outcome.err.find("another --seed"), std::string::npos) << outcome.err;
}

TEST(CheckCommand, ALastNightThatIsBrokenIsNotTakenForTheOneBefore) {
  const TemporaryDirectory here;
  const std::string history = history_ending_with(here, 700);
  const std::string file = std::filesystem::is_directory(history) ? history + "/" + nights_file : history;
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 5);
  const Outcome outcome = edagen({"check", "--history", history});
  EXPECT_TRUE(is_refused(outcome, "has a broken last line"));
}

TEST(CheckCommand, ALastNightThatWasKilledIsNamedAsWhyThereIsNoVerdict) {
  const TemporaryDirectory here;
  for (const Night& night : sample_history(4)) append_night(here.path(), night);
  Night killed = sample_night(4, {});
  killed.measurements.clear();
  killed.finished_at.reset();
  killed.status = Status::incomplete;
  append_night(here.path(), killed);
  const Outcome outcome = edagen({"check", "--history", here.path()});
  EXPECT_EQ(outcome.status, 6) << outcome.err;
  EXPECT_NE(outcome.out.find("the night of " + killed.started_at + " did not end\n"), std::string::npos) << outcome.out;
}

TEST(CheckCommand, ANightThatIsNotComparableIsRefusedWithTheKeysThatAllowIt) {
  const TemporaryDirectory here;
  for (Night night : sample_history(4)) {
    night.measurements[0].comparable["edagen version"] = "0.1";
    append_night(here.path(), night);
  }
  append_night(here.path(), sample_night(4, {sample_rate(900)}));
  const Outcome outcome = edagen({"check", "--history", here.path()});
  EXPECT_TRUE(is_refused(outcome, "edagen version"));
  EXPECT_NE(outcome.err.find("(--allow-difference 'edagen version' compares them all the same)"), std::string::npos)
      << outcome.err;
}

TEST(CheckCommand, ANightWhoseMeasurementFailedIsNotCalledAnotherMeasurement) {
  const TemporaryDirectory here;
  Night failed = sample_night(0, {});
  failed.measurements[0].comparable.clear();
  failed.measurements[0].runs.clear();
  append_night(here.path(), failed);
  edagen(words_of_run("1", here / "a.json"));
  const Outcome alone = edagen({"check", "--history", here.path(), here / "a.json"});
  EXPECT_TRUE(is_refused(alone, "has no night that was measured"));
  append_night(here.path(), sample_night(1, {sample_rate(1000)}));
  const Outcome outcome = edagen({"check", "--history", here.path()});
  EXPECT_EQ(outcome.status, 6) << outcome.err;
  EXPECT_NE(outcome.out.find("0 earlier measurements to compare with"), std::string::npos) << outcome.out;
}

TEST(CheckCommand, ResultsThatAreTooFewAreNotCalledNights) {
  const TemporaryDirectory here;
  for (const char* const seed : {"1", "2"}) edagen(words_of_run(seed, here / (seed + std::string(".json"))));
  const Outcome outcome = edagen({"check", here / "1.json", here / "2.json"});
  EXPECT_EQ(outcome.status, 6) << outcome.err;
  EXPECT_NE(outcome.out.find("1 earlier measurement to compare with, and 3 are needed"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.out.find("earlier night"), std::string::npos) << outcome.out;
}

TEST(CheckCommand, AnInvalidResultWithoutFiguresIsSaidToBeSoAndWhy) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  edagen(words_of_run("2", here / "b.json"));
  auto document = nlohmann::json::parse(read_text_file(here / "b.json", largest_result));
  for (auto& point : document["load_points"]) {
    point["valid"] = false;
    point["invalid_reasons"] = {"generator_paused"};
  }
  here.write("b.json", document.dump());
  const Outcome outcome = edagen({"check", here / "a.json", here / "b.json"});
  EXPECT_EQ(outcome.status, 6) << outcome.err;
  EXPECT_NE(outcome.out.find("b.json is INVALID, without a figure to compare: generator_paused\n"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("b.json: edagen was stopped"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("was not measured"), std::string::npos) << outcome.out;
  EXPECT_EQ(("\n" + outcome.out).find("\n: "), std::string::npos) << "a note of nothing: " << outcome.out;
}

TEST(CheckCommand, ADifferenceThatIsAllowedTakesOneWordAndNotTheFilesBehindIt) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  auto words_of_b = words_of_run("2", here / "b.json");
  words_of_b[6] = "400";
  edagen(words_of_b);
  for (const std::vector<std::string>& allowed :
       std::vector<std::vector<std::string>>{{"--allow-difference", "load"},
                                             {"--allow-difference", "kernel,load"},
                                             {"--allow-difference", "kernel", "--allow-difference", "load"}}) {
    std::vector<std::string> words = together({"check"}, allowed);
    words.insert(words.end(), {here / "a.json", here / "b.json"});
    const Outcome outcome = edagen(words);
    EXPECT_EQ(outcome.status, 6) << outcome.err;
  }
}

TEST(CheckCommand, TheLastNightIsJudgedBySettingsOfItsOwnUnlessOptionsAreTyped) {
  const TemporaryDirectory here;
  auto history = sample_history(20);
  for (Night& night : history) {
    night.measurements[0].comparable["kernel"] = "5.10";
    append_night(here.path(), night);
  }
  Gate gate;
  gate.allowed = {"kernel"}, gate.max_regression = 0.2;
  Night last = sample_night(20, {sample_rate(900)});
  last.judgement = judge(history, last, gate);
  ASSERT_EQ(last.judgement->verdict, NightVerdict::no_change);
  append_night(here.path(), last);
  const Outcome as_judged = edagen({"check", "--history", here.path()});
  EXPECT_EQ(as_judged.status, 0) << as_judged.out << as_judged.err;
  EXPECT_NE(as_judged.out.find("limit 20 %, "), std::string::npos) << as_judged.out;
  EXPECT_NE(as_judged.out.find("nights may differ in kernel"), std::string::npos) << as_judged.out;
  EXPECT_EQ(edagen({"check", "--history", here.path(), "--max-regression", "5%"}).status, 3);
  EXPECT_TRUE(is_refused(edagen({"check", "--history", here.path(), "--allow-difference", "volume"}), "kernel"));
}

TEST(CheckCommand, FromWhichNightOnTheHistoryCountsIsSaid) {
  const TemporaryDirectory here;
  const Outcome outcome = edagen(
      {"check", "--history", history_ending_with(here, 1001), "--since", "2026-01-04", "--json", here / "c.json"});
  EXPECT_NE(outcome.out.find("nights since 2026-01-04"), std::string::npos) << outcome.out;
  EXPECT_EQ(nlohmann::json::parse(read_text_file(here / "c.json", MiB))["since"], "2026-01-04");
}

TEST(CheckCommand, AMeasurementThatTheHistoryDoesNotHaveIsRefusedWithThoseItHas) {
  const TemporaryDirectory here;
  edagen(words_of_run("1", here / "a.json"));
  const std::string history = history_ending_with(here, 1001, 5);
  const Outcome outcome = edagen({"check", "--history", history, here / "a.json", "--measurement", "projects"});
  EXPECT_TRUE(is_refused(outcome, "the history has no 'projects' (known: m)"));
}

TEST(CheckCommand, BadWordsAreRefusedInOneLine) {
  const TemporaryDirectory here;
  const std::string history = history_ending_with(here, 1000, 3);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check"},
                                             {"check", "--history", here / "none"},
                                             {"check", "--history", history, "--measurement", "m"},
                                             {"check", "--history", history, "--false-alarms", "0"},
                                             {"check", "--history", history, "--max-regression", "many"},
                                             {"check", "--history", history, "--allow-difference", "moon"},
                                             {"check", "--history", history, "--since", "yesterday"},
                                             {"check", "--history", history, "--since", "2026-13-01"},
                                             {"check", "--history", history, "--since", "2026-02-29"},
                                             {"check", "--history", history, "--since", "2026-01-31T24:00:00Z"},
                                             {"check", here / "none.json", here / "none.json"}}) {
    const Outcome outcome = edagen(words);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

}  // namespace
}  // namespace edagen::testing
