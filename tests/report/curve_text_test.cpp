// How the answers of curves are told.
#include <gtest/gtest.h>

#include "report/terminal.hpp"
#include "support/report_text.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(CurveText, ALoadPointOfACurveWithoutFiguresHasDashesInItsRow) {
  Result result = sample_result(sample_curve());
  PointFigures& point = result.load_points.back() = PointFigures{};
  point.requested_ops_per_sec = 1500;
  point.invalid = {Invalid::nothing_measured};
  const std::string text = result_text(result);
  const std::size_t row = text.find("\n  load point      1,500");
  ASSERT_NE(row, std::string::npos) << text;
  const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
  EXPECT_EQ(std::ranges::count(line, '-'), 5) << line;
}

TEST(CurveText, AnAnswerOfFixedPointsIsSaidToLieBetweenTwoOfThem) {
  EXPECT_NE(result_text(sample_result(sample_curve())).find("\n  between the load points at 39,000 and 40,000 ops/s\n"),
            std::string::npos);
}

TEST(CurveText, EachInvalidLoadPointThatWasAskedForHasItsReasonsInTheTableAndTheFirstLines) {
  Curve curve = sample_curve();
  for (CurvePoint& point : curve.points) point.invalid.clear();
  curve.points[1].invalid = {Invalid::unsteady};
  curve.points[2].invalid = {Invalid::achieved_rate_low, Invalid::unsteady};
  curve.answers[0].ops_per_sec = 1200;
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(first_lines(text).find("\n  1 of 2 load points (at 1,000 ops/s):\n  INVALID: unsteady: the latency "
                                   "still changed during the window: "),
            std::string::npos)
      << text;
  EXPECT_EQ(first_lines(text).find("achieved_rate_low"), std::string::npos) << "an overload beyond the answer\n"
                                                                            << text;
  EXPECT_NE(text.find("  no: 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  no: 2 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  no: 1 = unsteady, 2 = achieved_rate_low\n"), std::string::npos) << text;
}

TEST(CurveText, FixedLoadPointsWithoutFiguresDoNotSayThatNoneMeetsTheTarget) {
  Curve curve = sample_curve();
  AtTarget& answer = curve.answers[0];
  answer.met = false;
  answer.ops_per_sec = 0;
  answer.limit = RateLimit::search_time;
  answer.demonstrated.reset();
  const std::string text = result_text(sample_result(curve));
  EXPECT_TRUE(
      text.starts_with("Cannot tell whether /mnt/a sustains eda_mixed at 2 ms mean response: the load points "
                       "that might meet it have no figures\n"))
      << text;
  EXPECT_TRUE(text.ends_with("not known\n")) << text;
  answer.lowest_latency = std::chrono::microseconds(2300), answer.lowest_latency_rate = 1000;
  EXPECT_NE(first_lines(result_text(sample_result(curve)))
                .find("have no figures\n  the lowest latency of the others is 2.30 ms, at 1,000 ops/s\n"),
            std::string::npos);
  answer.lowest_latency = {};
  answer.limit = RateLimit::host;
  for (CurvePoint& point : curve.points) point.invalid = {Invalid::generator_paused};
  EXPECT_TRUE(result_text(sample_result(curve))
                  .starts_with("INVALID: this host is the limit: edagen was paused while it measured\n"));
}

TEST(CurveText, TheLastLinesOfACurveAreTheTableOfThePublishedFigures) {
  Result result = sample_result(sample_curve());
  result.load_points.front().purpose = Purpose::block;
  const std::string text = result_text(result);
  EXPECT_TRUE(
      text.starts_with("/mnt/a sustains 39,601 ops/s and 692 MiB/s of eda_mixed at 2 ms mean response\n"
                       "  95 % confidence interval 39,000 to 40,000 ops/s (±1.3 %)\n"))
      << text;
  EXPECT_TRUE(
      text.ends_with("Scenario                         I/O rate at 2 ms  MiB/s at 2 ms\n"
                     "eda_mixed, 10 clients on /mnt/a            39,601            692\n"))
      << text;
}

