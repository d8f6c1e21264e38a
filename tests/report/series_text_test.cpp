#include "report/series_text.hpp"

#include <gtest/gtest.h>

#include "report/html.hpp"
#include "report/reason_text.hpp"
#include "report/terminal.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

/// Repeats of one load with these mean responses in ms.
Result repeats_of(const std::vector<double>& means, bool open_loop = true) {
  Result result = sample_result(single_point_curve());
  PointFigures point = result.load_points.front();
  point.invalid.clear();
  point.errors.clear();
  if (!open_loop) point.requested_ops_per_sec.reset();
  result.load_points.clear();
  for (const double mean : means) {
    point.repeat = result.load_points.size() + 1;
    LatencyFigures& response = point.latency.response;
    response.mean = response.p50 = Millis(mean), response.p99 = Millis(3 * mean), response.max = Millis(4 * mean);
    result.load_points.push_back(point);
  }
  SeriesPoint summary;
  summary.repeats = means.size();
  summary.ops_per_sec = {.mean = 990, .median = 991, .standard_deviation = 12, .confidence_95 = Interval95{980, 1000}};
  summary.mib_per_sec.mean = 3.8;
  summary.response_ms = {.mean = 2, .median = 0.137, .standard_deviation = 5, .confidence_95 = Interval95{0, 7}};
  result.series = Series{std::nullopt, {summary}};
  result.at_latency_target.clear();
  return result;
}

