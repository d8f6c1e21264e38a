// Comparisons in slices, from the plan to the document.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <system_error>

#include "compare/comparison_file.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "fakes/session_fixture.hpp"
#include "result/result_json.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FakeTarget;
using testing::kept_on;
using testing::plan_on;
using testing::simulated;
using testing::TemporaryDirectory;

class SlicedRunsTest : public testing::SessionTest {};

/// By slices of `length` for `time`.
ComparisonPlan by_slices(std::vector<Variant> variants, Nanos length, Nanos time) {
  ComparisonPlan plan;
  plan.variants = std::move(variants);
  plan.slices = {.use = SliceOptions::Use::required, .length = length};
  plan.max_time = time;
  return plan;
}

ComparisonPlan simulated_slices() {
  RunPlan a = simulated(), b = simulated();
  b.volume = load_volume("large");
  b.seed = 2;
  return by_slices({{"a", "sim:regular", a}, {"b", "sim:large", b}}, 500ms, 30s);
}

/// Load points that two variants have measured when each has had two pilots and four slices.
constexpr int four_slices_each = 2 * (2 + 4);

Document document_of(const std::string& path) { return to_json(std::get<ComparisonResult>(read_any_result(path))); }

TEST_F(SlicedRunsTest, EachVariantHasTwoSlicesInEachBlockAndARatioFromThem) {
  const ComparisonResult comparison = session_.run(simulated_slices());
  ASSERT_TRUE(comparison.is_sliced());
  EXPECT_EQ(comparison.alternation->end, EndReason::time);
  EXPECT_EQ(comparison.alternation->slice_seconds, 0.5);
  const auto& [a, b] = std::tie(comparison.variants[0], comparison.variants[1]);
  EXPECT_EQ(a.runs.size(), b.runs.size());
  EXPECT_GE(a.runs.size(), 20u);
  EXPECT_EQ(b.against_first->pairs, a.runs.size() / 2);
  EXPECT_TRUE(b.against_first->confidence_95[0]);
  EXPECT_TRUE(b.last_run);
  EXPECT_TRUE(b.work);
  EXPECT_TRUE(comparison.missing_runs().empty());
  EXPECT_EQ(exit_status_of(comparison), exit_status::done);
}

TEST_F(SlicedRunsTest, SlicesOfBothVariantsFollowEachOtherInTime) {
  const ComparisonResult comparison = session_.run(simulated_slices());
  std::vector<std::pair<double, double>> times;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      times.emplace_back(run.slice->start_seconds, run.slice->start_seconds + run.slice->seconds);
  std::ranges::sort(times);
  for (std::size_t i = 1; i < times.size(); ++i) {
    EXPECT_GT(times[i].first, times[i - 1].second) << "a settling is between them";
    EXPECT_LT(times[i].first, times[i - 1].second + 1);
  }
}

TEST_F(SlicedRunsTest, EachSliceBeginsALoadAndNothingElseDoes) {
  std::size_t loads = 0, points = 0, slices = 0;
  const EventSink count = on([&](const LoadBegan&) { ++loads; },
                             [&](const PointBegan& point) { ++points, slices += point.is_slice ? 1 : 0; });
  Session(count, {}).run(simulated_slices());
  EXPECT_GT(points, 20u);
  EXPECT_EQ(slices, points);
  EXPECT_EQ(loads, points);
}

TEST_F(SlicedRunsTest, TheJournalReadsAsTheComparison) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_slices();
  plan.journal = Place{"journal", folder / "j.jsonl"};
  const ComparisonResult comparison = session_.run(plan);
  EXPECT_EQ(document_of(folder / "j.jsonl"), to_json(comparison));
}

TEST_F(SlicedRunsTest, WhatWasMeasuredBeforeAnInterruptStands) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_slices();
  plan.journal = Place{"journal", folder / "j.jsonl"};
  watcher_.stop = &stop_;
  watcher_.stop_after = 40;
  const ComparisonResult comparison = session_.run(plan);
  EXPECT_EQ(comparison.status, Status::interrupted);
  EXPECT_EQ(comparison.alternation->end, EndReason::interrupt);
  EXPECT_EQ(comparison.variants[0].runs.size() + comparison.variants[1].runs.size(), 36u) << "four were pilots";
  EXPECT_EQ(comparison.variants[1].against_first->pairs, 9u);
  EXPECT_EQ(document_of(folder / "j.jsonl"), to_json(comparison));
}

