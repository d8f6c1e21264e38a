#include "report/limit_text.hpp"

#include <gtest/gtest.h>

#include "report/reason_text.hpp"
#include "report/terminal.hpp"
#include "support/report_text.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(LimitText, OpsThatWaitForTheirOwnProcAreToldFromStorageThatIsSlow) {
  EXPECT_NE(result_text(sample_result(single_point_curve())).find("50 % of the response is waiting"),
            std::string::npos);
}

TEST(LimitText, TheWaitIsNoMoreThanTheResponse) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.latency.lag.mean = 3 * point.latency.response.mean;  // also that of ops that have not ended
  const std::string text = result_text(result);
  EXPECT_NE(text.find("50 % of the response is waiting"), std::string::npos) << text;
}

TEST(LimitText, TheRowOfTheWaitIsNoMoreThanTheResponseEither) {
  Result result = sample_result(single_point_curve());
  Latencies& latency = result.load_points[0].latency;
  latency.response.mean = Millis(3), latency.service.mean = Millis(1), latency.lag.mean = Millis(9);
  const std::string text = result_text(result);
  const std::size_t row = text.find("\n  waiting for procs ");
  ASSERT_NE(row, std::string::npos) << text;
  const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  EXPECT_NE(line.find(" 2.00 "), std::string::npos) << line;
}

TEST(LimitText, ProcsThatAreHardlyBusyAreNotWhyOpsWait) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.groups.assign(1, GroupFigures());
  point.groups[0].procs = 1000;
  point.latency.service.p99 = Millis(40);
  const std::string idle = result_text(result);
  EXPECT_NE(
      idle.find("50 % of the response is waiting behind a few slow ops: service is 1.00 ms on average, 40.0 ms at p99, "
                "and procs are 0 % busy"),
      std::string::npos)
      << idle;
  EXPECT_EQ(idle.find("more procs"), std::string::npos) << idle;
  point.groups[0].procs = 2;
  EXPECT_NE(result_text(result).find("more procs (--job-sets) would show the limit"), std::string::npos);
}

constexpr const char* one_remedy =
    "ops wait for busy procs: a lower --rate; or more procs (--job-sets), if service takes 1.00 ms on idle storage, "
    "too\n";

TEST(LimitText, InAnOverloadOfWhichNoOpThatWasDueHasEndedTheDelayOfTheHostIsNotKnown) {
  using enum Invalid;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.invalid = {achieved_rate_low, generator_limited, ops_outstanding};
  point.ops_outstanding = 1'000'000;
  point.latency.service = point.latency.lag = LatencyFigures();
  point.latency.response.mean = Millis(3500), point.generator_lag.mean = Millis(378);
  const std::string text = result_text(result);
  EXPECT_EQ(text.find("378"), std::string::npos) << text;
  EXPECT_EQ(text.find("generator's own delay\n"), std::string::npos) << text;
  EXPECT_NE(
      text.find(
          "achieved_rate_low: 1,000 of the 1,000 requested ops/s were reached (95 % are needed): ops wait for "
          "busy procs: a lower --rate, or more procs (--job-sets) if the storage is not at its limit, which edagen "
          "curve finds\n"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("generator_limited: edagen began ops too late: busy procs do not catch up in an overload, so "
                      "that edagen's short delays add up\n"),
            std::string::npos)
      << text;
}

TEST(LimitText, AStallOfTheStorageIsNamedWithItsTimeAndNotTakenForBusyProcs) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.latency.response.mean = Millis(200), point.latency.service.mean = Millis(2),
  point.latency.lag.mean = Millis(198);
  for (GroupFigures& group : point.groups) group.procs = 5;
  point.achieved_ops_per_sec = 500;
  EXPECT_NE(result_text(result).find("more procs (--job-sets)"), std::string::npos) << result_text(result);
  point.intervals = testing::stalled_intervals();
  const std::string stalled = result_text(result);
  EXPECT_NE(stalled.find("  100 % of all waiting comes from one stall: it began about 2 s into the window, and ops "
                         "waited for up to 3 s: look at what stopped the storage or this host then"),
            std::string::npos)
      << stalled;
  EXPECT_EQ(stalled.find("more procs"), std::string::npos) << stalled;
  point.invalid = {Invalid::window_short};
  EXPECT_NE(result_text(result).find(": a stall, which is named below, may be why\n"), std::string::npos);
  for (IntervalFigures& interval : point.intervals) interval.response_mean = Millis(200);
  EXPECT_EQ(result_text(result).find("one stall"), std::string::npos) << "all of the time is as slow";
}