TEST(SeriesText, InAnOpenLoopTheIntervalIsOfTheResponse) {
  const std::string text = series_text(repeats_of({0.1, 0.2, 0.3}), false);
  EXPECT_NE(text.find(": 990 ops/s and 3.8 MiB/s at 2.00 ms ±175 % mean response (3 repeats, median 0.137 ms)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("mean ms   95 % interval  median  std dev  p99 ms  ops/s  MiB/s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("   2.00  0.0000 to 7.00   0.137     5.00   0.600    990    3.8\n"), std::string::npos) << text;
}

TEST(SeriesText, InAClosedLoopTheIntervalIsOfTheRate) {
  const std::string text = series_text(repeats_of({0.1, 0.2, 0.3}, false), false);
  EXPECT_NE(text.find(": 990 ops/s ±1 % and 3.8 MiB/s at 2.00 ms mean response (3 repeats)\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("ops/s  95 % interval  median  std dev  p99 ms  mean ms  MiB/s\n"), std::string::npos) << text;
}

TEST(SeriesText, EachRepeatHasARowOnRequestAndWhereOneIsInvalid) {
  Result result = repeats_of({0.1, 0.2, 0.3});
  EXPECT_EQ(series_text(result, false).find("\n  repeat  ops/s"), std::string::npos);
  EXPECT_NE(series_text(result, false).find("-v shows each repeat"), std::string::npos);
  const std::string all = series_text(result, true);
  EXPECT_NE(all.find("\n  repeat  ops/s  MiB/s  mean ms    p50    p99    max  valid\n"), std::string::npos) << all;
  result.load_points[1].invalid = {Invalid::unsteady};
  const std::string invalid = series_text(result, false);
  EXPECT_NE(invalid.find("INVALID: unsteady\n"), std::string::npos) << invalid;
  EXPECT_NE(invalid.find("\n  all INVALID "), std::string::npos) << invalid;
  EXPECT_NE(invalid.find("  1 of 3 repeats (repeat 2):\n"), std::string::npos) << invalid;
}

TEST(SeriesText, ReasonsOfTheSameRepeatsStandBelowOneLine) {
  Result result = repeats_of({0.1, 0.2, 0.3});
  for (PointFigures& point : result.load_points) point.invalid = {Invalid::unsteady, Invalid::errors};
  const std::string text = series_text(result, false), which = "  3 of 3 repeats, the first of them repeat 1:\n";
  const std::size_t at = text.find(which + "  INVALID: unsteady: ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(which + "  INVALID", at + 1), std::string::npos) << text;
  EXPECT_NE(text.find("\n  INVALID: errors: ", at), std::string::npos) << text;
}

TEST(SeriesText, RepeatsWithOpsThatHadNotEndedHaveLowerBoundsOfTheResponseAndNoInterval) {
  Result result = repeats_of({0.1, 0.2, 0.3});
  for (PointFigures& point : result.load_points) {
    point.invalid = {Invalid::ops_outstanding};
    point.ops_outstanding = point.operations / 50;
  }
  const std::string text = series_text(result, false);
  EXPECT_NE(text.find(": 990 ops/s and 3.8 MiB/s at > 2.00 ms mean response (3 repeats, median > 0.137 ms): "
                      "ops_outstanding\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  > 2.00              -  > 0.137     5.00  > 0.600    990    3.8\n"), std::string::npos) << text;
}

TEST(SeriesText, TheBestValueInAnOpenLoopHasTheLowestResponse) {
  Result result = repeats_of({0.1, 0.2});
  Series& series = *result.series;
  series.parameter = "clients";
  series.points.push_back(series.points.front());
  series.points[0].value = 1, series.points[1].value = 2;
  series.points[0].ops_per_sec.mean = 1001, series.points[1].response_ms.mean = 1;
  const std::string text = series_text(result, false);
  EXPECT_NE(text.find(", by clients: lowest response at 2: 990 ops/s"), std::string::npos) << text;
  EXPECT_NE(text.find("       2 |" + std::string(20, '*') + " 1.00 ms\n"), std::string::npos) << text;
  series.points[1].response_ms.mean = 0;
  EXPECT_NE(series_text(result, false).find(", by clients: lowest response at 1:"), std::string::npos)
      << "no op that was due has ended at 2";
  result.load_points.front().requested_ops_per_sec.reset();
  EXPECT_NE(series_text(result, false).find(", by clients: most at 1: 1,001 ops/s"), std::string::npos);
}

TEST(SeriesText, ARepeatThatStalledIsNamedAsThat) {
  Result result = repeats_of({0.1, 0.1, 17, 0.1, 0.2});
  PointFigures& stalled = result.load_points[2];
  stalled.invalid = {Invalid::achieved_rate_low};
  stalled.intervals = testing::stalled_intervals();
  const std::string text = series_text(result, false);
  EXPECT_NE(
      text.find("\n  INVALID: repeat 3 stalled (achieved_rate_low): mean response 17.0 ms, against 0.100 ms in the "
                "other repeats, and 51.0 ms at p99, most of it from a stall that began about 2 s into the window: look "
                "at what stopped"),
      std::string::npos)
      << text;
  EXPECT_EQ(text.find("lower --rate"), std::string::npos) << "no remedy of another reason: " << text;
  for (PointFigures& point : result.load_points) point.latency.response.mean = Millis(17);
  EXPECT_EQ(series_text(result, false).find("stalled"), std::string::npos) << "all are as slow";
}

TEST(SeriesText, AValidRepeatThatStalledIsNamedToo) {
  const std::string text = series_text(repeats_of({0.1, 0.1, 17, 0.1, 0.2}), false);
  EXPECT_NE(text.find("\n  repeat 3 stalled: mean response 17.0 ms, against 0.100 ms"), std::string::npos) << text;
  EXPECT_EQ(text.find("more procs"), std::string::npos) << text;
}

TEST(SeriesText, ARepeatThatThisHostDelayedHasTheHostsRemedyAndNoStall) {
  Result result = repeats_of({0.1, 0.1, 17, 0.1, 0.2});
  result.host.cpus = 2;
  PointFigures& late = result.load_points[2];
  late.invalid = {Invalid::generator_limited};
  late.host_busy = 0.98, late.cpu_cores_used = 0.2;
  const std::string busy = series_text(result, false);
  EXPECT_NE(busy.find("  1 of 5 repeats (repeat 3):\n  INVALID: generator_limited: "), std::string::npos) << busy;
  EXPECT_NE(busy.find("; other programs used 1.8 of this host's 2 processors: take a quieter host\n"),
            std::string::npos)
      << busy;
  late.invalid = {Invalid::generator_paused};
  const std::string paused = series_text(result, false);
  EXPECT_NE(paused.find("\n  INVALID: generator_paused: edagen was stopped"), std::string::npos) << paused;
  for (const std::string& text : {busy, paused})
    EXPECT_EQ(text.find("look at what stopped the storage"), std::string::npos) << text;
}

TEST(SeriesText, AnInvalidLoadPointOfASweepIsNamedWithItsValue) {
  Result result = repeats_of({0.1, 0.1, 17, 0.2});
  result.series->parameter = "io-depth";
  result.series->points.front().value = 8;
  for (PointFigures& point : result.load_points) point.sweep_value = 8;
  result.load_points[2].invalid = {Invalid::unsteady};
  result.load_points[3].invalid = {Invalid::errors};
  const std::string text = series_text(result, false);
  EXPECT_NE(text.find("  INVALID: io-depth 8, repeat 3 stalled (unsteady)"), std::string::npos) << text;
  EXPECT_NE(text.find("load points (io-depth 8, repeat 4):\n"), std::string::npos) << text;
  EXPECT_NE(text.find("       8 |" + std::string(40, '*') + " 2.00 ms INVALID\n"), std::string::npos) << text;
  EXPECT_NE(html_text({result}).find(R"("labels":["8 INVALID"])"), std::string::npos);
  for (SeriesPoint& point : result.series->points) point.repeats = 1;
  EXPECT_EQ(series_name(result, result.load_points[3]), "io-depth 8");
}

TEST(SeriesText, ASlowMountAndOpsThatWaitForTheirProcsAreNamedAsInARun) {
  Result result = repeats_of({2, 2, 2});
  result.load_points[1].mount_findings = {"/mnt/c: mean response 3.1 times the others' (2.9 ms against 0.94)"};
  const std::string text = series_text(result, false);
  EXPECT_NE(text.find("\n  3 of 3 repeats, the first of them repeat 1:\n  50 % of the response is waiting: ops wait "
                      "until their proc has ended the op before; more procs (--job-sets)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  1 of 3 repeats (repeat 2):\n  - /mnt/c: mean response 3.1 times"), std::string::npos)
      << text;
  EXPECT_EQ(series_text(repeats_of({0.1, 0.2, 0.3}), false).find("the first of them"), std::string::npos);
}

TEST(SeriesText, TheTablesOfRepeatsFitATerminal) {
  const std::string text = series_text(repeats_of({0.1, 0.2, 2'345, 0.3}), true);
  std::size_t begin = text.find("\n\n") + 2;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos && text[begin] == ' '; begin = end + 1)
    EXPECT_LE(end - begin, 80u) << text.substr(begin, end - begin);
}

TEST(SeriesText, ASweepThatWasKilledIsATableAndNoCurve) {
  Result result = sample_result(sample_curve());
  result.status = Status::incomplete;
  result.at_latency_target.clear();
  EXPECT_NE(result_text(result).find("* load point"), std::string::npos) << result_text(result);
  for (std::size_t i = 0; i < result.load_points.size(); ++i)
    result.load_points[i].sweep_value = static_cast<double>(10 * i);
  EXPECT_EQ(result_text(result).find("* load point"), std::string::npos) << result_text(result);
}

}  // namespace
}  // namespace edagen
