#include "session/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "result/result_file.hpp"
#include "session/point_recorder.hpp"
#include "support/sample_result.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(Measured, ALoadPointSaysWhatWasMeasured) {
  const PointFigures point = point_figures(sample_point());
  EXPECT_EQ(point.operations, 2001u);
  EXPECT_DOUBLE_EQ(point.achieved_ops_per_sec, 1000.5);
  EXPECT_NEAR(point.mib_per_sec, 2000 * 8192 / 0x1p20 / 2, 1e-4);
  EXPECT_EQ(point.errors, (ErrorCounts{{"ESTALE", 1}}));
  EXPECT_EQ(point.ops.at(OpKind::stat).errors, (ErrorCounts{{"ESTALE", 1}}));
  EXPECT_EQ(point.ops.size(), 2u);
  EXPECT_NEAR(point.latency.response.p50.count(), 2, 0.02);
  EXPECT_NEAR(point.latency.lag.p50.count(), 1, 0.01);
  EXPECT_EQ(point.invalid, std::vector{Invalid::errors});
  EXPECT_EQ(point.intervals.size(), 2u);
}

TEST(Measured, ALoadPointHasTheTimeThatSettlingTook) {
  CurvePoint point = sample_point();
  point.stats.warmup = std::chrono::seconds(30);
  point.stats.longer_warmup = std::chrono::seconds(5);
  point.stats.first_window = std::chrono::seconds(20);
  const PointFigures figures = point_figures(point);
  EXPECT_EQ(figures.warmup, Seconds(30));
  EXPECT_EQ(figures.longer_warmup, Seconds(5));
  EXPECT_EQ(figures.first_window, Seconds(20));
}

TEST(Measured, AKindOfOpsOfWhichNoneWasTimedHasNoLatency) {
  CurvePoint point = sample_point();
  point.stats.ops.of(OpKind::unlink).count({});  // was due before the window, and ended in it
  const PointFigures figures = point_figures(point);
  EXPECT_EQ(figures.ops.at(OpKind::unlink).operations, 1u);
  EXPECT_FALSE(figures.ops.at(OpKind::unlink).latency);
  EXPECT_TRUE(figures.ops.at(OpKind::stat).latency);
}

TEST(Measured, TheErrorsOfAllKindsOfOpsAreThoseOfTheLoadPoint) {
  CurvePoint point = sample_point();
  point.stats.ops.record_error(OpKind::fsync, EIO);  // of the last flush: no op of the load is an fsync
  const PointFigures figures = point_figures(point);
  EXPECT_EQ(figures.errors, (ErrorCounts{{"EIO", 1}, {"ESTALE", 1}}));
  ErrorCounts of_kinds;
  for (const auto& [kind, op] : figures.ops)
    for (const auto& [name, count] : op.errors) of_kinds[name] += count;
  EXPECT_EQ(of_kinds, figures.errors);
  EXPECT_EQ(figures.ops.at(OpKind::fsync).operations, 0u);
  EXPECT_FALSE(figures.ops.at(OpKind::fsync).latency);
  EXPECT_FALSE(figures.ops.contains(OpKind::unlink)) << "there was none";
}

TEST(Measured, TheErrorsOfAllKindsOfOpsAreThoseOfTheInterval) {
  OpStats ops;
  ops.record(OpKind::stat, {}, {});
  ++ops.of(OpKind::write_file).errors[ENOSPC];  // was due in the window, and failed after it
  const std::map<OpKind, IntervalOpFigures> figures = interval_op_figures(ops);
  EXPECT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures.at(OpKind::write_file).operations, 0u);
  EXPECT_EQ(figures.at(OpKind::write_file).errors, 1u);
}

Status status_with_operations(const std::vector<bool>& measured) {
  Curve curve = sample_curve();
  curve.points.resize(measured.size());
  for (std::size_t i = 0; i < measured.size(); ++i)
    if (!measured[i]) curve.points[i].stats.ops.clear();
  curve.answers.clear();
  std::vector<PointFigures> figures;
  for (const CurvePoint& point : curve.points) figures.push_back(point_figures(point));
  Result result;
  add_curve(result, curve, std::move(figures));
  return result.status;
}

TEST(Measured, ACurveHasFailedWhenNoneOfItsPointsMeasuredAnything) {
  EXPECT_EQ(status_with_operations({true, true, true}), Status::complete);
  EXPECT_EQ(status_with_operations({true, true, false}), Status::complete) << "the others are known";
  EXPECT_EQ(status_with_operations({false, false, false}), Status::failed);
}