TEST_F(SlicedRunsTest, AJournalThatEndsInTheMiddleHasTheSlicesBefore) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = simulated_slices();
  plan.journal = Place{"journal", folder / "j.jsonl"};
  session_.run(plan);
  std::string text = testing::text_of(folder / "j.jsonl");
  for (int lines = 0; lines < 12; ++lines) text = text.substr(0, text.rfind('\n', text.size() - 2) + 1);
  folder.write("cut.jsonl", text);
  const auto cut = std::get<ComparisonResult>(read_any_result(folder / "cut.jsonl"));
  EXPECT_EQ(cut.status, Status::incomplete);
  EXPECT_TRUE(cut.is_sliced());
  EXPECT_TRUE(cut.variants[1].against_first->confidence_95[0]);
}

TEST_F(SlicedRunsTest, TwoDirectoriesAreUpAtOnceAndTheirDatasetsGoAfterwards) {
  const TemporaryDirectory a, b;
  RunPlan on_a = kept_on(a.path(), 2.0 * MiB), on_b = kept_on(b.path(), 2.0 * MiB);
  on_a.keep_dataset = on_b.keep_dataset = false;
  const ComparisonResult comparison =
      session_.run(by_slices({{"a", a.path(), on_a}, {"b", b.path(), on_b}}, 100ms, 4s));
  EXPECT_EQ(comparison.status, Status::complete);
  EXPECT_GE(comparison.variants[1].runs.size(), 4u) << "fewer than there is time for, where a pause takes some of it";
  EXPECT_FALSE(comparison.alternation->shared.empty()) << "one file system";
  EXPECT_TRUE(std::filesystem::is_empty(a.path()));
  EXPECT_TRUE(std::filesystem::is_empty(b.path()));
}

TEST_F(SlicedRunsTest, AVariantThatFailsEndsTheSlicesAndWhatWasMeasuredStands) {
  std::atomic<bool> fails = false;
  const auto sound = std::make_shared<FakeTarget>();
  const auto failing =
      std::make_shared<FakeTarget>([&](auto, const auto&) { return fails ? OpResult{.error = EIO} : OpResult{}; });
  RunPlan a = plan_on(sound), b = plan_on(failing);
  for (RunPlan* const plan : {&a, &b}) std::get<LoadSeries>(plan->measurement).load.rate = OpenLoop{200};
  int points = 0;
  Session session(on([&](const PointMeasured&) {
                    if (++points == four_slices_each) fails = true;
                  }),
                  {});
  const ComparisonResult comparison = session.run(by_slices({{"a", "fake", a}, {"b", "fake", b}}, 200ms, 60s));
  EXPECT_EQ(comparison.status, Status::failed);
  EXPECT_EQ(comparison.failure, "b: too many ops failed");
  EXPECT_EQ(comparison.alternation->end, EndReason::failure);
  EXPECT_GE(comparison.variants[0].runs.size(), 4u);
  EXPECT_EQ(exit_status_of(comparison), exit_status::run_failed);
}

TEST_F(SlicedRunsTest, AVariantWhoseDatasetAnotherRunTakesEndsTheSlicesAndWhatWasMeasuredStands) {
  const TemporaryDirectory a, b;
  RunPlan on_a = kept_on(a.path(), 2.0 * MiB), on_b = kept_on(b.path(), 2.0 * MiB);
  on_a.keep_dataset = on_b.keep_dataset = false;
  on_a.look_at_lock_every = on_b.look_at_lock_every = 100ms;
  int points = 0;
  Session session(on([&](const PointMeasured&) {
                    if (++points == four_slices_each) b.write("edagen.data/edagen.lock", "");
                  }),
                  {});
  const ComparisonResult comparison =
      session.run(by_slices({{"a", a.path(), on_a}, {"b", b.path(), on_b}}, 200ms, 60s));
  EXPECT_EQ(comparison.failure, "b: " + b.path() + "/edagen.data: another process had its lock meanwhile");
  EXPECT_EQ(comparison.alternation->end, EndReason::failure);
  EXPECT_GE(comparison.variants[0].runs.size(), 4u);
  EXPECT_EQ(exit_status_of(comparison), exit_status::run_failed);
  EXPECT_TRUE(std::filesystem::is_empty(a.path()));
  EXPECT_FALSE(std::filesystem::is_empty(b.path())) << "the dataset is the other run's";
}

