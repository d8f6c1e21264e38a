#include "edagen/session.hpp"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "compare/comparison_file.hpp"
#include "edagen/error.hpp"
#include "fakes/fake_network.hpp"
#include "fakes/fake_target.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FakeTarget;
using testing::TemporaryDirectory;

/// Ops of a fake target, in a closed loop of a tenth of a second.
RunPlan plan_on(std::shared_ptr<FakeTarget> target) {
  struct Shared final : Target {
    explicit Shared(std::shared_ptr<FakeTarget> its_target) : target(std::move(its_target)) {}
    std::unique_ptr<TargetWorker> make_worker() override { return target->make_worker(); }
    std::shared_ptr<FakeTarget> target;
  };
  RunPlan plan;
  plan.workload = load_workload("eda_functional");
  plan.volume = OwnTarget{"fake", [target](const auto&) { return std::make_unique<Shared>(target); }};
  LoadSeries series;
  series.load.duration = 100ms;
  series.load.interval = 50ms;
  plan.measurement = series;
  return plan;
}

RunPlan simulated() {
  RunPlan plan = plan_on(nullptr);
  plan.volume = load_volume("regular");
  LoadSeries series;
  series.load.rate = OpenLoop{1000};
  series.load.duration = 2s;
  plan.measurement = series;
  return plan;
}

std::size_t journals_in(const std::string& state) {
  std::error_code none;
  const std::filesystem::directory_iterator files(state + "/edagen", none), end;
  return static_cast<std::size_t>(std::distance(none ? end : files, end));
}

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() { ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1); }
  ~SessionTest() override { ::unsetenv("XDG_STATE_HOME"); }

  struct Watcher final : SessionObserver {
    void begins(const std::string& text) override { plan = text; }
    void point_measured(const PointFigures& figures) override {
      ++points;
      if (stop && points >= stop_after) stop->request_stop();
      operations += figures.operations;
    }
    void finished(const Result&) override { ++results; }
    void finished(const ComparisonResult&) override { ++results; }
    void variant_run(const std::string&, std::size_t, std::size_t, const RunFigures&, bool) override { ++variant_runs; }
    std::string plan;
    std::stop_source* stop = nullptr;
    int stop_after = 1, points = 0, results = 0, variant_runs = 0;
    std::uint64_t operations = 0;
  };

  TemporaryDirectory state_;
  std::stop_source stop_;
  Watcher watcher_;
  Session session_{watcher_, stop_.get_token()};
};

TEST_F(SessionTest, CountsTheOpsThatATargetOfOnesOwnWasAskedFor) {
  const auto target = std::make_shared<FakeTarget>();
  const Result result = session_.run(plan_on(target));
  std::uint64_t asked = 0;
  for (const auto& [proc, ops] : target->ops()) asked += ops.size();
  ASSERT_EQ(result.load_points.size(), 1u);
  EXPECT_GT(result.load_points[0].operations, 100u);
  EXPECT_GE(asked, result.load_points[0].operations) << "those in flight at the end do not count";
  EXPECT_EQ(result.target.kind, TargetKind::own);
  EXPECT_EQ(result.target.model, "fake");
  EXPECT_EQ(exit_status_of(result), exit_status::done);
  EXPECT_EQ(result_from_json(to_json(result)).target.kind, TargetKind::own);
}

TEST_F(SessionTest, TellsItsObserverThePlanEachPointAndTheResultAndLeavesNoJournal) {
  const Result result = session_.run(simulated());
  EXPECT_NE(watcher_.plan.find("1,000 ops/s"), std::string::npos) << watcher_.plan;
  EXPECT_EQ(watcher_.points, 1);
  EXPECT_EQ(watcher_.results, 1);
  EXPECT_EQ(watcher_.operations, result.load_points[0].operations);
  EXPECT_EQ(journals_in(state_.path()), 0u);
}

TEST_F(SessionTest, DescribesAPlanWithoutCarryingItOut) {
  const std::string text = session_.describe(simulated());
  EXPECT_NE(text.find("regular (simulated)"), std::string::npos) << text;
  EXPECT_EQ(watcher_.points + watcher_.results, 0);
  EXPECT_FALSE(std::filesystem::exists(state_ / "edagen"));
}

TEST_F(SessionTest, AMixWithoutProcsOfAPhaseIsWarnedOfInThePlanAndNotedAndInvalidInTheResult) {
  RunPlan plan = simulated();
  plan.workload = load_workload("eda_mixed");
  for (const std::uint64_t procs : {1u, 2u}) {
    plan.procs_per_client = procs;
    const std::string text = session_.describe(plan);
    EXPECT_NE(text.find("\n  warning  eda_physical has no proc: "), std::string::npos) << text;
    const Result result = session_.run(plan);
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_TRUE(result.notes[0].starts_with("eda_physical has no proc: ")) << result.notes[0];
    EXPECT_TRUE(result.load_points[0].is_invalid_for(Invalid::mix_off));
  }
  plan.procs_per_client = 5;
  EXPECT_EQ(session_.describe(plan).find("warning"), std::string::npos);
}

