#include "report/terminal.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/reason_text.hpp"
#include "support/hostile.hpp"
#include "support/paths.hpp"
#include "support/report_text.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace testing;

/// Longest line, in bytes.
std::size_t width_of(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    width = std::max(width, end - at);
    at = end + 1;
  }
  return width;
}

TEST(Terminal, ARunBeginsWithTheAnswerInASentenceAndWhyItIsInvalidWithARemedy) {
  const std::string text = first_lines(result_text(sample_result(single_point_curve())));
  EXPECT_TRUE(
      text.starts_with("INVALID: eda_mixed, 10 clients on /mnt/a: 1,000 ops/s and 7.8 MiB/s at 2.00 ms mean response: "
                       "errors\n"
                       "  1,000 ops/s requested (100.0 % reached); 2 s measured"))
      << text;
  EXPECT_NE(text.find("\n  INVALID: errors: ops failed: 1 ESTALE: the logs of the storage"), std::string::npos) << text;
  Result late = sample_result(single_point_curve());
  late.load_points[0].invalid = {Invalid::generator_limited};
  late.load_points[0].generator_lag.mean = Millis(0.12);
  late.load_points[0].generator_lag_limit = LagLimitFigures{.statistic = "mean", .value = Millis(0.1)};
  EXPECT_NE(result_text(late).find("INVALID: generator_limited: this host began ops 0.120 ms late on average (limit "
                                   "0.100 ms): a quieter host or more processors"),
            std::string::npos)
      << result_text(late);
}

TEST(Terminal, ARunThatTookLongerThanAskedForNamesTheWarmUpAndTheWindowThatTrended) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  EXPECT_EQ(result_text(result).find("trended"), std::string::npos) << result_text(result);
  point.warmup = Seconds(25.002);
  point.first_window = Seconds(20);
  EXPECT_NE(result_text(result).find(
                " processors used by edagen; as the latency trended, a first window of 20 s does not count\n"),
            std::string::npos)
      << result_text(result);
  point.longer_warmup = Seconds(5);
  EXPECT_NE(result_text(result).find("; as the latency trended, the warm-up took 5 s longer than asked for and a first "
                                     "window of 20 s does not count\n"),
            std::string::npos)
      << result_text(result);
  point.first_window = Seconds(0);
  EXPECT_NE(result_text(result).find("; as the latency trended, the warm-up took 5 s longer than asked for\n"),
            std::string::npos)
      << result_text(result);
}

TEST(Terminal, ServiceAndTheGeneratorsDelayStandBesideTheResponse) {
  Result result = sample_result(single_point_curve());
  result.load_points[0].generator_lag.mean = Millis(0.5);
  const std::string text = result_text(result);
  EXPECT_NE(text.find("\n  response            2.00 "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  service             1.00 "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  generator's delay  0.500 "), std::string::npos) << text;
  EXPECT_NE(text.find("25 % of the response"), std::string::npos) << text;
}

TEST(Terminal, TheSentenceOfARunNamesTheGeneratorsShareOfTheResponseWhereItIsNotSmall) {
  Result result = sample_result(single_point_curve());
  result.load_points[0].latency.response.mean = Millis(0.06);
  result.load_points[0].generator_lag.mean = Millis(0.03);
  EXPECT_NE(result_text(result).find(" at 0.0600 ms mean response, of which 50 % is the generator's own delay"),
            std::string::npos)
      << result_text(result);
  result.load_points[0].generator_lag.mean = Millis(0.005);
  EXPECT_EQ(result_text(result).find("mean response, of which"), std::string::npos) << result_text(result);
}

TEST(Terminal, ALoadPointThatWasNotOverShowsNoFiguresThatNobodyKnows) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.back();
  point.purpose = Purpose::incomplete;
  point.requested_ops_per_sec = std::nullopt;
  const std::string text = result_text(result);
  EXPECT_NE(text.find("cut off after "), std::string::npos) << text;
  EXPECT_NE(text.find("the highest p99 of an interval"), std::string::npos) << text;
  for (const char* const unknown : {"closed loop", "p50", "by kind of op"})
    EXPECT_EQ(text.find(unknown), std::string::npos) << unknown << "\n" << text;
}

TEST(Terminal, ALoadPointThatWasCutOffBeforeAnOpEndedHasNoPercentile) {
  Result result = sample_result(single_point_curve());
  result.load_points.back().purpose = Purpose::incomplete;
  result.load_points.back().operations = 0;
  EXPECT_NE(result_text(result).find("\n  cut off after 2 s\n"), std::string::npos) << result_text(result);
}

