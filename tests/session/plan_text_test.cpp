#include "session/plan_text.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

RunPlan run_of(Nanos duration, std::size_t repeats = 1) {
  RunPlan plan;
  LoadSeries series;
  series.load.duration = duration;
  series.repeats = repeats;
  plan.measurement = series;
  return plan;
}

Nanos interval_after(RunPlan plan) {
  set_intervals(plan);
  return std::get<LoadSeries>(plan.measurement).load.interval;
}

TEST(PlanText, IntervalsAreSecondsOfARunOfADayOrTwo) {
  for (const Nanos duration : {Nanos(10s), Nanos(24h), Nanos(48h)})
    EXPECT_EQ(interval_after(run_of(duration)), Nanos(1s));
}

TEST(PlanText, AShortWindowHasTenIntervalsOfNoLessThanHalfASecond) {
  EXPECT_EQ(interval_after(run_of(8s)), Nanos(800ms));
  EXPECT_EQ(interval_after(run_of(5s)), Nanos(500ms));
  EXPECT_EQ(interval_after(run_of(200ms)), Nanos(500ms));
}

TEST(PlanText, IntervalsAreLongerWhereAResultWouldHaveTooManyOfThem) {
  EXPECT_EQ(interval_after(run_of(125h)), Nanos(3s));
  EXPECT_EQ(interval_after(run_of(25h, 5)), Nanos(3s)) << "a result holds those of all repeats";
  for (const Nanos duration : {Nanos(56h), Nanos(1000h), Nanos(8760h)})
    EXPECT_LE(duration / interval_after(run_of(duration)), max_intervals_per_result);
}

CurvePlan search_for_2ms() {
  CurvePlan curve;
  curve.targets = {2ms};
  curve.load.warmup = 5s;
  curve.load.duration = 20s;
  return curve;
}

TEST(PlanText, TheTimeOfASearchIsThatOfItsSearchDemonstrationAndShape) {
  RunPlan plan;
  CurvePlan curve = search_for_2ms();
  plan.measurement = curve;
  EXPECT_EQ(expected_time(plan), 145s);
  curve.shape.emplace();
  plan.measurement = curve;
  EXPECT_EQ(expected_time(plan), 205s) << "a minute more";
  plan.leave_out_shape();
  EXPECT_EQ(expected_time(plan), 145s);
}

TEST(PlanText, TheLongestTimeHasLongerWarmUpsAndASecondWindowWhereATrendCanShow) {
  RunPlan plan = run_of(60s, 2);
  LoadPoint& load = std::get<LoadSeries>(plan.measurement).load;
  load.warmup = 1s;
  EXPECT_EQ(expected_time(plan), 122s);
  EXPECT_EQ(longest_load_time(plan), 242s) << "a second is too short a warm-up to show a trend";
  load.warmup = 5s;
  EXPECT_EQ(longest_load_time(plan), 280s);
  load.warmup = 0s, load.duration = 4s;
  EXPECT_EQ(longest_load_time(plan), 8s) << "four intervals show no trend";
  EXPECT_EQ(longer_time_text(61s, 121s), " (up to 2.02 min where the latency still trends)");
  EXPECT_EQ(longer_time_text(8s, 8s), "");
}

TEST(PlanText, ASearchIsNoLongerWhereTheLatencyTrends) {
  RunPlan plan;
  CurvePlan curve = search_for_2ms();
  plan.measurement = curve;
  EXPECT_EQ(longest_load_time(plan), expected_time(plan));
  curve.rates = equally_spaced_rates(10, 100);
  plan.measurement = curve;
  EXPECT_EQ(longest_load_time(plan), 10 * 60s);
}

TEST(PlanText, IntervalsOfACurveOfManyPointsAreCountedTogether) {
  RunPlan plan;
  CurvePlan curve;
  curve.load.duration = 30h;
  curve.rates = equally_spaced_rates(10, 100);
  plan.measurement = curve;
  set_intervals(plan);
  EXPECT_EQ(std::get<CurvePlan>(plan.measurement).load.interval, Nanos(6s));
}

}  // namespace
}  // namespace edagen
