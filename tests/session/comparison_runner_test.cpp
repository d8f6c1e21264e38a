#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "compare/comparison_file.hpp"
#include "edagen/error.hpp"
#include "fakes/session_fixture.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "session/plan_text.hpp"
#include "session/repeats_end.hpp"
#include "support/skip.hpp"

namespace edagen {
namespace {

using testing::FakeTarget;
using testing::kept_on;
using testing::plan_on;
using testing::simulated;
using testing::TemporaryDirectory;

class ComparisonRunnerTest : public testing::SessionTest {};

TEST_F(ComparisonRunnerTest, AComparisonRunsItsVariantsInTurnAndComparesThem) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:large", simulated()}};
  plan.variants[1].plan.volume = load_volume("large");
  plan.repeats = 3;
  const ComparisonResult comparison = session_.run(plan);
  ASSERT_EQ(comparison.variants.size(), 2u);
  EXPECT_EQ(comparison.variants[1].runs.size(), 3u);
  EXPECT_TRUE(comparison.variants[1].against_first);
  EXPECT_EQ(watcher_.variant_runs, 6);
  EXPECT_TRUE(watcher_.plan.starts_with("comparison: 2 variants x 3 repeats")) << "those of its runs are not told";
  EXPECT_EQ(testing::journals_in(state_.path()), 0u);
}

TEST_F(ComparisonRunnerTest, ThePlanHasTheShapeThatTheLastRunAloneDraws) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:large", simulated()}};
  for (Variant& variant : plan.variants) {
    CurvePlan curve;
    curve.targets = {std::chrono::milliseconds(2)};
    curve.own_rate = 500;
    curve.shape.emplace();
    variant.plan.measurement = curve;
  }
  const std::string text = session_.describe(plan);
  EXPECT_NE(text.find("  shape    12 load points after the answer"), std::string::npos) << text;
  EXPECT_NE(text.find(", in the last run only\n"), std::string::npos) << text;
  plan.repeats = 1;
  EXPECT_EQ(session_.describe(plan).find("last run only"), std::string::npos) << "there is one run";
  plan.repeats = 1000;
  plan.until = 0.02;
  EXPECT_EQ(session_.describe(plan).find("  shape"), std::string::npos) << "no run is known to be the last one";
  EXPECT_TRUE(session_.describe(plan).starts_with("comparison: 2 variants x up to 1,000 repeats"));
}

TEST_F(ComparisonRunnerTest, ThePlanHasTheTimeOfAllRunsAndNotThatOfOne) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:large", simulated()}};
  plan.repeats = 3;
  ASSERT_EQ(expected_time(plan.variants[0].plan), std::chrono::seconds(2));
  const std::string text = session_.describe(plan), time = "\n  time     in all up to about 12 s of virtual time;";
  EXPECT_NE(text.find(time), std::string::npos) << text;
  EXPECT_EQ(text.find("  time "), text.rfind("  time ")) << text;
  plan.slices.use = SliceOptions::Use::off;
  for (Variant& variant : plan.variants)
    std::get<LoadSeries>(variant.plan.measurement).load.duration = std::chrono::seconds(5);
  const std::string longer = session_.describe(plan);
  EXPECT_NE(longer.find(" up to about 30 s (up to 60 s where the latency still trends) of virtual"), std::string::npos)
      << longer;
}

TEST(TimeOfRuns, IsThatOfAllRepeatsAndAtMostWhatWasAskedFor) {
  ComparisonPlan plan;
  plan.variants = {{"a", "/a", kept_on("/a", {})}, {"b", "/b", kept_on("/b", {})}};
  plan.repeats = 1000;
  plan.max_time = std::chrono::milliseconds(50);
  EXPECT_EQ(time_of_runs(plan), std::chrono::milliseconds(50));
  plan.max_time = std::chrono::seconds(1);
  EXPECT_EQ(time_of_runs(plan), std::chrono::seconds(1));
}