TEST(Terminal, AJournalWithoutAnEndBeginsWithWhenItsRunWasCutOffAndWhichLoadPointsAreWhole) {
  Result result = sample_result(sample_curve());
  result.status = Status::incomplete;
  result.started_at = "2026-01-31T12:00:00Z";
  result.at_latency_target.clear();
  EXPECT_TRUE(result_text(result).starts_with(
      "This run was cut off: it began at 2026-01-31T12:00:00Z and ended without a result, after its last whole load "
      "point\n  whole: 3 load points, at 500 ops/s, 1,000 ops/s, 1,500 ops/s\n"))
      << result_text(result);
  result.load_points.front().purpose = Purpose::incomplete;
  result.load_points.front().seconds = Seconds(12);
  const std::string text = result_text(result);
  EXPECT_NE(first_lines(text).find(", 12 s into the load point at 500 ops/s\n  whole: 2 load points, at 1,000 ops/s, "
                                   "1,500 ops/s\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  incomplete "), std::string::npos) << "all load points are in a table: " << text;
  result.load_points.resize(1);
  EXPECT_NE(result_text(result).find("\n  no load point is whole\n"), std::string::npos) << result_text(result);
  result.load_points.clear();
  EXPECT_NE(result_text(result).find(", before anything was measured\n"), std::string::npos) << result_text(result);
  EXPECT_EQ(result_text(sample_result(sample_curve())).find("cut off"), std::string::npos);
}

TEST(Terminal, TablesHave80Columns) {
  Curve curve = sample_curve();
  curve.points[0].purpose = Purpose::climb;
  Result result = sample_result(curve);
  for (PointFigures& point : result.load_points) {
    point.achieved_ops_per_sec = 1'643'600;
    point.requested_ops_per_sec = 1'643'600;
    point.mib_per_sec = 10'192;
    point.latency.response.p99 = Millis(6259);
    point.invalid = {Invalid::achieved_rate_low, Invalid::unsteady, Invalid::ops_outstanding};
  }
  const std::string curve_text = result_text(result, true);
  const std::size_t table = curve_text.find("\n  purpose"), end = curve_text.find("\n\n", table);
  EXPECT_LE(width_of(curve_text.substr(table, end - table)), 80u) << curve_text;
  Result run = sample_result(single_point_curve());
  const std::string run_text = result_text(run);
  const std::size_t ops = run_text.find("\n  op, INVALID "), ops_end = run_text.find("\n\n", ops);
  ASSERT_NE(ops, std::string::npos) << run_text;
  EXPECT_LE(width_of(run_text.substr(ops, ops_end - ops)), 80u) << run_text;
}

TEST(Terminal, EachReasonHasASentenceARemedyAndAnEntryInTroubleshooting) {
  const std::string docs = text_of(source_path("docs/troubleshooting.md"));
  ASSERT_FALSE(docs.empty());
  for (std::size_t i = 0; i < enum_names<Invalid>.size(); ++i) {
    const auto reason = static_cast<Invalid>(i);
    EXPECT_GT(reason_text(reason).size(), 20u) << to_string(reason);
    EXPECT_NE(docs.find(std::string("`") + std::string(to_string(reason)) + "`"), std::string::npos)
        << to_string(reason);
  }
  for (const int status : {0, 1, 2, 3, 4, 5, 6, 130})
    EXPECT_NE(docs.find("| " + std::to_string(status) + " |"), std::string::npos) << status;
}