TEST(Measured, APointAsFastAsProcsGoHasNoRequestedRate) {
  CurvePoint point = sample_point();
  point.stats.requested_ops_per_sec.reset();
  EXPECT_FALSE(point_figures(point).requested_ops_per_sec);
}

TEST(Measured, LoadPointsAreAscendingByRequestedRateAndAnAnswerNamesItsDemonstration) {
  Curve curve = sample_curve();
  std::swap(curve.points[0], curve.points[2]);
  curve.answers[0].demonstrated = DemonstrationFigures{1500, std::chrono::microseconds(1900), 0};
  const Result result = sample_result(curve);
  EXPECT_EQ(result.load_points.front().requested_ops_per_sec, 500);
  const AnswerFigures& answer = result.at_latency_target[0];
  ASSERT_NE(result.demonstration(answer), nullptr);
  EXPECT_EQ(result.demonstration(answer)->requested_ops_per_sec, 1500);
  EXPECT_EQ(answer.demonstrated->load_point, 2u);
  EXPECT_DOUBLE_EQ(answer.demonstrated->latency.count(), 1.9);
  curve.answers[0].demonstrated.reset();
  const Result without = sample_result(curve);
  EXPECT_EQ(without.demonstration(without.at_latency_target[0]), nullptr);
}

TEST(Measured, ATargetThatIsNotMetHasTheLowestLatencyThatWasSeen) {
  Curve curve = sample_curve();
  EXPECT_FALSE(sample_result(curve).at_latency_target[0].lowest_latency);
  curve.answers[0].met = false;
  curve.answers[0].lowest_latency = std::chrono::microseconds(2500);
  curve.answers[0].lowest_latency_rate = 500;
  const AnswerFigures seen = sample_result(curve).at_latency_target[0];
  EXPECT_DOUBLE_EQ(seen.lowest_latency->count(), 2.5);
  EXPECT_EQ(seen.lowest_latency_ops_per_sec, 500);
  curve.answers[0].lowest_latency = {};
  EXPECT_FALSE(sample_result(curve).at_latency_target[0].lowest_latency) << "none was seen";
}

TEST(Measured, AnOpThatHungWhenTheLoadEndedIsOfTheLastLoadPointInTheResultAndInTheJournal) {
  const TemporaryDirectory folder;
  Journal journal(folder / "j.jsonl");
  journal.header(sample_header());
  const EventSink emit = ignore_events;
  PointRecorder recorder(&journal, emit, {}, NfsWindow({}));
  Curve curve = sample_curve();
  for (const CurvePoint& point : curve.points) recorder.record(PointEnded{point});
  curve.points.back().stats.stuck_ops = 1;  // known when the next load point began, or when there was none
  recorder.add_stuck_ops(curve);
  Result result = sample_header();
  add_curve(result, curve, recorder.take_points());
  journal.end(result);
  for (const Result& each : {result, read_result(folder / "j.jsonl")}) {
    ASSERT_EQ(each.load_points.size(), curve.points.size());
    EXPECT_EQ(each.load_points.back().stuck_ops, 1u);
    EXPECT_EQ(each.load_points.back().invalid, (std::vector{Invalid::errors, Invalid::stuck_ops}));
    EXPECT_TRUE(each.notes.empty()) << each.notes[0];
  }
}

TEST(Measured, RepeatsInWhichNothingEndedAreNoneOfASweep) {
  Curve curve = sample_sweep();
  curve.points[3].stats.ops.clear();  // depth 8, the second time
  const Result result = sample_result(curve);
  ASSERT_EQ(result.series->points.size(), 2u);
  EXPECT_EQ(result.series->points[1].repeats, 1u);
  EXPECT_NEAR(result.series->points[1].ops_per_sec.mean, 800.5, 0.01);
  for (CurvePoint& point : curve.points) point.stats.ops.clear();
  EXPECT_FALSE(sample_result(curve).series);
}

TEST(Measured, ARepeatThatWasCutOffIsNoneOfASweep) {
  for (bool RunStats::*const cut_off : {&RunStats::interrupted, &RunStats::too_many_errors}) {
    Curve curve = sample_sweep();
    curve.points[3].stats.*cut_off = true;
    const SeriesPoint once = sample_result(curve).series->points.at(1);
    EXPECT_EQ(once.repeats, 1u);
    for (const RepeatSummary& summary : {once.ops_per_sec, once.mib_per_sec, once.response_ms}) {
      EXPECT_FALSE(summary.confidence_95) << "what was measured once has no interval";
      EXPECT_FALSE(summary.standard_deviation);
    }
  }
}