TEST_F(SessionTest, WritesEachOutputAndAJournalThatReadsAsTheSameResult) {
  const TemporaryDirectory folder;
  RunPlan plan = simulated();
  plan.outputs = {{{"document", folder / "r.json"}, [](const Result& result) { return dumped(to_json(result)); }, true},
                  {{"name", folder / "name"}, [](const Result& result) { return result.workload.name; }, false}};
  plan.journal = Place{"journal", folder / "j.jsonl"};
  const Result result = session_.run(plan);
  EXPECT_EQ(to_json(read_result(folder / "r.json")), to_json(result));
  EXPECT_EQ(to_json(read_result(folder / "j.jsonl")), to_json(result));
  EXPECT_EQ(std::filesystem::file_size(folder / "name"), std::string("eda_functional").size());
}

TEST_F(SessionTest, AnOutputThatCannotBeWrittenIsRefusedBeforeAnythingElse) {
  RunPlan plan = simulated();
  plan.outputs = {{{"table", "/nonexistent/x"}, [](const Result&) { return std::string(); }, false}};
  EXPECT_THROW(session_.run(plan), Error);
  EXPECT_EQ(watcher_.plan, "");
}

TEST_F(SessionTest, WhatWasMeasuredBeforeAStopIsTheResult) {
  RunPlan plan = simulated();
  std::get<LoadSeries>(plan.measurement).repeats = 5;
  watcher_.stop = &stop_;
  const Result result = session_.run(plan);
  EXPECT_EQ(result.status, Status::interrupted);
  EXPECT_EQ(exit_status_of(result), exit_status::interrupted);
  EXPECT_LT(result.load_points.size(), 5u);
  EXPECT_EQ(journals_in(state_.path()), 1u) << "nothing else holds it";
}

TEST_F(SessionTest, ATargetThatIsNotMadeFailsTheRun) {
  RunPlan plan = plan_on(nullptr);
  plan.volume = OwnTarget{"none", [](const auto&) { return std::unique_ptr<Target>(); }};
  EXPECT_THROW(session_.run(plan), Error);
}

TEST_F(SessionTest, AComparisonRunsItsVariantsInTurnAndComparesThem) {
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
  EXPECT_EQ(journals_in(state_.path()), 0u);
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

TEST_F(SessionTest, AComparisonsJournalReadsAsTheComparison) {
  const TemporaryDirectory folder;
  const ComparisonResult comparison = session_.run(simulated_comparison(folder));
  EXPECT_EQ(comparison.variants[1].runs.back().repeat, 3u);
  EXPECT_EQ(read_comparison(folder / "j.jsonl"), to_json(comparison));
}

TEST_F(SessionTest, TheJournalOfAnInterruptedComparisonReadsAsTheComparison) {
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

TEST_F(SessionTest, TheJournalHoldsRunsThatAreTakenFromEarlierResults) {
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

TEST_F(SessionTest, AnInterruptedRunAmongEarlierResultsIsRunAgain) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_comparison(folder);
  plan.results_directory = folder / "results";
  session_.run(plan);
  Result result = read_result(folder / "results/1-a-1.json");
  result.status = Status::interrupted;
  folder.write("results/1-a-1.json", dumped(to_json(result)));
  EXPECT_EQ(session_.run(plan).variants[0].runs.size(), 3u);
  EXPECT_EQ(read_result(folder / "results/1-a-1.json").status, Status::complete);
}

TEST_F(SessionTest, AResultThatCannotBeKeptIsLeftUndoneAndTheComparisonGoesOn) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_comparison(folder);
  plan.results_directory = folder / "results";
  std::filesystem::create_directories(folder / "results");
  std::filesystem::create_symlink("/dev/full", folder / "results/1-a-1.json");
  EXPECT_THROW(session_.run(plan), Error) << "a device is no result";
  std::filesystem::remove(folder / "results/1-a-1.json");
  std::filesystem::create_symlink("nowhere/at/all", folder / "results/1-a-1.json");
  EXPECT_EQ(session_.run(plan).status, Status::complete);
  EXPECT_TRUE(session_.left_undone());
}

TEST_F(SessionTest, ATargetOfOnesOwnIsComparedWithItself) {
  const auto target = std::make_shared<FakeTarget>();
  ComparisonPlan plan;
  plan.variants = {{"a", "fake", plan_on(target)}, {"b", "fake", plan_on(target)}};
  plan.repeats = 1;
  EXPECT_EQ(session_.run(plan).variants[1].runs.size(), 1u);
}

TEST_F(SessionTest, AMistakeInALaterVariantIsRefusedBeforeTheFirstRuns) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "/nonexistent", simulated()}};
  plan.variants[1].plan.volume = MountDirectories{{"/nonexistent"}};
  EXPECT_THROW(session_.run(plan), Error);
  EXPECT_EQ(watcher_.points, 0);
}

