#include "report/reason_text.hpp"

#include <gtest/gtest.h>

#include "report/terminal.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(ReasonText, OfALoadThatEndedInItsWarmUpNoWindowIsShown) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front() = PointFigures{};
  point.requested_ops_per_sec = 1000;
  point.warmup = Seconds(1.5);
  point.invalid = {Invalid::nothing_measured, Invalid::interrupted};
  const std::string text = result_text(result);
  EXPECT_TRUE(text.starts_with(
      "INVALID: eda_mixed, 10 clients on /mnt/a: no window was measured: nothing_measured, interrupted\n"))
      << text;
  EXPECT_NE(text.find("; nothing measured"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing_measured: no window was measured: the load ended after 1.5 s of its warm-up\n"),
            std::string::npos)
      << text;
}

/// What is said of the reason where this host of 8 processors was so busy, and edagen used `own` of them.
std::string reason_on_busy_host(Invalid reason, double busy, double own) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 8;
  PointFigures& point = result.load_points.front();
  point.hosts.clear();
  point.host_busy = busy, point.cpu_cores_used = own;
  point.invalid = {reason};
  return reason_lines(point.invalid, result, &point);
}

TEST(ReasonText, WhoUsedTheProcessorsIsSaidWhereThatExplainsAReason) {
  using enum Invalid;
  for (const Invalid reason : {achieved_rate_low, proc_rate_low, ops_outstanding, generator_limited, generator_paused,
                               unsteady, window_short}) {
    const std::string others = reason_on_busy_host(reason, 0.95, 1.2), own = reason_on_busy_host(reason, 0.95, 7);
    EXPECT_NE(others.find("; other programs used 6.4 of this host's 8 processors"), std::string::npos) << others;
    EXPECT_NE(own.find("; edagen used 7.0 of this host's 8 processors"), std::string::npos) << own;
    const bool is_named = reason_on_busy_host(reason, 0.85, 1.2).find("of this host's") != std::string::npos;
    EXPECT_EQ(is_named, reason == generator_limited) << "it had some left: " << to_string(reason);
  }
  for (const Invalid reason : {mix_off, errors, stuck_ops})
    EXPECT_EQ(reason_on_busy_host(reason, 1, 1.2).find("other programs used"), std::string::npos)
        << "it does not explain";
}

TEST(ReasonText, WhereARunWasCutOffNoOtherRemedyIsAdvised) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.invalid = {Invalid::achieved_rate_low, Invalid::unsteady, Invalid::interrupted};
  const std::string alone = reason_lines(point.invalid, result, &point);
  EXPECT_NE(alone.find("ended before its time, which may be why"), std::string::npos) << alone;
  result.failure = "host2 (rank 2): has not been heard of for 10 s";
  const std::string lost = reason_lines(point.invalid, result, &point);
  for (const std::string& text : {alone, lost})
    for (const char* const advice : {"a longer --warmup", "a lower --rate"})
      EXPECT_EQ(text.find(advice), std::string::npos) << text;
  EXPECT_NE(lost.find("the failure of the run may be why"), std::string::npos) << lost;
  EXPECT_NE(lost.find("run it again"), std::string::npos) << lost;
}

TEST(ReasonText, InAClosedLoopAMixThatIsOffHasNoLowerRateAsARemedy) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.invalid = {Invalid::mix_off};
  const auto text = [&] { return reason_lines(point.invalid, result, &point); };
  for (GroupFigures& group : point.groups) group.procs = 10'000;  // which are not busy
  EXPECT_NE(text().find(": a lower --rate or a longer --duration, and whole job sets"), std::string::npos) << text();
  point.requested_ops_per_sec.reset();
  EXPECT_NE(text().find(": a longer --duration, and whole job sets (--job-sets)\n"), std::string::npos) << text();
}

/// A load point on whose ops the generator's own delay was 0.6 ms.
CurvePoint late_point(std::optional<Nanos> target, Nanos delay = std::chrono::microseconds(600)) {
  RunStats stats = sample_point(1000, Purpose::load_point, 0).stats;
  for (int i = 0; i < 1000; ++i) stats.generator_lag.record(delay);
  return make_point(std::move(stats), {}, target, Purpose::load_point, 0);
}