TEST_F(ComparisonRunnerTest, ATimeThatIsTooShortForOneRunOfEachIsRefused) {
  const TemporaryDirectory a, b;
  ComparisonPlan plan;
  plan.variants = {{"a", a.path(), kept_on(a.path(), {})}, {"b", b.path(), kept_on(b.path(), {})}};
  plan.slices.use = SliceOptions::Use::off;
  for (Variant& variant : plan.variants) variant.plan.dataset_scale = 0.0001;
  plan.repeats = 1000;
  plan.max_time = std::chrono::milliseconds(199);
  try {
    session_.run(plan);
    FAIL() << "two runs of 100 ms";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("one whole run of each variant, which take 200 ms (--slices off)"),
              std::string::npos)
        << error.what();
  }
  EXPECT_TRUE(std::filesystem::is_empty(a.path()) && std::filesystem::is_empty(b.path()));
  plan.max_time = std::chrono::milliseconds(200);
  EXPECT_EQ(session_.run(plan).variants[1].runs.size(), 1u);
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:large", simulated()}};
  plan.max_time = std::chrono::seconds(3);
  EXPECT_THROW(session_.run(plan), Error) << "two runs of 2 s";
  plan.max_time = std::chrono::seconds(4);
  EXPECT_EQ(session_.run(plan).variants[1].runs.size(), 1u);
}

TEST_F(ComparisonRunnerTest, APrecisionThatNoIntervalOfRatesAtATargetReachesIsRefused) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:large", simulated()}};
  plan.until = 0.01;
  EXPECT_NO_THROW(session_.describe(plan)) << "latencies at a rate are compared";
  plan.at_latency_target = "2ms";
  try {
    session_.describe(plan);
    FAIL() << "each interval is wider by 1 % on both sides";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_NE(std::string(error.what()).find("--until: 1% is never reached"), std::string::npos) << error.what();
  }
  plan.until = 0.011;
  EXPECT_NO_THROW(session_.describe(plan));
}

/// Three repeats of two simulated volumes, with a journal in `folder`.
ComparisonPlan simulated_comparison(const TemporaryDirectory& folder) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:large", simulated()}};
  plan.variants[1].plan.volume = load_volume("large");
  plan.journal = Place{"journal", folder / "j.jsonl"};
  return plan;
}

Document read_comparison(const std::string& path) { return to_json(std::get<ComparisonResult>(read_any_result(path))); }

TEST_F(ComparisonRunnerTest, AComparisonsJournalReadsAsTheComparison) {
  const TemporaryDirectory folder;
  const ComparisonResult comparison = session_.run(simulated_comparison(folder));
  EXPECT_EQ(comparison.variants[1].runs.back().repeat, 3u);
  EXPECT_EQ(read_comparison(folder / "j.jsonl"), to_json(comparison));
}

TEST_F(ComparisonRunnerTest, TheJournalOfAnInterruptedComparisonReadsAsTheComparison) {
  const TemporaryDirectory folder;
  watcher_.stop = &stop_;
  watcher_.stop_after = 4;
  const ComparisonResult comparison = session_.run(simulated_comparison(folder));
  EXPECT_EQ(comparison.status, Status::interrupted);
  EXPECT_EQ(comparison.variants[0].runs.size() + comparison.variants[1].runs.size(), 4u) << "the run had ended";
  std::vector<std::uint64_t> missing;
  for (const MissingRuns& runs : comparison.missing_runs()) missing.insert(missing.end(), {runs.first, runs.last});
  EXPECT_EQ(missing, (std::vector<std::uint64_t>{3, 3, 3, 3})) << "one of each variant";
  EXPECT_EQ(read_comparison(folder / "j.jsonl"), to_json(comparison));
}

TEST_F(ComparisonRunnerTest, TheJournalHoldsRunsThatAreTakenFromEarlierResults) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_comparison(folder);
  plan.results_directory = folder / "results";
  const ComparisonResult first = session_.run(plan);
  std::filesystem::remove(folder / "results/1-a-2.json");
  const ComparisonResult second = session_.run(plan);
  EXPECT_EQ(watcher_.points, 7) << "six runs, and one again";
  EXPECT_EQ(to_json(second)["variants"], to_json(first)["variants"]);
  EXPECT_EQ(read_comparison(folder / "j.jsonl"), to_json(second));
}