TEST(Measured, ALoadPointOfOneIntervalHasNoStandardError) {
  CurvePoint point = sample_point();
  point.latency_error = NanosF(1e6);
  EXPECT_EQ(point_figures(point).statistic.standard_error, Millis(1));
  point.degrees_of_freedom = 0;
  EXPECT_FALSE(point_figures(point).statistic.standard_error);
}

TEST(Measured, ALowerBoundATargetThatIsNotMetAndOneLoadPointHaveNoInterval) {
  const auto interval_of = [](const std::function<void(AtTarget&)>& change) {
    Curve curve = sample_curve();
    change(curve.answers[0]);
    return sample_result(curve).at_latency_target.at(0).confidence_95;
  };
  EXPECT_EQ(interval_of([](AtTarget&) {}), (Interval95{39'000, 40'000}));
  EXPECT_FALSE(interval_of([](AtTarget& answer) { answer.limit = RateLimit::highest_rate; }));
  EXPECT_FALSE(interval_of([](AtTarget& answer) { answer.met = false; }));
  EXPECT_FALSE(interval_of([](AtTarget& answer) { answer.low = answer.high = answer.ops_per_sec; }));
}

TEST(Measured, WhatTheNfsClientCountedDuringAPauseOfEdagenFindsNoFaultWithTheStorage) {
  NfsMountStats mount;
  mount.rpcs["READ"] = {.requests = 100, .transmissions = 100, .round_trip_ms = 100'000, .execute_ms = 100'000};
  CurvePoint point = sample_point();
  EXPECT_NE(point_figures(point, {mount}).nfs->findings.front().find("the round trip"), std::string::npos);
  point.invalid = {Invalid::generator_paused};
  point.stats.hosts.resize(2);
  point.stats.hosts[1].name = "h1", point.stats.hosts[1].rank = 1;
  point.stats.hosts[1].longest_pause = std::chrono::seconds(1);
  const PointFigures paused = point_figures(point, {mount});
  ASSERT_EQ(paused.nfs->findings.size(), 1u);
  EXPECT_TRUE(paused.nfs->findings.front().starts_with("edagen was paused meanwhile")) << paused.nfs->findings.front();
  EXPECT_TRUE(paused.host_findings.at(0).starts_with("h1 (rank 1): edagen was paused for up to 1,000 ms at once, "))
      << paused.host_findings.at(0);
}

TEST(Measured, WhatTheNfsClientOfTheLeadingHostCountedIsHeldAgainstTheOpsOfThatHost) {
  NfsMountStats mount;
  mount.rpcs["READ"] = {.requests = 100, .transmissions = 100, .round_trip_ms = 100, .execute_ms = 100};
  CurvePoint point = sample_point();  // the service of all hosts together is 1 ms
  point.stats.hosts.resize(2);
  HostStats& own = point.stats.hosts.front();
  own.operations = 100;
  own.response_mean = own.service_mean = Millis(10);
  const std::string slow = point_figures(point, {mount}).nfs->findings.front();
  EXPECT_TRUE(slow.starts_with("RPCs take ")) << slow;
  own.response_mean = own.service_mean = Millis(1);
  const std::string usual = point_figures(point, {mount}).nfs->findings.front();
  EXPECT_NE(usual.find("the round trip"), std::string::npos) << usual;
}

TEST(Measured, ASweepSaysWhatItsRepeatsSayTogether) {
  const Result result = sample_result(sample_sweep());
  ASSERT_TRUE(result.series);
  EXPECT_EQ(result.series->parameter, "io-depth");
  ASSERT_EQ(result.series->points.size(), 2u);
  const SeriesPoint& deep = result.series->points[1];
  EXPECT_EQ(deep.value, 8);
  EXPECT_EQ(deep.repeats, 2u);
  EXPECT_NEAR(deep.ops_per_sec.mean, 1200.5, 0.01);
  EXPECT_NEAR(deep.ops_per_sec.standard_deviation.value(), 800 / std::sqrt(2), 0.01);
  EXPECT_FALSE(sample_result(single_point_curve()).series);
  EXPECT_FALSE(sample_result(sample_curve()).series);
}

}  // namespace
}  // namespace edagen