TEST(ReasonText, TheLimitOfTheGeneratorsDelayIsTheOneOfTheTargetThatTheLoadPointWasMeasuredFor) {
  using namespace std::chrono_literals;
  Curve curve = sample_curve();
  curve.points = {late_point(2ms), late_point(5ms)};
  curve.answers = {curve.answers.front(), curve.answers.front()};
  curve.answers[1].target = 5ms;
  const Result result = sample_result(curve);
  const auto text_of = [&](std::size_t i) {
    const PointFigures& point = result.load_points.at(i);
    return reason_lines(point.invalid, result, &point);
  };
  EXPECT_NE(text_of(0).find("0.600 ms late on average (limit 0.200 ms)"), std::string::npos) << text_of(0);
  EXPECT_NE(text_of(1).find("0.600 ms late on average (limit 0.500 ms)"), std::string::npos) << text_of(1);
}

TEST(ReasonText, ADemonstrationThatThisHostHasSpoiltIsNotBlamedOnTheStorage) {
  Result result = sample_result(sample_curve());
  AnswerFigures& answer = result.at_latency_target.front();
  answer.invalid = {Invalid::not_demonstrated};
  PointFigures& last = result.load_points.back();
  last.purpose = Purpose::demonstration;
  const auto text = [&] { return reason_lines(answer.invalid, result, &last, &answer); };
  EXPECT_NE(text().find("less other load on the storage"), std::string::npos) << text();
  last.invalid = {Invalid::generator_paused};
  EXPECT_EQ(text().find("less other load on the storage"), std::string::npos) << text();
  EXPECT_NE(text().find("edagen was stopped, suspended or without a processor"), std::string::npos) << text();
  EXPECT_NE(text().find("quieter host"), std::string::npos) << text();
}

TEST(ReasonText, ADemonstrationThatThisHostHasSpoiltIsNamedForItsOwnAnswerAlone) {
  Result result = sample_result(sample_curve());
  AnswerFigures low = result.at_latency_target.front();
  low.ops_per_sec = 30'000;
  low.invalid = {Invalid::not_demonstrated};
  AnswerFigures high = low;
  high.ops_per_sec = 40'000;
  result.at_latency_target = {low, high};
  for (const bool is_of_low : {true, false}) {
    PointFigures shown = result.load_points.back();
    shown.purpose = Purpose::demonstration;
    shown.requested_ops_per_sec = is_of_low ? 29'500 : 39'500;
    shown.invalid = is_of_low ? std::vector{Invalid::generator_paused} : std::vector<Invalid>{};
    result.load_points.push_back(shown);
  }
  const auto text = [&](const AnswerFigures& answer) {
    return reason_lines(answer.invalid, result, &result.load_points.back(), &answer);
  };
  EXPECT_NE(text(low).find("quieter host"), std::string::npos) << text(low);
  EXPECT_NE(text(high).find("less other load on the storage"), std::string::npos) << text(high);
}

TEST(ReasonText, ALimitOfTheContainersProcessorsIsTheCauseAndTheRemedyOfALateEdagenToo) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 64;
  PointFigures& point = result.load_points.front();
  point.generator_lag.mean = Millis(12);
  point.host_busy = 0.03, point.throttled_share = 0.4;
  point.invalid = {Invalid::generator_limited, Invalid::generator_paused};
  const auto text = [&] { return reason_lines(point.invalid, result, &point); };
  const std::string cause = "the limit of processors of this container held edagen up for 40 % of the time",
                    remedy = ": more processors for this container, or none that are limited\n";
  EXPECT_NE(text().find("; " + cause + remedy), std::string::npos) << text();
  EXPECT_NE(text().find("generator_paused: " + cause + ", which is in all figures of this load point" + remedy),
            std::string::npos)
      << text();
  EXPECT_EQ(text().find("quieter host"), std::string::npos) << text();
  point.throttled_share = 0.001;
  point.invalid = {Invalid::generator_limited};
  EXPECT_NE(text().find("quieter host"), std::string::npos) << "so short a time explains nothing: " << text();
}

TEST(ReasonText, RealTimePriorityIsARemedyWhereItWasRefused) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.requested_ops_per_sec = 1000;
  point.generator_lag.mean = Millis(12);
  point.invalid = {Invalid::generator_limited};
  const auto text = [&] { return reason_lines(point.invalid, result, &point); };
  EXPECT_NE(text().find(": a quieter host or more processors\n"), std::string::npos) << text();
  point.real_time_refused = true;
  EXPECT_NE(text().find(": a quieter host or more processors; or real-time priority, which edagen was refused (ulimit "
                        "-r, or run as root)\n"),
            std::string::npos)
      << text();
}