TEST_F(SlicedRunsTest, AVariantThatHangsEndsTheSlicesAndWhatWasMeasuredStands) {
  const auto hangs = std::make_shared<std::atomic<bool>>(false);  // of a thread that outlives the test
  const auto sound = std::make_shared<FakeTarget>();
  const auto hanging = std::make_shared<FakeTarget>([hangs](auto, const auto&) {
    if (hangs->exchange(false)) std::this_thread::sleep_for(1h);
    return OpResult{};
  });
  RunPlan a = plan_on(sound), b = plan_on(hanging);
  for (RunPlan* const plan : {&a, &b}) {
    std::get<LoadSeries>(plan->measurement).load.rate = OpenLoop{200};
    plan->stuck_after = 100ms;
  }
  int points = 0;
  Session session(on([&](const PointMeasured&) {
                    if (++points == four_slices_each) *hangs = true;
                  }),
                  {});
  const ComparisonResult comparison = session.run(by_slices({{"a", "fake", a}, {"b", "fake", b}}, 200ms, 60s));
  EXPECT_EQ(comparison.failure, "b: ops never returned");
  EXPECT_GE(comparison.variants[0].runs.size(), 4u);
  EXPECT_TRUE(session.stuck());
}

TEST_F(SlicedRunsTest, AnInterruptInALongOpIsAnInterruptAndNoFailure) {
  const auto ops = std::make_shared<std::atomic<int>>(0);  // of a thread that outlives the test
  const auto slow = std::make_shared<FakeTarget>([ops, this](auto, const auto&) {
    if (++*ops == 400) stop_.request_stop(), std::this_thread::sleep_for(1h);
    return OpResult{};
  });
  RunPlan a = plan_on(std::make_shared<FakeTarget>()), b = plan_on(slow);
  b.stuck_after = 500ms;
  for (RunPlan* const plan : {&a, &b}) std::get<LoadSeries>(plan->measurement).load.rate = OpenLoop{200};
  const ComparisonResult comparison = session_.run(by_slices({{"a", "fake", a}, {"b", "fake", b}}, 200ms, 60s));
  EXPECT_EQ(comparison.status, Status::interrupted);
  EXPECT_FALSE(comparison.failure) << *comparison.failure;
  EXPECT_EQ(exit_status_of(comparison), exit_status::interrupted);
  EXPECT_TRUE(session_.stuck());
}

TEST_F(SlicedRunsTest, AVariantThatHangsBeforeTheFirstSliceLeavesAllVariantsAsTheyAre) {
  const TemporaryDirectory folder;
  const auto ops = std::make_shared<std::atomic<int>>(0);  // of a thread that outlives the test
  const auto hanging = std::make_shared<FakeTarget>([ops](auto, const auto&) {
    if (++*ops == 10) std::this_thread::sleep_for(1h);
    return OpResult{};
  });
  RunPlan a = kept_on(folder.path(), 2.0 * MiB), b = plan_on(hanging);
  a.keep_dataset = false;
  b.stuck_after = 100ms;
  for (RunPlan* const plan : {&a, &b}) std::get<LoadSeries>(plan->measurement).load.rate = OpenLoop{200};
  const ComparisonResult comparison = session_.run(by_slices({{"a", folder.path(), a}, {"b", "fake", b}}, 200ms, 60s));
  EXPECT_EQ(comparison.failure, "b: ops never returned");
  EXPECT_TRUE(session_.stuck());
  EXPECT_FALSE(std::filesystem::is_empty(folder.path())) << "a's server may be the one that hangs";
}