TEST(CurveText, AnAnswerSaysWhatDemonstratesIt) {
  Curve curve = sample_curve();
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("  demonstrated: 1,000 ops/s for 2 s, at 2.00 ms\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nThe load point of 1,000 ops/s:\n  latency in ms"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  Response by kind of op, in ms\n  op "), std::string::npos) << text;
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = {Invalid::not_demonstrated};
  const std::string without = result_text(sample_result(curve));
  EXPECT_EQ(without.find("\n  demonstrated:"), std::string::npos) << without;
  EXPECT_EQ(without.find("The load point of"), std::string::npos) << without;
  EXPECT_NE(without.find("\n  INVALID: not_demonstrated: no valid load point of full length"), std::string::npos)
      << without;
}

TEST(CurveText, KindsOfOpShowTheirShareWithinTheTarget) {
  Curve curve = sample_curve();
  EXPECT_EQ(result_text(sample_result(curve)).find("in target %"), std::string::npos) << "no point has a target";
  curve.points[1].within_target_share = {{OpKind::read_rand, 0.875}};
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("in target %\n"), std::string::npos) << text;
  EXPECT_NE(text.find("87.5\n"), std::string::npos) << text;
}

TEST(CurveText, AHostThatIsTheLimitIsNotBlamedForADelayThatTheNearestLoadPointHadNot) {
  Curve curve = sample_curve();
  curve.answers[0].limit = RateLimit::host;
  curve.answers[0].invalid = {Invalid::generator_limited};
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("generator_limited: edagen was late or paused in load points near the rate: "), std::string::npos)
      << text;
  EXPECT_EQ(text.find("this host woke edagen"), std::string::npos) << text;
}

TEST(CurveText, WhatLimitedASearchComesBeforeItsReasonsWhichThenHaveNoRemedyOfTheirOwn) {
  Curve curve = sample_curve();
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = {Invalid::imprecise, Invalid::not_demonstrated};
  Result result = sample_result(curve);
  result.host.cpus = 2;
  result.at_latency_target[0].confidence_95 = Interval95{20'000, 60'000};
  PointFigures& last = result.load_points.back();
  last.purpose = Purpose::demonstration;
  last.invalid.clear();
  last.latency.response.mean = Millis(4), last.latency.service.mean = Millis(0.03);
  last.latency.lag.mean = Millis(3.97), last.generator_lag.mean = Millis(0.01);
  last.host_busy = 1;
  for (const double own : {1.9, 0.4}) {
    last.cpu_cores_used = own;
    const std::string text = result_text(result);
    const std::string cause =
        own > 1 ? "\n  edagen used 1.9 of this host's 2 processors, so that ops waited for a processor: take "
                  "more processors, or more hosts\n"
                : "\n  other programs used 1.6 of this host's 2 processors, so that ops waited for a "
                  "processor: take a quieter host\n";
    ASSERT_NE(text.find(cause), std::string::npos) << text;
    ASSERT_NE(text.find("INVALID: imprecise: the confidence interval is wider than ±10 %\n"), std::string::npos)
        << text;
    EXPECT_LT(text.find(cause), text.find("INVALID: imprecise: the confidence interval is wider than ±10 %\n")) << text;
    EXPECT_EQ(text.find("--search-time"), std::string::npos) << "one remedy: " << text;
    EXPECT_EQ(text.find("more procs"), std::string::npos) << "one remedy: " << text;
    EXPECT_EQ(text.find(cause), text.rfind(cause)) << "once: " << text;
  }
  last.host_busy = 0.3;
  const std::string quiet = result_text(result);
  EXPECT_EQ(quiet.find("waited for a processor"), std::string::npos) << quiet;
}

TEST(CurveText, AnImpreciseAnswerSaysWhyAndAdvisesWhatMendsThat) {
  Curve curve = sample_curve();
  curve.answers[0].invalid = {Invalid::imprecise};
  Result result = sample_result(curve);
  for (PointFigures& point : result.load_points) point.latency.lag.mean = Millis(0);  // no op waits for its proc
  AnswerFigures& answer = result.at_latency_target[0];
  const auto expect = [&](double half_width, const std::string& line) {
    answer.confidence_95 = {answer.ops_per_sec * (1 - half_width), answer.ops_per_sec * (1 + half_width)};
    EXPECT_NE(result_text(result).find("INVALID: imprecise: " + line), std::string::npos) << result_text(result);
  };
  expect(0.2,
         "the confidence interval is wider than ±10 %: a longer search (--search-time), or less other load on the "
         "storage\n");
  expect(0.02,
         "blocks are too few, or too short for a latency so far above the idle one: a lower --latency-target, or a");
  answer.statistic = "p99.9";
  expect(0.02,
         "blocks hold too few ops over the percentile, or are too short for a latency so far above the idle one: a");
  result.status = Status::interrupted;
  EXPECT_NE(result_text(result).find(": the run was ended before its time\n"), std::string::npos);
}