TEST(LimitText, AnOverloadOfBusyProcsHasOneRemedy) {
  using enum Invalid;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.invalid = {achieved_rate_low, proc_rate_low, mix_off, unsteady, ops_outstanding};
  for (const bool some_ended : {true, false}) {
    if (!some_ended) point.latency.service = point.latency.lag = {};  // none of those that were due in the window
    const std::string text = result_text(result);
    const std::string remedy =
        some_ended ? one_remedy : std::string("ops wait for busy procs: ") + lower_rate_or_more_procs + "\n";
    EXPECT_NE(text.find("are needed): " + remedy), std::string::npos) << text;
    EXPECT_EQ(testing::count_of("more procs", text), 1) << text;
    EXPECT_EQ(testing::count_of("lower --rate", text), 1) << text;
    EXPECT_EQ(testing::count_of(": ops wait for busy procs, which may be why\n", text), 4) << text;
  }
}

TEST(LimitText, AStorageInWhichOpsQueueIsNotMendedByMoreProcs) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.invalid = {Invalid::achieved_rate_low, Invalid::ops_outstanding};
  point.latency.response.mean = point.latency.service.mean = Millis(1760);  // all procs are in ops, and none waits
  point.latency.lag.mean = Millis(0);
  const std::string text = result_text(result);
  EXPECT_NE(text.find("are needed): a lower --rate\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("more procs"), std::string::npos) << text;
}

TEST(LimitText, AQueueOfBusyProcsThatRisesAndFallsHasTheirRemedyAndNoLongerDurationAlone) {
  Result result = sample_result(single_point_curve());
  Latencies& latency = result.load_points[0].latency;
  latency.response.mean = 20 * latency.service.mean, latency.lag.mean = 19 * latency.service.mean;
  for (const Invalid reason : {Invalid::unsteady, Invalid::window_short}) {
    result.load_points[0].invalid = {reason};
    const std::string text = result_text(result);
    EXPECT_NE(text.find(": ops wait for busy procs: more procs (--job-sets), a lower --rate or a longer --duration\n"),
              std::string::npos)
        << text;
    EXPECT_EQ(testing::count_of("more procs", text), 1) << text;
  }
}

TEST(LimitText, AnAnswerWhoseDemonstrationFailedAsItsProcsWereBusyHasTheirRemedy) {
  Curve curve = sample_curve();
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = {Invalid::not_demonstrated};
  for (CurvePoint& point : curve.points) point.purpose = Purpose::block;
  Result result = sample_result(curve);
  PointFigures& last = result.load_points.back();
  last.purpose = Purpose::demonstration;
  last.generator_lag.mean = Millis(0);
  last.latency.response.mean = Millis(10);
  const std::string hint = "of the response is waiting: ops wait until their proc has ended the op before; more procs";
  for (const double lag : {1.0, 9.0}) {
    last.latency.lag.mean = Millis(lag);
    EXPECT_EQ(result_text(result).find(hint) != std::string::npos, lag > 5) << result_text(result);
  }
  last.invalid = {Invalid::achieved_rate_low};
  EXPECT_NE(result_text(result).find(hint), std::string::npos) << "the load point's own reasons are not printed";
}

TEST(LimitText, ASearchThatWasTooShortHasOneRemedy) {
  Curve curve = sample_curve();
  curve.points[0].purpose = Purpose::climb;
  curve.answers[0].demonstrated.reset();
  curve.answers[0].limit = RateLimit::search_time;
  curve.answers[0].invalid = {Invalid::target_not_reached, Invalid::not_demonstrated};
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("\n  a lower bound: the search ended before it tried a higher rate: give it longer "
                      "(--search-time)\n  INVALID: not_demonstrated: no valid load point of full length met the target "
                      "near the rate\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(testing::count_of("--search-time", text), 1) << text;
}

TEST(LimitText, AMountThatIsSlowIsNotExplainedByBusyProcs) {
  using enum Invalid;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.invalid = {achieved_rate_low, proc_rate_low};
  point.mount_findings = {"/mnt/c: mean response 3.1 times the others'"};
  const std::string text = reason_lines(point.invalid, result, &point);
  EXPECT_NE(text.find("or look for a mount or directory that is slower than the others\n"), std::string::npos) << text;
}

TEST(LimitText, AKindWithoutProcsIsNotExplainedByBusyProcs) {
  using enum Invalid;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.groups.emplace_back().workload = "eda_physical";
  point.invalid = {achieved_rate_low, mix_off};
  const std::string text = reason_lines(point.invalid, result, &point);
  EXPECT_NE(text.find("eda_physical has no proc, so that the mix is not the workload's: whole job sets (--job-sets)\n"),
            std::string::npos)
      << text;
}

TEST(LimitText, WhatAStopInTheWarmUpHasLeftBehindIsNotExplainedByBusyProcs) {
  using enum Invalid;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.achieved_ops_per_sec = 1.35 * point.requested_ops_per_sec.value();
  point.invalid = {unsteady, ops_outstanding};
  const std::string text = reason_lines(point.invalid, result, &point);
  EXPECT_NE(text.find("a stop in the warm-up had left some behind: a longer --warmup or --duration\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("busy"), std::string::npos) << text;
}

TEST(LimitText, BusyProcsDoNotExplainALatencyThatChangesWithoutAnOverloadWhereHalfOfItIsService) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.invalid = {Invalid::unsteady};
  const std::string text = reason_lines(point.invalid, result, &point);
  EXPECT_NE(text.find("a longer --warmup or --duration\n"), std::string::npos) << text;
}

TEST(LimitText, ATargetThatNoLoadMeetsAsThisHostIsTheLimitIsInvalidFirst) {
  Curve curve = sample_curve();
  curve.answers[0].met = false;
  curve.answers[0].invalid = {Invalid::no_load_meets_target};
  const std::string met_by_none = result_text(sample_result(curve));
  EXPECT_TRUE(met_by_none.starts_with("None of these load points meets 2 ms")) << met_by_none;
  EXPECT_TRUE(met_by_none.ends_with("  none           none\n")) << met_by_none;
  curve.answers[0].invalid.push_back(Invalid::generator_limited);
  const std::string not_known = result_text(sample_result(curve));
  EXPECT_TRUE(not_known.starts_with("INVALID: None of these load points meets 2 ms")) << not_known;
  EXPECT_TRUE(not_known.ends_with("  none INVALID           none\n")) << not_known;
}

TEST(LimitText, ATargetThatNoLoadMeetsNamesTheHostOfTheLoadPointWithTheLowestLatency) {
  Curve curve = sample_curve();
  curve.answers[0].met = false;
  curve.answers[0].ops_per_sec = 0;
  curve.answers[0].invalid = {Invalid::no_load_meets_target, Invalid::generator_limited};
  Result result = sample_result(curve);
  result.host.cpus = 2;
  for (PointFigures& point : result.load_points) point.statistic.value = Millis(3), point.host_busy = 0.1;
  PointFigures& fastest = result.load_points[1];
  fastest.statistic.value = Millis(2.5);
  fastest.host_busy = 0.97, fastest.cpu_cores_used = 0.3;
  fastest.invalid = {Invalid::generator_limited};
  EXPECT_NE(result_text(result).find("\n  INVALID: generator_limited: edagen began ops too late; other programs "
                                     "used 1.6 of this host's 2 processors: take a quieter host\n"),
            std::string::npos)
      << result_text(result);
}

TEST(LimitText, ABusyHostIsNotMendedByMoreProcs) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points[0];
  point.host_busy = 0.97;
  point.invalid = {Invalid::ops_outstanding};
  EXPECT_EQ(reason_lines(point.invalid, result, &point).find("more procs"), std::string::npos);
}

TEST(LimitText, AnOverloadOfABusyHostHasTheHostsRemedyOnce) {
  using enum Invalid;
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points[0];
  point.host_busy = 0.97, point.cpu_cores_used = 1.9;
  point.invalid = {achieved_rate_low, proc_rate_low, unsteady, ops_outstanding};
  const std::string text = result_text(result);
  EXPECT_NE(text.find("are needed); edagen used 1.9 of this host's 2 processors: take more processors, or more hosts"),
            std::string::npos)
      << text;
  EXPECT_EQ(testing::count_of("of this host's", text), 1) << text;
  EXPECT_EQ(testing::count_of(": this host is busy, which may be why\n", text), 3) << text;
  for (const char* const other : {"more procs", "lower --rate", "--warmup"})
    EXPECT_EQ(text.find(other), std::string::npos) << text;
  point.invalid = {achieved_rate_low, generator_limited};
  EXPECT_EQ(testing::count_of("of this host's", result_text(result)), 1) << result_text(result);
}

TEST(LimitText, OtherProgramsThatUsedMostOfAHostAreNamedWhereEdagenWasLateThoughTheHostWasNotFull) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points[0];
  point.invalid.clear();
  point.latency.response.mean = Millis(0.1), point.latency.service.mean = Millis(0.06);
  point.generator_lag.mean = point.latency.lag.mean = Millis(0.04);
  point.host_busy = 0.75, point.cpu_cores_used = 0.1;
  EXPECT_NE(
      result_text(result).find("\n  other programs used 1.4 of this host's 2 processors, so that ops waited for a "
                               "processor: take a quieter host\n"),
      std::string::npos)
      << result_text(result);
  point.invalid = {Invalid::generator_limited};
  EXPECT_NE(result_text(result).find("; other programs used 1.4 of this host's 2 processors: take a quieter host\n"),
            std::string::npos)
      << result_text(result);
  point.invalid.clear();
  point.generator_lag.mean = point.latency.lag.mean = Millis(0.001);
  EXPECT_EQ(result_text(result).find("other programs"), std::string::npos) << "edagen was not late";
}

TEST(LimitText, TheHostIsShownAtAPointWhereItWasTheLimitThoughAValidOneIsNearer) {
  Curve curve = sample_curve();
  curve.answers[0].limit = RateLimit::host;
  curve.answers[0].invalid = {Invalid::generator_limited};
  curve.answers[0].demonstrated.reset();
  Result result = sample_result(curve);
  result.host.cpus = 2;
  for (PointFigures& point : result.load_points) {
    const bool is_last = &point == &result.load_points.back();
    point.host_busy = is_last ? 0.94 : 0.07;
    point.cpu_cores_used = is_last ? 1.8 : 0.1;
    if (is_last) point.invalid = {Invalid::generator_limited};
  }
  result.at_latency_target[0].ops_per_sec = result.load_points.front().achieved_ops_per_sec;
  EXPECT_TRUE(result_text(result).starts_with(
      "INVALID: this host is the limit: its 2 processors are 94 % busy (edagen used 1.8 of them), and the generator's"))
      << result_text(result);
}

TEST(LimitText, ALimitOfTheContainersProcessorsIsNamedAsTheLimitOfACurve) {
  Curve curve = sample_curve();
  curve.answers[0].limit = RateLimit::host;
  curve.answers[0].invalid = {Invalid::generator_limited, Invalid::not_demonstrated};
  curve.answers[0].demonstrated.reset();
  Result result = sample_result(curve);
  result.host.cpus = 64;
  for (PointFigures& point : result.load_points) {
    point.host_busy = 0.03, point.throttled_share = 0.4;
    point.invalid = {Invalid::generator_limited, Invalid::generator_paused};
  }
  const std::string text = result_text(result);
  EXPECT_TRUE(
      text.starts_with("INVALID: this host is the limit: the limit of processors of this container held edagen "
                       "up for 40 % of the time\n"))
      << text;
  EXPECT_NE(text.find("\n  INVALID: generator_limited, not_demonstrated: more processors for this container, or none "
                      "that are limited\n"),
            std::string::npos)
      << text;
}

TEST(LimitText, BusyProcsAreTheCauseOfAnOverloadWhereTheyOutweighTheDelayOfALateHost) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.latency.response.mean = Millis(600), point.latency.service.mean = Millis(0.1);
  point.latency.lag.mean = Millis(599.9), point.generator_lag.mean = Millis(70);
  for (GroupFigures& group : point.groups) group.procs = 1;
  point.achieved_ops_per_sec = 1e4, point.requested_ops_per_sec = 2e4;
  point.invalid = {Invalid::achieved_rate_low, Invalid::generator_limited};
  const std::string text = reason_lines(point.invalid, result, &point);
  EXPECT_NE(text.find("are needed): ops wait for busy procs: a lower --rate; or more procs"), std::string::npos)
      << text;
  EXPECT_NE(text.find("generator_limited: this host began ops 70.0 ms late"), std::string::npos) << text;
  EXPECT_NE(text.find(": busy procs do not catch up in an overload, so that edagen's short delays add up\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("busy procs, which may be why"), std::string::npos)
      << "that wait is no delay of edagen: " << text;
  point.generator_lag.mean = Millis(400);
  const std::string late = reason_lines(point.invalid, result, &point);
  EXPECT_NE(late.find(": edagen began ops too late, which may be why\n"), std::string::npos) << late;
}

TEST(LimitText, AWaitForProcsIsNamedBesideALateHostWhereItIsLonger) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.latency.response.mean = Millis(0.6), point.latency.service.mean = Millis(0.1);
  point.latency.lag.mean = Millis(0.5), point.generator_lag.mean = Millis(0.08);
  for (GroupFigures& group : point.groups) group.procs = 1;
  point.achieved_ops_per_sec = 1e4;
  point.invalid = {Invalid::generator_limited};
  const std::string waits = "\n  70 % of the response is waiting: ops wait until their proc has ended the op before\n";
  EXPECT_NE(result_text(result).find(waits), std::string::npos) << result_text(result);
  point.generator_lag.mean = Millis(0.4);
  EXPECT_EQ(result_text(result).find("of the response is waiting"), std::string::npos) << result_text(result);
}

}  // namespace
}  // namespace edagen
