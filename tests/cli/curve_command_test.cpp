// Curves as a user asks for them, on simulated volumes and on a real directory.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/document_schema.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

json curve(std::vector<std::string> more, int status = 0) {
  const Outcome outcome = edagen(together({"curve", "--json", "-"}, more));
  EXPECT_EQ(outcome.status, status) << outcome.err;
  const json result = json::parse(outcome.out);
  EXPECT_NO_THROW(check_document<Result>(result));
  return result;
}

struct Published {
  const char* volume;
  double ops_per_sec, mib_per_sec;  // at 2 ms: Azure NetApp Files training unit "benchmark results"
};

class PublishedEdaFigure : public ::testing::TestWithParam<Published> {};

TEST_P(PublishedEdaFigure, ComesOutWithinFivePercentAndItsThroughputWithinFifteen) {
  // So short a search of the large volume, whose latency rises steeply, may be imprecise (5).
  const Outcome outcome =
      edagen({"curve", "--json", "-", "--target", std::string("sim:") + GetParam().volume, "--phase", "mixed",
              "--clients", "10", "--duration", "2s", "--warmup", "500ms", "--search-time", "60s"});
  const json result = json::parse(outcome.out);
  EXPECT_NO_THROW(check_document<Result>(result));
  EXPECT_EQ(result["target"]["kind"], "sim");
  const json& answer = result["at_latency_target"][0];
  EXPECT_NEAR(answer["ops_per_sec"].get<double>() / GetParam().ops_per_sec, 1, 0.05);
  EXPECT_NEAR(answer["mib_per_sec"].get<double>() / GetParam().mib_per_sec, 1, 0.15);
}