TEST(Terminal, OpsThatHadNotEndedAreInTheResponseAlone) {
  Result result = sample_result(single_point_curve());
  result.load_points.front().ops_outstanding = 112;
  const std::string text = result_text(result);
  EXPECT_NE(text.find("\n  response and the row \"all\" count 112 ops that had not ended, with their age"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("response = service"), std::string::npos) << text;
}

TEST(Terminal, ResponsesThatCountOpsThatHadNotEndedAreAtLeastWhatStandsThere) {
  Result result = sample_result(single_point_curve());
  EXPECT_EQ(result_text(result).find("> 2"), std::string::npos) << result_text(result);
  PointFigures& point = result.load_points.front();
  point.ops_outstanding = point.operations / 50;  // fewer than the slowest 5 %, more than the slowest 1 %
  const std::string text = result_text(result);
  const std::size_t row = text.find("\n  response ");
  ASSERT_NE(row, std::string::npos) << text;
  EXPECT_EQ(testing::count_of("> ", text.substr(row, text.find('\n', row + 1) - row)), 3) << "mean, p99, max: " << text;
  EXPECT_TRUE(text.substr(0, text.size() - 1).ends_with("  > 2.00")) << text;
}

TEST(Terminal, APauseOfEdagenIsSaidToBeInTheFiguresAndNothingIsLaidToTheStorage) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.invalid = {Invalid::achieved_rate_low, Invalid::generator_paused, Invalid::unsteady, Invalid::ops_outstanding};
  for (const bool open_loop : {true, false}) {
    if (!open_loop) point.requested_ops_per_sec.reset();
    const std::string text = result_text(result);
    EXPECT_NE(text.find(" at 2.00 ms mean response, with a pause of edagen in them: achieved_rate_low, "),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\n  a pause of edagen is in all of these: they do not tell what the storage's part is\n"),
              std::string::npos)
        << text;
    for (const char* const reason : {"achieved_rate_low", "unsteady", "ops_outstanding"}) {
      const std::size_t line = text.find(std::string("INVALID: ") + reason), end = text.find('\n', line);
      ASSERT_NE(line, std::string::npos) << text;
      EXPECT_TRUE(text.substr(0, end).ends_with(": edagen's pause may be why")) << text;
    }
    for (const char* const blame :
         {"response = service", "% of the response", "faster than they end", "the storage answers", "lower --rate"})
      EXPECT_EQ(text.find(blame), std::string::npos) << blame << "\n" << text;
  }
}

TEST(Terminal, APauseOfEdagenIsSaidToBeInTheFiguresOfASweep) {
  Curve curve = sample_sweep();
  EXPECT_EQ(result_text(sample_result(curve)).find("pause"), std::string::npos);
  curve.points.back().invalid.push_back(Invalid::generator_paused);
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find(" mean response, with a pause of edagen in them ("), std::string::npos) << text;
}

TEST(Terminal, WhereNoOpOrTooFewEndedThereAreNoFiguresAndNoZeros) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.seconds = Seconds(0.063);
  point.invalid = {Invalid::interrupted};
  point.operations = 3;
  std::string text = result_text(result);
  EXPECT_TRUE(
      text.starts_with("INVALID: eda_mixed, 10 clients on /mnt/a: 3 ops ended, too few for figures: interrupted\n"
                       "  1,000 ops/s requested; 63 ms measured"))
      << text;
  EXPECT_TRUE(text.ends_with("    - INVALID      -        -\n")) << text;
  point = PointFigures{};
  point.requested_ops_per_sec = 1000;
  point.seconds = Seconds(2);
  point.invalid = {Invalid::nothing_measured};
  text = result_text(result);
  EXPECT_TRUE(text.starts_with("INVALID: eda_mixed, 10 clients on /mnt/a: no op ended: nothing_measured\n")) << text;
  for (const char* const zero : {"0.0000", " 0 ops/s", "0.0 %"})
    EXPECT_EQ(text.find(zero), std::string::npos) << zero << "\n" << text;
}

TEST(Terminal, MoreOpsThanWereDueAreSaidToBeWhatAStopLeftBehind) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.front();
  point.achieved_ops_per_sec = 1.35 * point.requested_ops_per_sec.value();
  point.invalid = {Invalid::unsteady};
  EXPECT_NE(result_text(result).find("INVALID: unsteady: more ops ended than were due"), std::string::npos);
}

TEST(Terminal, AVerySmallShareOfLostRacesIsWrittenInDigits) {
  Result result = sample_result(single_point_curve());
  result.load_points.back().lost_races = 1, result.load_points.back().operations = 20'000'000;
  EXPECT_NE(result_text(result).find("  below 0.001 % of the ops (1) "), std::string::npos) << result_text(result);
}

TEST(Terminal, WhatWasLostIsANote) {
  Result result = sample_result(single_point_curve());
  result.notes = {"journal j.jsonl: 3 lines are missing: No space left on device"};
  EXPECT_NE(result_text(result).find("\nNote: journal j.jsonl: 3 lines are missing"), std::string::npos);
}