TEST(CurveText, AnInvalidAnswerSaysWhyWhetherTheTargetIsReachedOrNot) {
  Curve curve = sample_curve();
  curve.answers[0].invalid = {Invalid::imprecise};
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("\n  INVALID: imprecise: blocks are too few, or too short for a latency so far above the idle "
                      "one: a lower"),
            std::string::npos)
      << text;
  curve.answers[0].limit = RateLimit::procs;
  curve.answers[0].invalid = {Invalid::target_not_reached};
  EXPECT_NE(result_text(sample_result(curve)).find(": target_not_reached\n  a lower bound: all procs are busy"),
            std::string::npos);
}

TEST(CurveText, TheHeadlineOfAnInvalidAnswerSaysSoFirstAndClaimsNothing) {
  Curve curve = sample_curve();
  curve.answers[0].invalid = {Invalid::not_demonstrated, Invalid::imprecise};
  Result result = sample_result(curve);
  for (PointFigures& point : result.load_points) point.latency.lag.mean = Millis(0);  // no op waits for its proc
  const std::string text = result_text(result);
  EXPECT_TRUE(
      text.starts_with("INVALID: about 39,601 ops/s and 692 MiB/s of eda_mixed at 2 ms mean response on /mnt/a: "
                       "not_demonstrated, imprecise\n  INVALID: not_demonstrated: "))
      << text;
  EXPECT_EQ(text.find("sustains"), std::string::npos) << text;
  EXPECT_LT(text.find("  INVALID: imprecise: "), text.find("  between the load points")) << "the remedy comes early";
}

TEST(CurveText, ARateThatIsALowerBoundSaysWhatTheLimitIs) {
  Curve curve = sample_curve();
  const auto text_with = [&](RateLimit limit) {
    curve.answers[0].limit = limit;
    curve.answers[0].invalid = {Invalid::target_not_reached};
    Result result = sample_result(curve);
    result.host.cpus = 2;
    result.load_points.back().host_busy = 0.97;
    result.load_points.back().generator_lag.mean = Millis(0.5);
    return result_text(result);
  };
  for (const auto& [limit, said] : {std::pair(RateLimit::highest_rate,
                                              "the highest of the points given is 1,500 ops/s, and none is over the "
                                              "target: take higher --points, or a search (without --points)\n"),
                                    std::pair(RateLimit::procs, "all procs are busy: use more procs")}) {
    const std::string text = text_with(limit);
    EXPECT_NE(text.find("INVALID: at least 39,601 ops/s and 692 MiB/s of eda_mixed at 2 ms mean response on /mnt/a: "
                        "target_not_reached\n  a lower bound: " +
                        std::string(said)),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("confidence interval"), std::string::npos) << text;
    EXPECT_NE(text.find("> 39,601"), std::string::npos) << text;
  }
}

TEST(CurveText, AnAnswerThatThisHostLimitsBeginsWithThatAndHasNoRate) {
  Curve curve = sample_curve();
  curve.answers[0].limit = RateLimit::host;
  curve.answers[0].invalid = {Invalid::generator_limited, Invalid::imprecise, Invalid::not_demonstrated};
  curve.answers[0].demonstrated.reset();
  Result result = sample_result(curve);
  result.host.cpus = 2;
  result.load_points.back().host_busy = 0.97;
  result.load_points.back().generator_lag.mean = Millis(0.5);
  const std::string text = result_text(result);
  EXPECT_TRUE(text.starts_with(
      "INVALID: this host is the limit: its 2 processors are 97 % busy (other programs used 1.9 of them), and the "
      "generator's own delay is 0.500 ms at 1,500 ops/s\n  the rate of eda_mixed on /mnt/a at 2 ms mean response is "
      "not known\n"))
      << text;
  EXPECT_NE(text.find("\n  INVALID: generator_limited, imprecise, not_demonstrated: take a quieter host\n"),
            std::string::npos)
      << "one remedy: " << text;
  EXPECT_EQ(text.find("39,601"), std::string::npos) << text;
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_NE(last.find("this host is the limit"), std::string::npos) << last;
}