INSTANTIATE_TEST_SUITE_P(Volumes, PublishedEdaFigure,
                         ::testing::Values(Published{"regular", 39'601, 692}, Published{"large", 652'260, 10'030}),
                         [](const auto& param) { return std::string(param.param.volume); });

TEST(CurveCommand, TheTerminalShowsPointsPlotAndAnswer) {
  const Outcome outcome = edagen({"curve", "--target", "sim:mm1", "--phase", "functional", "--duration", "20s"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* const part : {" sustains ", "valid", "demonstration ", " blocks of the search (-v shows them)",
                                 "ops/s\n", " at 2 ms mean response", "95 % confidence", "demonstrated: ",
                                 "Overall response time", "I/O rate at 2 ms  MiB/s at 2 ms", "(simulated)"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part << "\n" << outcome.out;
}

TEST(CurveCommand, FixedPointsAndJobSetsAreLoadedAsAskedFor) {
  const json fixed =
      curve({"--target", "sim:regular", "--phase", "mixed", "--points", "5", "--max-rate", "20k", "--duration", "4s"},
            5);  // the target is not reached
  ASSERT_EQ(fixed["load_points"].size(), 5u);
  EXPECT_DOUBLE_EQ(fixed["load_points"][0]["requested_ops_per_sec"], 4000);
  EXPECT_EQ(fixed["at_latency_target"][0]["limit"], "highest_rate");
  const json sets = curve({"--target", "sim:regular", "--phase", "mixed", "--clients", "2", "--job-sets", "5",
                           "--scale-by", "job-sets", "--points", "5", "--duration", "4s"},
                          5);
  ASSERT_EQ(sets["load_points"].size(), 5u);
  EXPECT_EQ(sets["load_points"][1]["active_job_sets"], 4);
  EXPECT_DOUBLE_EQ(sets["load_points"][1]["requested_ops_per_sec"], 4 * 450);
  EXPECT_EQ(sets["at_latency_target"][0]["limit"], "highest_rate");
}

TEST(CurveCommand, FixedPointsBeyondTheTargetMayBeOverloads) {
  const json result = curve({"--target", "sim:mm1", "--phase", "functional", "--points", "4", "--max-rate", "1600",
                             "--duration", "20s", "--latency-target", "2ms"});
  EXPECT_FALSE(result["load_points"][3]["valid"].get<bool>());
  EXPECT_TRUE(result["at_latency_target"][0]["valid"].get<bool>());
  EXPECT_EQ(result["at_latency_target"][0]["demonstrated"]["load_point"], 0);
}

TEST(CurveCommand, LoadPointsMayBeGivenAsARangeOrAListOfRatesOrJobSets) {
  const json range =
      curve({"--target", "sim:mm1", "--phase", "functional", "--points", "100:700:200", "--duration", "20s"});
  ASSERT_EQ(range["load_points"].size(), 4u);
  EXPECT_DOUBLE_EQ(range["load_points"][3]["requested_ops_per_sec"], 700);
  const json sets = curve({"--target", "sim:regular", "--phase", "mixed", "--clients", "2", "--job-sets", "5",
                           "--scale-by", "job-sets", "--points", "1,4,7", "--duration", "4s"},
                          5);
  ASSERT_EQ(sets["load_points"].size(), 3u);
  EXPECT_EQ(sets["load_points"][2]["active_job_sets"], 7);
}

TEST(CurveCommand, AfterTheAnswerTheShapeIsMeasuredAndTheAnswerIsTheSameWithoutIt) {
  const std::vector<std::string> words = {"--target", "sim:mm1", "--phase", "functional", "--duration", "20s"};
  const json result = curve(words);
  std::vector<std::string> off = words;
  off.insert(off.end(), {"--shape", "off"});
  const json without = curve(off);
  const auto shape = [](const json& its) {
    return std::ranges::count_if(its["load_points"], [](const json& point) { return point["purpose"] == "shape"; });
  };
  EXPECT_EQ(shape(result), 12);
  EXPECT_EQ(shape(without), 0);
  json answer = result["at_latency_target"][0], same = without["at_latency_target"][0];
  EXPECT_TRUE(result["ort_ms"].is_number());
  EXPECT_TRUE(without["ort_ms"].is_null());
  for (json* const each : {&answer, &same}) (*each)["demonstrated"].erase("load_point");  // its place among all
  EXPECT_EQ(answer, same);
}

TEST(CurveCommand, ACommandRunsBeforeEachLoadPoint) {
  const TemporaryDirectory mount;
  const Outcome outcome = edagen({"curve", "--phase", "functional", "--mount", mount.path(), "--dataset-scale", "0.02",
                                  "--points", "200,400", "--warmup", "100ms", "--duration", "500ms", "--before-point",
                                  "echo before $EDAGEN_OPS_PER_SEC; test $EDAGEN_OPS_PER_SEC = 200", "--json", "-"});
  EXPECT_NE(outcome.err.find("before 200\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("before 400\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--before-point: exit status 1"), std::string::npos) << outcome.err;
  const json notes = json::parse(outcome.out)["notes"];
  EXPECT_TRUE(std::ranges::any_of(notes, [](const json& note) {
    return note.get<std::string>().starts_with("the command of --before-point failed before 1 of 2 load points");
  })) << notes;
}

TEST(CurveCommand, PrecisionAndSearchTimeSayWhenASearchEnds) {
  const auto seconds = [](const json& result) {
    double sum = 0;
    for (const json& point : result["load_points"])
      sum += point["seconds"].get<double>() + point["warmup_seconds"].get<double>();
    return sum;
  };
  const std::vector<std::string> mm1 = {"--target",   "sim:mm1", "--phase", "functional",
                                        "--duration", "10s",     "--shape", "off"};
  const json rough = curve(together(mm1, {"--precision", "8"}), 0),
             fine = curve(together(mm1, {"--precision", "0.5", "--search-time", "10m"}), 0);
  EXPECT_LT(2 * seconds(rough), seconds(fine));
  EXPECT_LT(seconds(fine), 700);
}

TEST(CurveCommand, ASearchWhoseTimeIsTooShortSaysSoAndKeepsWhatItMeasured) {
  const json result = curve({"--target", "sim:mm1", "--phase", "functional", "--search-time", "10ms"}, 5);
  EXPECT_FALSE(result["load_points"].empty());
  EXPECT_EQ(result["at_latency_target"][0]["limit"], "search_time");
  EXPECT_EQ(result["at_latency_target"][0]["invalid_reasons"][0], "target_not_reached");
}

TEST(CurveCommand, RefusesWhatNoSearchCanDo) {
  const auto refused = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"curve", "--target", "sim:mm1", "--phase", "functional"});
    const Outcome outcome = edagen(options);
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
  };
  refused({"--search-time", "0s"});
  refused({"--latency-target", "2ms,5ms,2ms"});
  refused({"--scale-by", "job-sets", "--max-rate", "10"});
  const Outcome no_rate = edagen({"curve", "--target", "sim:regular", "--workload", "fio/8k-randread", "--scale-by",
                                  "job-sets", "--duration", "1s"});
  EXPECT_TRUE(is_refused(no_rate, "--scale-by: 8k-randread has no op rate of its own"));
}

TEST(CurveCommand, ATargetThatNoLoadMeetsHasAStatusOfItsOwn) {
  const json result =
      curve({"--target", "sim:md1", "--phase", "functional", "--duration", "20s", "--latency-target", "500us"}, 4);
  EXPECT_FALSE(result["at_latency_target"][0]["met"].get<bool>());
}

TEST(CurveCommand, AShortSearchForATargetFarBelowAllLatenciesSaysThatNoLoadMeetsIt) {
  const json result =
      curve({"--target", "sim:mm1", "--phase", "functional", "--search-time", "8s", "--latency-target", "2us"}, 4);
  const json& answer = result["at_latency_target"][0];
  EXPECT_EQ(answer["invalid_reasons"].size(), 1u);
  EXPECT_EQ(answer["invalid_reasons"][0], "no_load_meets_target");
  EXPECT_GT(answer["lowest_latency_ms"].get<double>(), 0.3);
  EXPECT_GT(answer["lowest_latency_ops_per_sec"].get<double>(), 0);
}

TEST(CurveCommand, ARealDirectoryGivesACurveThatIsRepeatable) {
  const TemporaryDirectory mount;
  const auto once = [&] {
    const Outcome outcome =
        edagen({"curve", "--phase", "functional", "--mount", mount.path(), "--dataset-scale", "0.02", "--points", "3",
                "--max-rate", "600", "--warmup", "200ms", "--duration", "1s", "--csv", mount / "c.csv", "--json", "-"});
    const json result = json::parse(outcome.out);
    EXPECT_NO_THROW(check_document<Result>(result));
    EXPECT_EQ(result["load_points"].size(), 3u);
    double achieved = 0;
    for (const json& point : result["load_points"]) achieved += point["achieved_ops_per_sec"].get<double>();
    return achieved;
  };
  // A pause of a busy host at an end of a window moves ops out of it or into it.
  EXPECT_NEAR(once() / once(), 1, 0.25);
  EXPECT_TRUE(std::filesystem::exists(mount / "c.csv"));
}

TEST(CurveCommand, BadWordsAreRefused) {
  for (const auto& [words, expected] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--points", "5"}, "--points: needs --max-rate"},
           {{"--points", "1k,2k", "--max-rate", "3k"}, "--max-rate: has no effect: --points has the loads"},
           {{"--points", "1k,2k", "--shape", "off"}, "--shape"},
           {{"--points", "1,3", "--scale-by", "job-sets", "--clients", "2"}, "3 is more than the 2 job sets"},
           {{"--points", "1,1.5", "--scale-by", "job-sets", "--clients", "2"}, "1.5 is no whole number of job sets"},
           {{"--points", "5", "--scale-by", "job-sets", "--clients", "4"},
            "--points: 5 load points are more than the 4 job sets"},
           {{"--points", "4", "--scale-by", "job-sets", "--clients", "4", "--max-rate", "1M"},
            "--max-rate: is above the rate of the 4 job sets that there are"},
           {{"--scale-by", "job-sets", "--procs", "7", "--clients", "2"},
            "--scale-by: adds whole job sets of 5 procs, and a client has 7"},
           {{"--shape", "round"}, "--shape: unknown 'round'"},
           {{"--precision", "0"}, "--precision"},
           {{"--latency-statistic", "p42"}, "--latency-statistic: unknown 'p42'"},
           {{"--rate", "5k"}, "--rate: a curve finds its rates itself"},
           {{"--target", "ftp:x"}, "--target: 'ftp:x' is not nfs://HOST/EXPORT, posix:DIR or one sim:NAME"},
           {{"--keep-dataset", "--target", "sim:regular"}, "a simulated volume has no dataset"}}) {
    const Outcome outcome = edagen(together({"curve", "--phase", "mixed"}, words));
    EXPECT_TRUE(is_refused(outcome, expected));
  }
}

TEST(ReportCommand, ShowsOfADocumentAndOfAJournalWhatTheRunShowed) {
  const TemporaryDirectory folder;
  const std::string document = folder / "r.json", journal = folder / "j.jsonl";
  const Outcome run = edagen({"curve", "--target", "sim:mm1", "--phase", "functional", "--duration", "20s", "--json",
                              document, "--journal", journal, "--csv", folder / "run.csv"});
  ASSERT_EQ(run.status, 0) << run.err;
  const std::string csv = text_of(folder / "run.csv");
  for (const std::string& file : {document, journal}) {
    const Outcome report = edagen({"report", file});
    EXPECT_EQ(report.status, 0) << report.err;
    EXPECT_TRUE(report.out.starts_with(file + ": ")) << report.out;
    EXPECT_EQ(report.out.substr(report.out.find('\n') + 1), run.out);
    EXPECT_EQ(edagen({"report", file, "--csv", "-"}).out, csv);
  }
  const Outcome both =
      edagen({"report", document, journal, "--html", folder / "both.html", "--csv", folder / "both.csv"});
  EXPECT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(text_of(folder / "both.csv"), csv + csv.substr(csv.find('\n') + 1)) << "one head, the points of both";
  const std::string page = text_of(folder / "both.html"), of_each = R"({"h2":"Environment"})";
  const std::size_t first = page.find(of_each);
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(page.find(of_each, first + 1), std::string::npos) << "the page has one of the two";
  EXPECT_EQ(edagen({"report", folder / "gone.json"}).status, 2);
}

}  // namespace
}  // namespace edagen::testing
