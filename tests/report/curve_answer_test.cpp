// Answers of curves that were ended before their time: one cause, and one remedy.
#include <gtest/gtest.h>

#include "report/terminal.hpp"
#include "support/report_text.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

/// A search that was interrupted in its last load point, on a host of 2 processors that other programs use.
Result interrupted_search(const std::vector<Invalid>& reasons) {
  Curve curve = sample_curve();
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = reasons;
  Result result = sample_result(curve);
  result.status = Status::interrupted;
  result.host.cpus = 2;
  result.load_points.front().purpose = Purpose::block;
  PointFigures& last = result.load_points.back();
  last.purpose = Purpose::demonstration;
  last.invalid = {Invalid::interrupted};
  last.latency.response.mean = Millis(4), last.latency.service.mean = Millis(0.03);
  last.latency.lag.mean = Millis(3.97), last.generator_lag.mean = Millis(0.01);
  last.host_busy = 1, last.cpu_cores_used = 0.4;
  return result;
}

TEST(CurveAnswer, AnInterruptedSearchOnAHostThatIsTheLimitHasTheRemedyOfTheHostAlone) {
  using enum Invalid;
  Result result = interrupted_search({generator_limited, imprecise, not_demonstrated, interrupted});
  result.at_latency_target[0].limit = RateLimit::host;
  const std::string text = result_text(result);
  EXPECT_TRUE(text.starts_with("INVALID: this host is the limit: ")) << text;
  EXPECT_NE(text.find("\n  INVALID: generator_limited, imprecise, not_demonstrated: take a quieter host\n"
                      "  INVALID: interrupted: the run was ended before its time\n"),
            std::string::npos)
      << text;
  for (const char* const other : {"run it again", "--search-time", "more procs"})
    EXPECT_EQ(text.find(other), std::string::npos) << other << "\n" << text;
}

TEST(CurveAnswer, OfSeveralHostsTheBusiestIsTheLimitAndNotTheProcessorsOfRank0) {
  Curve curve = sample_curve();
  curve.answers[0].limit = RateLimit::host;
  curve.answers[0].invalid = {Invalid::generator_limited};
  curve.answers[0].demonstrated.reset();
  Result result = sample_result(curve);
  result.host.cpus = 2;
  PointFigures& point = result.load_points.back();
  point.invalid = {Invalid::generator_limited};
  point.host_busy = 0.97, point.generator_lag.mean = Millis(0.5);
  point.hosts.resize(3);
  point.hosts[2].name = "h2", point.hosts[2].rank = 2, point.hosts[2].host_busy = 0.97;
  const std::string text = result_text(result);
  EXPECT_TRUE(text.starts_with(
      "INVALID: a host is the limit: the processors of h2 (rank 2) are 97 % busy, and the generator's own delay is "))
      << text;
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_NE(last.find("a host is the limit"), std::string::npos) << last;
}

TEST(CurveAnswer, AnInterruptedSearchThatThisHostDidNotLimitIsRunAgain) {
  using enum Invalid;
  const std::string text = result_text(interrupted_search({imprecise, not_demonstrated, interrupted}));
  EXPECT_EQ(count_of("run it again", text), 1) << text;
  EXPECT_EQ(count_of("INVALID: interrupted: ", text), 1) << text;
  for (const char* const other : {"waited for a processor", "quieter host", "--search-time", "more procs"})
    EXPECT_EQ(text.find(other), std::string::npos) << other << "\n" << text;
}

TEST(CurveAnswer, ALowerBoundOfAnInterruptedSearchHasTheRemedyOfItsLimitAlone) {
  using enum Invalid;
  Result result = interrupted_search({target_not_reached, not_demonstrated, interrupted});
  for (const auto& [limit, remedy] : {std::pair(RateLimit::procs, "use more procs (--job-sets)"),
                                      std::pair(RateLimit::highest_rate, "raise --max-rate")}) {
    result.at_latency_target[0].limit = limit;
    const std::string text = result_text(result);
    EXPECT_EQ(count_of(remedy, text), 1) << text;
    EXPECT_EQ(count_of("  INVALID: interrupted: the run was ended before its time\n", text), 1) << text;
    EXPECT_EQ(text.find("run it again"), std::string::npos) << text;
    EXPECT_EQ(text.find("quieter host"), std::string::npos) << text;
  }
}

TEST(CurveAnswer, ADemonstrationThatWasInterruptedIsNotBlamedOnTheHost) {
  using enum Invalid;
  Result result = interrupted_search({not_demonstrated, interrupted});
  result.load_points.back().invalid = {generator_limited, interrupted};
  const std::string text = result_text(result);
  EXPECT_NE(text.find("  INVALID: not_demonstrated: no valid load point of full length met the target near the rate: "
                      "the run was ended before its time\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("quieter host"), std::string::npos) << text;
}

TEST(CurveAnswer, OfLoadPointsThatWereAskedForTheInterruptIsNamedOnce) {
  Curve curve = sample_curve();
  curve.answers[0].invalid = {Invalid::interrupted};
  Result result = sample_result(curve);
  result.status = Status::interrupted;
  result.load_points.back().invalid = {Invalid::interrupted};
  const std::string text = result_text(result);
  EXPECT_EQ(count_of("INVALID: interrupted: ", text), 1) << text;
  EXPECT_NE(text.find("\n  1 of 3 load points (at 500 ops/s):\n  INVALID: errors: "), std::string::npos) << text;
}

TEST(CurveAnswer, AStallToWhichAReasonOfALoadPointRefersIsNamedOnce) {
  Result result = sample_result(sample_curve());
  for (PointFigures& point : result.load_points) {
    point.invalid.clear();
    for (GroupFigures& group : point.groups) group.procs = 10'000;  // which are not busy
  }
  const auto stall = [&](PointFigures& point) {
    point.invalid = {Invalid::window_short};
    point.latency.response.mean = Millis(200), point.latency.service.mean = Millis(2);
    point.latency.lag.mean = Millis(198);
    point.intervals = stalled_intervals();
  };
  stall(result.load_points[0]);
  const std::string text = first_lines(result_text(result));
  EXPECT_EQ(count_of("a stall, which is named below, may be why", text), 1) << text;
  EXPECT_EQ(count_of("\n  1 of 3 load points (at 500 ops/s):\n  100 % of all waiting comes from one stall", text), 1)
      << text;
  result.load_points[0].invalid.clear();
  stall(result.load_points[1]);  // which demonstrates the answer, and whose waits are named with it
  const std::string judged = first_lines(result_text(result));
  EXPECT_EQ(count_of("comes from one stall", judged), 1) << judged;
}

TEST(CurveAnswer, AnInterruptWhileTheShapeIsDrawnIsNotWhyTheAnswerIsImprecise) {
  Curve curve = sample_curve_with_shape();
  curve.answers[0].invalid = {Invalid::imprecise};
  Result result = sample_result(curve);
  result.status = Status::interrupted;
  for (PointFigures& point : result.load_points)
    if (point.purpose == Purpose::shape && *point.requested_ops_per_sec > 590) point.invalid = {Invalid::interrupted};
  const std::string text = result_text(result);
  EXPECT_EQ(text.find("ended before its time"), std::string::npos) << text;
  EXPECT_NE(text.find("INVALID: imprecise: blocks are too few, or too short for a latency so far above the idle one: a "
                      "lower --latency-target"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace edagen