TEST(CurveText, LoadPointsThatWereAskedForHaveNoLongerSearchAsARemedy) {
  Curve curve = sample_curve();
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = {Invalid::not_demonstrated};
  for (CurvePoint& point : curve.points) point.invalid = {Invalid::window_short};
  Result result = sample_result(curve);
  for (PointFigures& point : result.load_points)
    for (GroupFigures& group : point.groups) group.procs = 10'000;  // which are not busy
  const std::string text = result_text(result);
  EXPECT_NE(text.find("met the target near the rate: what helps the load points that are invalid\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("longer search"), std::string::npos) << text;
}

TEST(CurveText, ATargetThatIsNotMetSaysTheLowestLatency) {
  Curve curve = sample_curve();
  curve.answers[0].met = false;
  curve.answers[0].invalid = {Invalid::no_load_meets_target};
  curve.answers[0].lowest_latency = std::chrono::microseconds(2300);
  curve.answers[0].lowest_latency_rate = 500;
  for (CurvePoint& point : curve.points) point.latency = Millis(2.5);
  const std::string text = result_text(sample_result(curve));
  EXPECT_TRUE(
      text.starts_with("None of these load points meets 2 ms mean response on /mnt/a (eda_mixed); the lowest latency "
                       "is 2.30 ms, at 500 ops/s\n"
                       "  take a latency target above 2.30 ms (--latency-target), or lower --points\n"))
      << text;
  EXPECT_TRUE(text.ends_with("none           none\n")) << text;
  for (CurvePoint& point : curve.points) point.purpose = Purpose::climb;
  const std::string searched = result_text(sample_result(curve));
  EXPECT_TRUE(
      searched.starts_with("No load meets 2 ms mean response on /mnt/a (eda_mixed); the lowest latency is 2.30 ms, at "
                           "500 ops/s\n  take a latency target above 2.30 ms (--latency-target)\n\n"))
      << searched;
  for (CurvePoint& point : curve.points) point.invalid = {Invalid::achieved_rate_low};
  EXPECT_EQ(result_text(sample_result(curve)).find("a latency target above"), std::string::npos)
      << "an overload shows no latency that a target could be above";
}

TEST(CurveText, ATargetThatLoadsMetOnlyBeforeTheVolumeBecameSlowSaysSo) {
  Curve curve = sample_curve();
  for (CurvePoint& point : curve.points) {
    point.purpose = Purpose::climb;
    point.invalid.clear();
    point.latency = Millis(3);
  }
  curve.points[1].latency = Millis(0.5);
  curve.answers[0].met = false;
  curve.answers[0].invalid = {Invalid::no_load_meets_target};
  curve.answers[0].lowest_latency = std::chrono::milliseconds(3);
  curve.answers[0].lowest_latency_rate = 500;
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("; the lowest latency is 3.00 ms, at 500 ops/s\n"
                      "  earlier in the search 1 of 3 loads met it (0.500 ms at 1,000 ops/s), and none since: search "
                      "again\n"),
            std::string::npos)
      << text;
  curve.points[1].latency = Millis(3), curve.points[0].latency = Millis(1.9);
  EXPECT_EQ(result_text(sample_result(curve)).find("earlier in the search"), std::string::npos)
      << "at the lowest rate by chance";
}

TEST(CurveText, ASearchThatWasKilledIsACurveWithoutAnAnswer) {
  Curve curve = sample_curve();
  curve.points[0].purpose = Purpose::climb;
  Result result = sample_result(curve);
  result.at_latency_target.clear();
  const std::string text = result_text(result, true);
  EXPECT_NE(text.find("The curve was not finished"), std::string::npos) << text;
  EXPECT_NE(text.find("climb"), std::string::npos) << text;
}

TEST(CurveText, TheStepsOfASearchAreCountedAndShownOnRequest) {
  Curve curve = sample_curve();
  curve.points[0].purpose = Purpose::climb;
  curve.points[1].purpose = Purpose::demonstration;
  for (int i = 0; i < 12; ++i) {
    curve.points.push_back(curve.points[2]);
    curve.points.back().purpose = Purpose::block;
  }
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("and 13 blocks of the search (-v shows them)"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  demonstration "), std::string::npos) << text;
  EXPECT_EQ(text.find("\n  block "), std::string::npos) << text;
  EXPECT_EQ(text.find("\n  climb "), std::string::npos) << text;
  EXPECT_NE(result_text(sample_result(curve), true).find("\n  block "), std::string::npos);
}

TEST(CurveText, ALowerBoundOfJobSetsSaysWhichLimitItMet) {
  Result result = sample_result(sample_curve());
  result.at_latency_target[0].limit = RateLimit::highest_rate;
  for (PointFigures& point : result.load_points) point.active_job_sets = 9;
  EXPECT_NE(result_text(result).find("take higher --points"), std::string::npos) << "one is left";
  result.load_points.front().purpose = Purpose::climb;
  EXPECT_NE(result_text(result).find("raise --max-rate"), std::string::npos) << "of a search";
  result.load_points.back().active_job_sets = 10;
  EXPECT_NE(result_text(result).find("add job sets"), std::string::npos);
}

TEST(CurveText, TheRateOfASearchThatAddsJobSetsIsSaidToLieBetweenWholeOnes) {
  Curve curve = sample_curve();
  for (CurvePoint& point : curve.points) point.purpose = Purpose::block;
  Result result = sample_result(curve);
  result.at_latency_target[0].ops_per_sec = 1200;
  EXPECT_EQ(result_text(result).find("job set"), std::string::npos);
  for (std::size_t i = 0; i < result.load_points.size(); ++i) result.load_points[i].active_job_sets = i + 1;
  EXPECT_NE(result_text(result).find("\n  between 2 and 3 job sets of 500 ops/s each\n"), std::string::npos)
      << result_text(result);
}

TEST(CurveText, ALowerBoundOfWhatWasEndedEarlyAdvisesNeitherAHigherRateNorALongerSearch) {
  Result result = sample_result(sample_curve());
  result.at_latency_target[0].limit = RateLimit::search_time;
  const std::string said = "a lower bound: it was ended before a higher rate was measured\n";
  for (const Status status : {Status::interrupted, Status::failed, Status::complete})  // the last by an op that hangs
    EXPECT_NE((result.status = status, result_text(result)).find(said), std::string::npos) << result_text(result);
}

TEST(CurveText, ASearchThatEndedBeforeALoadMetTheTargetSaysHowLowItTried) {
  Curve curve = sample_curve();
  for (CurvePoint& point : curve.points) point.purpose = Purpose::climb;
  curve.answers[0].ops_per_sec = 0;
  curve.answers[0].limit = RateLimit::search_time;
  const std::string text = result_text(sample_result(curve));
  EXPECT_TRUE(
      text.starts_with("Cannot tell whether /mnt/a sustains eda_mixed at 2 ms mean response: the search ended "
                       "before a load met it\n  the lowest rate tried was 500 ops/s;"))
      << text;
  curve.answers[0].invalid = {Invalid::target_not_reached, Invalid::imprecise};
  const std::string invalid = result_text(sample_result(curve));
  EXPECT_TRUE(invalid.starts_with("INVALID: Cannot tell whether ")) << invalid;
  EXPECT_NE(invalid.find("before a load met it: target_not_reached, imprecise\n"), std::string::npos) << invalid;
  curve.answers[0].met = false;
  curve.answers[0].lowest_latency = std::chrono::microseconds(2300);
  curve.answers[0].lowest_latency_rate = 1000;
  const std::string seen = result_text(sample_result(curve));
  EXPECT_NE(
      seen.find("\n  the lowest rate tried was 500 ops/s, and the lowest latency 2.30 ms, at 1,000 ops/s; a longer "
                "search (--search-time) or a latency target above that latency shows more\n"),
      std::string::npos)
      << seen;
}

}  // namespace
}  // namespace edagen