TEST(Terminal, TheLastLinesOfARunAreTheAnswerInTheQuotedForm) {
  const std::string text = result_text(sample_result(single_point_curve()));
  EXPECT_NE(text.find("INVALID: errors"), std::string::npos) << text;
  EXPECT_TRUE(
      text.ends_with("Scenario                         I/O rate, ops/s  MiB/s  mean ms\n"
                     "eda_mixed, 10 clients on /mnt/a    1,000 INVALID    7.8     2.00\n"))
      << text;
}

TEST(Terminal, OpsThatHaveNotEndedHaveARowAsTheyAreOfNoKind) {
  Result result = sample_result(single_point_curve());
  EXPECT_EQ(result_text(result).find("not ended"), std::string::npos);
  result.load_points[0].seconds = Seconds(10);
  result.load_points[0].ops_outstanding = 12'340;
  const std::string text = result_text(result);
  EXPECT_NE(text.find("\n  not ended    1,234\n"), std::string::npos) << text;
  EXPECT_NE(text.find("the row \"all\" count 12,340 ops that had not ended"), std::string::npos) << text;
  result.load_points[0].outstanding_age = LatencyFigures{.mean = Millis(900), .p99 = Millis(1500), .max = Millis(2000)};
  const std::string aged = result_text(result);
  EXPECT_NE(aged.find("\n  not ended    1,234"), std::string::npos) << aged;
  for (const char* const age : {"> 900", "> 1,500", "> 2,000"}) EXPECT_NE(aged.find(age), std::string::npos) << aged;
}

TEST(Terminal, TheWaitForProcsIsARowOfTheLatencies) {
  const std::string text = result_text(sample_result(single_point_curve()));
  EXPECT_NE(text.find("\n  waiting for procs "), std::string::npos) << text;
}

TEST(Terminal, WhereTheGeneratorIsWhyOpsWaitNoMoreProcsAreAdvised) {
  for (const Invalid reason : {Invalid::generator_paused, Invalid::generator_limited}) {
    Result result = sample_result(single_point_curve());
    result.load_points[0].invalid = {reason};
    EXPECT_EQ(result_text(result).find("more procs"), std::string::npos) << result_text(result);
  }
}

TEST(Terminal, WhereThisHostHasNoProcessorLeftNoMoreProcsAreAdvised) {
  Result result = sample_result(single_point_curve());
  result.load_points[0].host_busy = 0.97;
  const std::string text = result_text(result);
  EXPECT_NE(text.find(", so that ops waited for a processor: take "), std::string::npos) << text;
  EXPECT_EQ(text.find("more procs"), std::string::npos) << text;
}

TEST(Terminal, OtherProgramsThatHadTheHostAreNamedInAValidRunToo) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points[0];
  point.invalid.clear();
  point.latency.response.mean = Millis(0.1), point.latency.service.mean = Millis(0.06);
  point.generator_lag.mean = point.latency.lag.mean = Millis(0.04);
  point.host_busy = 1, point.cpu_cores_used = 0.38;
  const std::string text = result_text(result);
  EXPECT_NE(
      text.find("\n  other programs used 1.6 of this host's 2 processors, so that ops waited for a processor: take "
                "a quieter host\n"),
      std::string::npos)
      << text;
  point.host_busy = 0.5;
  EXPECT_EQ(result_text(result).find("other programs"), std::string::npos);
}

TEST(Terminal, WhereOtherProgramsMadeEdagenLateOneRemedyIsNamed) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points[0];
  point.invalid = {Invalid::generator_limited};
  point.host_busy = 1, point.cpu_cores_used = 0.38;
  const std::string others = result_text(result);
  EXPECT_NE(others.find("other programs used 1.6 of this host's 2 processors: take a quieter host\n"),
            std::string::npos)
      << others;
  point.cpu_cores_used = 1.9;
  const std::string own = result_text(result);
  EXPECT_NE(own.find("edagen used 1.9 of this host's 2 processors: take more processors, or more hosts\n"),
            std::string::npos)
      << own;
}

TEST(Terminal, AClosedLoopThatThisHostLimitsIsToldFromStorageThatIsSlow) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  result.load_points[0].host_busy = 0.98;
  EXPECT_EQ(result_text(result).find("this host is the limit"), std::string::npos)
      << "in an open loop ops would be late";
  result.load_points[0].requested_ops_per_sec.reset();
  EXPECT_NE(result_text(result).find("this host is the limit: its 2 processors are 98 % busy"), std::string::npos);
  result.load_points[0].cpu_cores_used = 1.9;
  EXPECT_NE(result_text(result).find("98 % busy: edagen used 1.9 of them; the storage may do more"), std::string::npos)
      << result_text(result);
  result.load_points[0].cpu_cores_used = 0.1;
  result.load_points[0].host_busy = 0.5;
  EXPECT_EQ(result_text(result).find("this host is the limit"), std::string::npos);
}