TEST(ReasonText, TheSecondThatHasMostOfTheGeneratorsDelayIsNamed) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.invalid = {Invalid::generator_limited};
  point.requested_ops_per_sec = 1000;
  point.generator_lag.mean = Millis(0.06);
  point.intervals.clear();
  for (int i = 0; i < 20; ++i) {
    IntervalFigures& interval = point.intervals.emplace_back();
    interval.start = Seconds(i), interval.length = Seconds(1), interval.ops_per_sec = 1000;
    interval.generator_lag_mean = Millis(0.02);
  }
  const auto text = [&] { return reason_lines(point.invalid, result, &point); };
  EXPECT_EQ(text().find("most of it"), std::string::npos) << text();
  point.intervals[19].generator_lag_mean = Millis(0.8);
  EXPECT_NE(text().find(", most of it in 1 of 20 intervals (the worst began after 19 s)"), std::string::npos) << text();
}

TEST(ReasonText, AClosedLoopOnABusyHostHasTheRemedyOfWhoUsedItsProcessorsWhichIsSaidOnce) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points.front();
  point.requested_ops_per_sec.reset();
  point.invalid = {Invalid::generator_limited};
  point.host_busy = 1, point.cpu_cores_used = 0.4;
  const std::string others = result_text(result);
  EXPECT_NE(others.find("generator_limited: 2 processors are 100 % busy; other programs used 1.6 of this host's 2 "
                        "processors: take a quieter host\n"),
            std::string::npos)
      << others;
  EXPECT_EQ(others.find("of this host's"), others.rfind("of this host's")) << others;
  EXPECT_EQ(others.find("--max-workers"), std::string::npos) << others;
  point.cpu_cores_used = 1.9;
  EXPECT_NE(result_text(result).find(": take more processors, or more hosts\n"), std::string::npos)
      << result_text(result);
  result.host.cpus = 1, point.cpu_cores_used = 0.9;
  EXPECT_NE(result_text(result).find("generator_limited: the processor is 100 % busy; edagen used 0.9 of this host's "
                                     "processor: take more processors, or more hosts\n"),
            std::string::npos)
      << result_text(result);
  result.host.cpus = 2;
  point.host_busy = 0.5, point.cpu_cores_used = 0.5;
  EXPECT_NE(result_text(result).find("more workers (--max-workers)"), std::string::npos) << "procs waited for workers";
}

TEST(ReasonText, WhatEndedASearchComesFirstAndNoLongerSearchIsAdvised) {
  using enum Invalid;
  Curve curve = sample_curve();
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = {imprecise, not_demonstrated, too_many_errors};
  for (CurvePoint& point : curve.points) point.purpose = Purpose::block;
  Result result = sample_result(curve);
  PointFigures& last = result.load_points.back();
  last.errors = {{"ENOSPC", 31}};
  last.invalid = {errors, too_many_errors};
  const auto expect_behind = [&](const std::string& first_lines) {
    const std::string text = result_text(result);
    EXPECT_NE(text.find(first_lines + "  INVALID: errors: ops failed: 31 ENOSPC: the volume is full, or a quota is "),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("--search-time"), std::string::npos) << text;
  };
  expect_behind(": imprecise, not_demonstrated, too_many_errors\n");
  AnswerFigures& answer = result.at_latency_target[0];
  answer.limit = RateLimit::search_time;
  answer.invalid = {target_not_reached, not_demonstrated, too_many_errors};
  expect_behind(": target_not_reached, not_demonstrated, too_many_errors\n");
  answer.met = false;
  answer.ops_per_sec = 0;
  expect_behind("the lowest rate tried was 500 ops/s\n");
}

TEST(ReasonText, OpsThatFailOnAFullVolumeNeedRoomAndNoLogs) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.invalid = {Invalid::errors};
  point.errors = {{"ENOSPC", 31}};
  const auto text = [&] { return reason_lines(point.invalid, result, &point); };
  EXPECT_NE(text().find("ops failed: 31 ENOSPC: the volume is full, or a quota is used up"), std::string::npos)
      << text();
  point.errors["EIO"] = 1;
  EXPECT_NE(text().find("the logs of the storage"), std::string::npos) << text();
}

}  // namespace
}  // namespace edagen