TEST_F(ComparisonRunnerTest, AResultOfAnotherPlanThatAppearsDuringTheComparisonIsRefused) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_comparison(folder), other = plan;
  plan.results_directory = folder / "results";
  other.results_directory = folder / "others";
  for (Variant& variant : other.variants) variant.plan.seed = 7;
  session_.run(other);
  Session session(on([&](const VariantMeasured&) {
                    std::filesystem::copy(folder / "others/1-a-2.json", folder / "results/1-a-2.json",
                                          std::filesystem::copy_options::skip_existing);
                  }),
                  {});
  EXPECT_THROW(session.run(plan), Error);
}

TEST_F(ComparisonRunnerTest, AnInterruptedOrFailedRunAmongEarlierResultsIsRunAgain) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_comparison(folder);
  plan.results_directory = folder / "results";
  session_.run(plan);
  for (const Status status : {Status::interrupted, Status::failed}) {
    Result result = read_result(folder / "results/1-a-1.json");
    result.status = status;
    folder.write("results/1-a-1.json", json_text(result));
    EXPECT_EQ(session_.run(plan).variants[0].runs.size(), 3u);
    EXPECT_EQ(read_result(folder / "results/1-a-1.json").status, Status::complete);
  }
}

TEST_F(ComparisonRunnerTest, AResultThatCannotBeKeptIsLeftUndoneAndTheComparisonGoesOn) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_comparison(folder);
  plan.results_directory = folder / "results";
  std::filesystem::create_directories(folder / "results");
  std::filesystem::create_symlink("/dev/full", folder / "results/1-a-1.json");
  EXPECT_THROW(session_.run(plan), Error) << "a device is no result";
  std::filesystem::remove(folder / "results/1-a-1.json");
  std::filesystem::create_symlink("nowhere/at/all", folder / "results/1-a-1.json");
  EXPECT_EQ(session_.run(plan).status, Status::complete);
  EXPECT_TRUE(session_.cleanup_incomplete());
}

TEST_F(ComparisonRunnerTest, ATargetOfOnesOwnIsComparedWithItself) {
  const auto target = std::make_shared<FakeTarget>();
  ComparisonPlan plan;
  plan.variants = {{"a", "fake", plan_on(target)}, {"b", "fake", plan_on(target)}};
  plan.repeats = 1;
  EXPECT_EQ(session_.run(plan).variants[1].runs.size(), 1u);
}

TEST_F(ComparisonRunnerTest, AMistakeInALaterVariantIsRefusedBeforeTheFirstRuns) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "/nonexistent", simulated()}};
  plan.variants[1].plan.volume = MountDirectories{{"/nonexistent"}};
  EXPECT_THROW(session_.run(plan), Error);
  EXPECT_EQ(watcher_.points, 0);
}

TEST_F(ComparisonRunnerTest, VolumesThatHoldDatasetsOfOtherSizesAreNotCompared) {
  const TemporaryDirectory a, b, c;
  session_.run(kept_on(a.path(), 2.0 * MiB));
  session_.run(kept_on(b.path(), 16.0 * MiB));
  ComparisonPlan plan;
  plan.repeats = 1;
  plan.variants = {{"a", a.path(), kept_on(a.path(), {})}, {"b", b.path(), kept_on(b.path(), {})}};
  const int before = watcher_.points;
  try {
    session_.run(plan);
    ADD_FAILURE() << "different files were compared";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    EXPECT_EQ(error.where(), b.path());
  }
  EXPECT_EQ(watcher_.points, before);
  plan.variants[1] = {"c", c.path(), kept_on(c.path(), {})};
  const ComparisonResult same = session_.run(plan);
  EXPECT_TRUE(same.notes.empty()) << "a new dataset is fitted to the one that is there";
  EXPECT_EQ(same.variants[0].last_run->dataset.bytes, same.variants[1].last_run->dataset.bytes);
}

TEST_F(ComparisonRunnerTest, TheLeastBudgetOfAllVariantsIsThatOfTheirDatasets) {
  const TemporaryDirectory a, b;
  ComparisonPlan plan;
  plan.repeats = 1;
  plan.variants = {{"a", a.path(), kept_on(a.path(), 4.0 * MiB)}, {"b", b.path(), kept_on(b.path(), 2.0 * MiB)}};
  const ComparisonResult comparison = session_.run(plan);
  EXPECT_TRUE(comparison.notes.empty());
  for (const VariantFigures& variant : comparison.variants) EXPECT_LT(variant.last_run->dataset.bytes, 5 * MiB / 2);
}