TEST(Terminal, AClosedLoopOnManyHostsIsLimitedByABusyHostAndNotByTheProcessorsOfAllTogether) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  PointFigures& point = result.load_points[0];
  point.requested_ops_per_sec.reset();
  point.hosts.resize(4);
  for (HostFigures& host : point.hosts) host.cpu_cores_used = 0.6, host.host_busy = 0.3;
  point.cpu_cores_used = 2.4, point.host_busy = 0.3;
  EXPECT_EQ(result_text(result).find("limit: its"), std::string::npos) << result_text(result);
  point.hosts[2].name = "h2", point.hosts[2].rank = 2, point.hosts[2].host_busy = point.host_busy = 0.97;
  EXPECT_NE(result_text(result).find("  h2 (rank 2) is a limit: its processors are 97 % busy"), std::string::npos)
      << result_text(result);
}

TEST(Terminal, WhereHostsBeganOpsLateThisIsSaidOfAllOfThem) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points[0];
  point.invalid = {Invalid::generator_limited};
  point.generator_lag.mean = Millis(0.5);
  EXPECT_NE(result_text(result).find("generator_limited: this host began ops "), std::string::npos)
      << result_text(result);
  point.hosts.resize(2);
  EXPECT_NE(result_text(result).find("generator_limited: the hosts began ops "), std::string::npos)
      << result_text(result);
  point.requested_ops_per_sec.reset();
  point.hosts[1].name = "h1", point.hosts[1].rank = 1, point.hosts[1].host_busy = point.host_busy = 0.97;
  EXPECT_NE(result_text(result).find("generator_limited: the processors of h1 (rank 1) are 97 % busy"),
            std::string::npos)
      << result_text(result);
}

TEST(Terminal, ASweepIsATableAndBars) {
  Curve curve = sample_sweep();
  for (CurvePoint& point : curve.points) point.stats.requested_ops_per_sec.reset();
  const std::string text = result_text(sample_result(curve));
  EXPECT_TRUE(text.starts_with("INVALID: eda_mixed, 10 clients on /mnt/a, by io-depth: most at 8: "))
      << "ops failed: " << text;
  for (CurvePoint& point : curve.points) point.invalid.clear();
  EXPECT_TRUE(result_text(sample_result(curve)).starts_with("eda_mixed, 10 clients")) << text;
  EXPECT_NE(text.find("       1 |***** 150 ops/s"), std::string::npos) << text;
  EXPECT_NE(text.find("       8 |" + std::string(40, '*')), std::string::npos) << text;
}

TEST(Terminal, AValueOfASweepThatWasMeasuredOnceHasNoInterval) {
  Curve curve = sample_sweep();
  curve.points[2].stats.interrupted = true;  // depth 1, the second time
  for (CurvePoint& point : curve.points) point.stats.requested_ops_per_sec.reset();
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("95 % interval"), std::string::npos) << "of depth 8: " << text;
  EXPECT_NE(text.find("±262 %"), std::string::npos) << text;
  const std::size_t row = text.find("\n  1 INVALID ");
  ASSERT_NE(row, std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(text.substr(row + 1, text.find('\n', row + 1) - row), '-'), 2) << text;
}

TEST(Terminal, TextFromElsewhereIsShownAndNotObeyed) {
  Result result = hostile_result();
  for (int kind = 0; kind < 3; ++kind) {
    if (kind == 1) result.series.reset();
    if (kind == 2) result.at_latency_target = sample_result(sample_curve()).at_latency_target;
    const std::string text = result_text(result);
    EXPECT_TRUE(is_inert(text)) << text;
    EXPECT_NE(text.find("\\x1b[2J"), std::string::npos) << text;
  }
}

TEST(Terminal, AModelledVolumeIsLabelled) {
  Result result = sample_result(sample_curve());
  result.target = {.kind = TargetKind::sim, .mounts = {}, .model = "regular"};
  EXPECT_NE(result_text(result).find("on regular (simulated)"), std::string::npos);
}

}  // namespace
}  // namespace edagen