TEST_F(SlicedRunsTest, AnErrorOfTheSystemEndsTheSlicesAndWhatWasMeasuredStands) {
  struct NoThreadLeft : FakeTarget {
    explicit NoThreadLeft(std::atomic<bool>& its_flag) : is_exhausted(its_flag) {}
    std::unique_ptr<TargetWorker> make_worker() override {
      if (is_exhausted) throw std::system_error(EAGAIN, std::generic_category());
      return FakeTarget::make_worker();
    }
    std::atomic<bool>& is_exhausted;
  };
  std::atomic<bool> is_exhausted = false;
  RunPlan a = plan_on(std::make_shared<FakeTarget>()), b = plan_on(std::make_shared<NoThreadLeft>(is_exhausted));
  for (RunPlan* const plan : {&a, &b}) std::get<LoadSeries>(plan->measurement).load.rate = OpenLoop{200};
  int points = 0;
  Session session(on([&](const PointMeasured&) {
                    if (++points == four_slices_each) is_exhausted = true;
                  }),
                  {});
  const ComparisonResult comparison = session.run(by_slices({{"a", "fake", a}, {"b", "fake", b}}, 200ms, 60s));
  EXPECT_EQ(comparison.failure, "b: " + std::generic_category().message(EAGAIN));
  EXPECT_EQ(comparison.alternation->end, EndReason::failure);
  EXPECT_GE(comparison.variants[0].runs.size(), 4u);
}

/// The rates at `target` by slices of half a second.
ComparisonPlan searched_slices(Nanos target) {
  ComparisonPlan plan = simulated_slices();
  plan.at_latency_target = std::to_string(target / 1us) + "us";
  plan.max_time = 100s;
  for (Variant& variant : plan.variants) {
    CurvePlan search;
    search.load.duration = 5s;
    search.load.warmup = 1s;
    search.targets = {target};
    search.own_rate = variant.plan.own_ops_per_sec();
    variant.plan.measurement = search;
  }
  return plan;
}

TEST_F(SlicedRunsTest, WithoutARateSlicesAreAroundTheTargetOfEachVariantAndShowItsRateThere) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = searched_slices(2ms);
  plan.journal = Place{"journal", folder / "j.jsonl"};
  const ComparisonResult comparison = session_.run(plan);
  ASSERT_TRUE(comparison.is_sliced());
  EXPECT_EQ(comparison.alternation->end, EndReason::time);
  const auto& [a, b] = std::tie(comparison.variants[0], comparison.variants[1]);
  ASSERT_GE(a.runs.size(), 20u);
  std::size_t over = 0;
  for (const RunFigures& run : a.runs) {
    EXPECT_EQ(*run.slice->distance_from_target > 0, run.ops_per_sec < *run.slice->offered_ops_per_sec);
    over += *run.slice->distance_from_target > 0 ? 1 : 0;
  }
  EXPECT_GT(over, a.runs.size() / 5);
  EXPECT_LT(over, a.runs.size() * 4 / 5);
  EXPECT_EQ(b.against_first->pairs, a.runs.size() / 2);
  EXPECT_NEAR(b.against_first->ratio, b.mean_ops_per_sec / a.mean_ops_per_sec, 0.1 * b.against_first->ratio);
  EXPECT_EQ(document_of(folder / "j.jsonl"), to_json(comparison));
}

TEST_F(SlicedRunsTest, AfterTheSlicesTheCurveOfEachVariantIsMeasuredUnlessTheTimeHasNoRoomForIt) {
  ComparisonPlan plan = searched_slices(2ms);
  for (Variant& variant : plan.variants)
    std::get<CurvePlan>(variant.plan.measurement).shape =
        ShapePlan{.points = 3, .points_beyond = 1, .block_seconds = 1};
  const ComparisonResult comparison = session_.run(plan);
  for (const VariantFigures& variant : comparison.variants) {
    const auto& points = variant.last_run->load_points;
    EXPECT_GE(std::ranges::count(points, Purpose::shape, &VariantPoint::purpose), 3);
    EXPECT_EQ(std::ranges::count(points, Purpose::block, &VariantPoint::purpose), 1) << "all slices together";
    ASSERT_EQ(variant.last_run->at_latency_target.size(), 1u);
    EXPECT_NEAR(variant.last_run->at_latency_target[0].ops_per_sec, variant.mean_ops_per_sec,
                0.1 * variant.mean_ops_per_sec);
  }
  plan.max_time = 39s;
  for (const VariantFigures& variant : session_.run(plan).variants)
    EXPECT_EQ(variant.last_run->load_points.size(), 1u) << "it would take a quarter of the time";
}