TEST_F(ComparisonRunnerTest, AComparisonOfDifferentFilesSaysSo) {
  const TemporaryDirectory a, b;
  ComparisonPlan plan;
  plan.repeats = 1;
  plan.variants = {{"a", a.path(), kept_on(a.path(), {})}, {"b", b.path(), kept_on(b.path(), {})}};
  plan.variants[0].plan.dataset_scale = 0.0001;
  plan.variants[1].plan.dataset_scale = 0.01;
  const ComparisonResult comparison = session_.run(plan);
  ASSERT_EQ(comparison.notes.size(), 1u);
  EXPECT_TRUE(comparison.notes[0].starts_with("the volumes had different files: a (")) << comparison.notes[0];
}

TEST_F(ComparisonRunnerTest, AnErrorInALaterRunEndsTheComparisonAndWhatWasMeasuredStands) {
  const TemporaryDirectory a, b;
  ComparisonPlan plan;
  plan.variants = {{"a", a.path(), kept_on(a.path(), {})}, {"b", b.path(), kept_on(b.path(), {})}};
  for (Variant& variant : plan.variants) variant.plan.dataset_scale = 0.0001;
  int built = 0;
  Session session(on([&](const DatasetBuilt&) {
                    if (++built == 2) throw run_error("b", "is full");
                  }),
                  {});
  const ComparisonResult comparison = session.run(plan);
  EXPECT_EQ(comparison.status, Status::failed);
  EXPECT_EQ(comparison.failure, "b: is full");
  EXPECT_EQ(comparison.variants[0].runs.size(), 1u);
}

TEST_F(ComparisonRunnerTest, NoInputOfAnyVariantIsOverwritten) {
  const TemporaryDirectory folder;
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:mine", simulated()}};
  plan.variants[1].plan.inputs = {folder.write("mine.json", "{}")};
  plan.outputs = {{{"--json", folder / "mine.json"}, [](const ComparisonResult&) { return std::string(); }, true}};
  EXPECT_THROW(session_.run(plan), Error);
}

TEST_F(ComparisonRunnerTest, AMixWithoutProcsOfAPhaseIsWarnedOfInThePlanOfTuningsToo) {
  if (::geteuid() != 0) EDAGEN_SKIP("mounting needs root");
  RunPlan run = simulated();
  run.workload = load_workload("eda_mixed");
  run.volume = TunedExport{"127.0.0.1:/x", {"a", "vers=3", {}, {}}};
  run.procs_per_client = 1;
  ComparisonPlan plan;
  plan.variants = {{"a", "vers=3", run}, {"b", "vers=4.2", run}};
  plan.variants[1].plan.procs_per_client = 5;
  const std::string text = session_.describe(plan), warning = "\n  warning  eda_physical has no proc: ";
  const auto at = text.find(warning);
  EXPECT_LT(at, text.find("\nb (vers=4.2)\n")) << text;
  EXPECT_EQ(text.find(warning, at + 1), std::string::npos) << "5 procs are a whole job set\n" << text;
}

TEST_F(ComparisonRunnerTest, DirectoriesWithTheNameOfTheHostOrTheRankAreThoseOfThisHost) {
  const TemporaryDirectory base;
  ComparisonPlan plan;
  for (const std::string volume : {"a", "b"}) {
    std::filesystem::create_directory(base / (volume + "0"));
    plan.variants.push_back({volume, volume, kept_on(base / (volume + "{rank}"), {})});
    plan.variants.back().plan.dataset_scale = 0.0001;
  }
  plan.repeats = 1;
  plan.slices.use = SliceOptions::Use::where_possible;
  EXPECT_NE(session_.describe(plan).find(base / "b0"), std::string::npos);
  plan.results_directory = base / "results";
  session_.run(plan);
  const int points = watcher_.points;
  session_.run(plan);
  EXPECT_EQ(watcher_.points, points) << "the results were kept";
}

TEST_F(ComparisonRunnerTest, AComparisonOfOneIsRefused) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}};
  EXPECT_THROW(session_.run(plan), Error);
  EXPECT_THROW(session_.describe(plan), Error);
}

}  // namespace
}  // namespace edagen