/// A run on a directory that keeps its dataset.
RunPlan kept_on(const std::string& directory, std::optional<double> budget) {
  RunPlan plan = plan_on(nullptr);
  plan.volume = MountDirectories{{directory}};
  plan.dataset_budget = budget;
  plan.keep_dataset = true;
  LoadSeries series;
  series.load.rate = OpenLoop{100};
  series.load.duration = 100ms;
  plan.measurement = series;
  return plan;
}

TEST_F(SessionTest, VolumesThatHoldDatasetsOfOtherSizesAreNotCompared) {
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

TEST_F(SessionTest, ADatasetThatThePageCacheHoldsIsNotedUnlessTheVolumeIsSimulated) {
  const TemporaryDirectory here;
  const Result result = session_.run(kept_on(here.path(), 2.0 * MiB));
  ASSERT_EQ(result.notes.size(), 1u);
  EXPECT_NE(result.notes[0].find("fits in the free memory of this host"), std::string::npos) << result.notes[0];
  EXPECT_TRUE(session_.run(simulated()).notes.empty());
  EXPECT_TRUE(session_.run(plan_on(std::make_shared<FakeTarget>())).notes.empty());
}

TEST_F(SessionTest, AComparisonOfDifferentFilesSaysSo) {
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

TEST_F(SessionTest, NoInputOfAnyVariantIsOverwritten) {
  const TemporaryDirectory folder;
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}, {"b", "sim:mine", simulated()}};
  plan.variants[1].plan.inputs = {folder.write("mine.json", "{}")};
  plan.outputs = {{{"--json", folder / "mine.json"}, [](const ComparisonResult&) { return std::string(); }, true}};
  EXPECT_THROW(session_.run(plan), Error);
}

/// In a process of its own, which ends with threads in ops. Returns what went wrong.
std::string with_ops_that_never_return_on_another_host(SessionObserver& observer, Nanos window) {
  std::string wrong;
  testing::FakeNetwork network(2);
  testing::on_hosts(network, [&](Hosts& hosts) {
    const auto target = std::make_shared<FakeTarget>([&hosts](auto, const auto&) {
      while (!hosts.leads()) std::this_thread::sleep_for(1h);
      return OpResult{};
    });
    {
      RunPlan plan = plan_on(target);
      plan.clients = 2;
      plan.procs_per_client = 5;
      plan.stuck_after = 200ms;
      std::get<LoadSeries>(plan.measurement).load.duration = window;
      Session session(observer, {}, plan.stuck_after, &hosts);
      if (hosts.leads()) {
        const Result result = session.run(plan);
        if (exit_status_of(result) != exit_status::run_failed) wrong += "not failed; ";
        if (result.failure.value_or("").find("host1 (rank 1): stuck for ") != 0)
          wrong += "not named: " + result.failure.value_or("") + "; ";
        if (result.load_points.empty() || result.load_points[0].operations == 0) wrong += "nothing measured; ";
      } else {
        session.follow({plan});
      }
      if (!session.stuck()) wrong += "not stuck; ";
    }
    if (!hosts.leads() && target.use_count() == 1) wrong += "the target is gone under its threads; ";
  });
  return wrong;
}

[[noreturn]] void end_with(const std::string& wrong) {
  std::fputs(wrong.c_str(), stderr);
  ::_exit(wrong.empty() ? 0 : 1);
}

TEST_F(SessionTest, OpsThatNeverReturnOnAnotherHostFailTheRunByItsNameAndLeaveTheirTargetToTheirThreads) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with(with_ops_that_never_return_on_another_host(watcher_, 100ms)), ::testing::ExitedWithCode(0), "");
}

TEST_F(SessionTest, OpsThatNeverReturnOnAnotherHostEndTheRunInMidWindow) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(end_with(with_ops_that_never_return_on_another_host(watcher_, 1h)), ::testing::ExitedWithCode(0), "");
}

TEST_F(SessionTest, AnEmptyPlanIsRefused) {
  RunPlan none = simulated();
  std::get<LoadSeries>(none.measurement).values.clear();
  EXPECT_THROW(session_.run(none), Error);
  none = simulated();
  none.volume = MountDirectories{};
  EXPECT_THROW(session_.run(none), Error);
  none = simulated();
  none.clients = 0;
  EXPECT_THROW(session_.describe(none), Error);
}

TEST_F(SessionTest, AJournalGoesToTheTemporaryDirectoryWhereItsOwnCannotBeWritten) {
  const std::string file = state_.write("edagen", "in the way");
  EXPECT_EQ(session_.run(simulated()).status, Status::complete);
}