TEST_F(SlicedRunsTest, WhereNoLoadMeetsTheTargetWholeSearchesAlternateUnlessSlicesAreRequired) {
  const TemporaryDirectory folder;
  ComparisonPlan plan = searched_slices(1us);
  plan.max_time.reset();
  const ComparisonResult failed = session_.run(plan);
  EXPECT_TRUE(failed.failure->ends_with(": no load meets the target")) << *failed.failure;
  EXPECT_EQ(failed.alternation->end, EndReason::failure);
  EXPECT_EQ(exit_status_of(failed), exit_status::run_failed);
  const auto clock = std::make_shared<double>(0);
  for (Variant& variant : plan.variants) std::get<VolumeModel>(variant.plan.volume).clock = clock;
  plan.slices.use = SliceOptions::Use::where_possible;
  plan.slices.length.reset();
  plan.journal = Place{"journal", folder / "j.jsonl"};
  const ComparisonResult whole = session_.run(plan);
  EXPECT_FALSE(whole.is_sliced());
  EXPECT_TRUE(whole.alternation->reason.ends_with(": no load meets the target")) << whole.alternation->reason;
  EXPECT_EQ(whole.repeats, 3u);
  EXPECT_EQ(whole.variants[1].runs.size(), 3u);
  EXPECT_EQ(document_of(folder / "j.jsonl"), to_json(whole));
}

TEST_F(SlicedRunsTest, ATimeWithoutRoomForABlockIsRefusedAndOneThatTheClimbsHaveTakenIsAFailure) {
  ComparisonPlan plan = simulated_slices();
  plan.slices.length = 10s;
  plan.max_time = 20s;
  EXPECT_THROW(session_.describe(plan), Error);
  EXPECT_THROW(session_.run(plan), Error);
  plan = searched_slices(2ms);
  plan.max_time = 8s;
  const ComparisonResult comparison = session_.run(plan);
  ASSERT_TRUE(comparison.failure);
  EXPECT_TRUE(comparison.failure->starts_with("the time was over before the first block")) << *comparison.failure;
  EXPECT_EQ(exit_status_of(comparison), exit_status::run_failed);
}

TEST_F(SlicedRunsTest, SearchesOfSimulatedVolumesGoOnAtOnceUnlessSlicesAreRequired) {
  ComparisonPlan plan = searched_slices(2ms);
  plan.repeats = 1;
  plan.max_time.reset();
  plan.slices.use = SliceOptions::Use::where_possible;
  const ComparisonResult comparison = session_.run(plan);
  EXPECT_FALSE(comparison.is_sliced());
  EXPECT_EQ(comparison.alternation->reason, "searches on simulated volumes have no disturbance in common");
}

/// Why whole runs alternate although slices were allowed.
std::string reason_of(const ComparisonPlan& plan, Session& session) {
  ComparisonPlan allowed = plan;
  allowed.slices.use = SliceOptions::Use::where_possible;
  const ComparisonResult comparison = session.run(allowed);
  EXPECT_FALSE(comparison.is_sliced());
  EXPECT_THROW(session.run(plan), Error) << "slices were required";
  return comparison.alternation->reason;
}

TEST_F(SlicedRunsTest, WholeRunsAlternateWhereVariantsCannotBeUpAtOnceAndItSaysWhy) {
  const TemporaryDirectory a, results;
  ComparisonPlan plan = simulated_slices();
  plan.repeats = 1;
  plan.results_directory = results / "kept";
  EXPECT_EQ(reason_of(plan, session_), "--results keeps whole runs");
  plan.results_directory.clear();
  plan.variants[1].plan.before_point.command = "true";
  EXPECT_EQ(reason_of(plan, session_), "--before-point prepares each run");
  RunPlan on_a = kept_on(a.path(), 2.0 * MiB);
  plan = by_slices({{"a", a.path(), on_a}, {"again", a.path(), on_a}}, 100ms, 4s);
  plan.repeats = 1;
  EXPECT_EQ(reason_of(plan, session_), "a and again work in one directory");
}

TEST_F(SlicedRunsTest, ATimeThatIsTooShortForSlicesIsForWholeRuns) {
  ComparisonPlan plan = simulated_slices();
  plan.slices = {.use = SliceOptions::Use::where_possible};
  plan.max_time.reset();
  plan.repeats = 2;
  const ComparisonResult comparison = session_.run(plan);
  EXPECT_FALSE(comparison.is_sliced());
  EXPECT_EQ(comparison.variants[1].runs.size(), 2u);
  EXPECT_NE(comparison.alternation->reason.find("too short"), std::string::npos);
}

}  // namespace
}  // namespace edagen