TEST_F(SessionTest, AMixWithoutProcsOfAPhaseIsWarnedOfInThePlanOfTuningsToo) {
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

TEST_F(SessionTest, AComparisonOfOneIsRefused) {
  ComparisonPlan plan;
  plan.variants = {{"a", "sim:regular", simulated()}};
  EXPECT_THROW(session_.run(plan), Error);
  EXPECT_THROW(session_.describe(plan), Error);
}

TEST_F(SessionTest, ARunThatIsStoppedInItsWarmUpHasMeasuredNoWindow) {
  RunPlan plan = simulated();
  std::get<LoadSeries>(plan.measurement).load.warmup = 5s;
  stop_.request_stop();
  const Result result = session_.run(plan);
  EXPECT_EQ(result.status, Status::interrupted);
  ASSERT_EQ(result.load_points.size(), 1u);
  const PointFigures& point = result.load_points[0];
  EXPECT_EQ(point.invalid, (std::vector<Invalid>{Invalid::nothing_measured, Invalid::interrupted}));
  EXPECT_EQ(point.seconds, Seconds(0));
  EXPECT_GT(point.warmup, Seconds(0));
  EXPECT_TRUE(point.intervals.empty());
  EXPECT_TRUE(result_from_json(to_json(result)).load_points[0].ended_in_warmup());
}

TEST_F(SessionTest, AJournalThatWasAskedForAndIsRemovedOrReplacedMeanwhileIsTold) {
  struct Remover final : SessionObserver {
    void point_measured(const PointFigures&) override {
      std::filesystem::remove(path);
      if (replaces) std::ofstream(path) << "of somebody else";
    }
    std::string path;
    bool replaces = false;
  } remover;
  const TemporaryDirectory folder;
  RunPlan plan = simulated();
  remover.path = folder / "j.jsonl";
  plan.journal = Place{"--journal", remover.path};
  for (const bool replaces : {false, true}) {
    remover.replaces = replaces;
    Session session(remover, {});
    const Result result = session.run(plan);
    EXPECT_TRUE(session.left_undone());
    ASSERT_EQ(result.notes.size(), 1u);
    EXPECT_EQ(result.notes[0], "journal " + remover.path + ": was removed or replaced during the run");
    EXPECT_EQ(std::filesystem::exists(remover.path), replaces);
  }
  EXPECT_TRUE(session_.run(plan).notes.empty());
  EXPECT_FALSE(session_.left_undone());
}

TEST_F(SessionTest, AJournalThatIsGoneIsToldAlsoWhereAnotherOutputCannotBeWritten) {
  struct Remover final : SessionObserver {
    void point_measured(const PointFigures&) override { std::filesystem::remove_all(folder); }
    std::string folder;
  } remover;
  const TemporaryDirectory here;
  remover.folder = here / "out";
  std::filesystem::create_directory(remover.folder);
  RunPlan plan = simulated();
  plan.journal = Place{"--journal", remover.folder + "/j.jsonl"};
  plan.outputs = {{{"--json", remover.folder + "/o.json"}, [](const Result&) { return "{}"; }}};
  const auto logger = spdlog::default_logger();
  std::ostringstream said;
  spdlog::set_default_logger(
      std::make_shared<spdlog::logger>("said", std::make_shared<spdlog::sinks::ostream_sink_mt>(said)));
  Session session(remover, {});
  session.run(plan);
  spdlog::set_default_logger(logger);
  EXPECT_TRUE(session.left_undone());
  EXPECT_NE(said.str().find("[error] --json " + remover.folder), std::string::npos) << said.str();
  EXPECT_NE(said.str().find("[error] --journal " + remover.folder + "/j.jsonl: was removed or replaced"),
            std::string::npos)
      << said.str();
}

TEST_F(SessionTest, AResultHasNotesOfWhatItsObserversCouldNotWrite) {
  struct Writer final : SessionObserver {
    std::vector<std::string> lacks() const override { return {"--hdr-log log: 3 lines are missing"}; }
  } writer;
  Session session(writer, {});
  EXPECT_EQ(session.run(simulated()).notes, writer.lacks());
}

TEST_F(SessionTest, APlanSaysWhatThePageCacheHoldsAndOfASimulationThatItsTimeIsVirtual) {
  const TemporaryDirectory here;
  const std::string on_files = session_.describe(kept_on(here.path(), 2.0 * MiB)),
                    model = session_.describe(simulated());
  EXPECT_NE(on_files.find("\n  memory   the dataset ("), std::string::npos) << on_files;
  EXPECT_EQ(model.find("memory"), std::string::npos) << model;
  EXPECT_NE(model.find("\n  time     2 s of virtual time"), std::string::npos) << model;
}

}  // namespace
}  // namespace edagen
