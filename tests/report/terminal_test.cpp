#include "report/terminal.hpp"

#include <gtest/gtest.h>

#include "support/hostile.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(Terminal, TheLastLinesOfARunAreTheAnswerInTheQuotedForm) {
  const std::string text = result_text(sample_result(single_point_curve()));
  EXPECT_NE(text.find("INVALID: errors"), std::string::npos) << text;
  EXPECT_TRUE(
      text.ends_with("Scenario                         I/O rate, ops/s  MiB/s  mean response, ms\n"
                     "eda_mixed, 10 clients on /mnt/a            1,000    7.8               2.00\n"))
      << text;
}

TEST(Terminal, TheLastLinesOfACurveAreTheTableOfThePublishedFigures) {
  const std::string text = result_text(sample_result(sample_curve()));
  EXPECT_NE(text.find("39,601 ops/s, 95 % confidence interval 39,000 to 40,000"), std::string::npos) << text;
  EXPECT_TRUE(
      text.ends_with("Scenario                         I/O rate at 2 ms  MiB/s at 2 ms\n"
                     "eda_mixed, 10 clients on /mnt/a            39,601            692\n"))
      << text;
}

TEST(Terminal, AnAnswerSaysWhatDemonstratesIt) {
  Curve curve = sample_curve();
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("  Demonstrated: 1,000 ops/s for 2 s, at 2.00 ms\n"), std::string::npos) << text;
  curve.answers[0].demonstrated.reset();
  curve.answers[0].invalid = {Invalid::not_demonstrated};
  const std::string without = result_text(sample_result(curve));
  EXPECT_EQ(without.find("Demonstrated"), std::string::npos) << without;
  EXPECT_NE(without.find("\n  INVALID: not_demonstrated\n"), std::string::npos) << without;
}

TEST(Terminal, AnInvalidAnswerSaysWhyWhetherTheTargetIsReachedOrNot) {
  Curve curve = sample_curve();
  curve.answers[0].invalid = {Invalid::imprecise};
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("\n  INVALID: imprecise\n  A longer search time"), std::string::npos) << text;
  curve.answers[0].limit = RateLimit::procs;
  curve.answers[0].invalid = {Invalid::target_not_reached};
  EXPECT_NE(result_text(sample_result(curve)).find("\n  INVALID: target_not_reached\n"), std::string::npos);
}

TEST(Terminal, ARateThatIsALowerBoundSaysWhatTheLimitIs) {
  Curve curve = sample_curve();
  const auto text_with = [&](RateLimit limit) {
    curve.answers[0].limit = limit;
    Result result = sample_result(curve);
    result.host.cpus = 2;
    result.load_points.back().host_busy = 0.97;
    result.load_points.back().generator_lag.mean = Millis(0.5);
    return result_text(result);
  };
  for (const auto& [limit, said] : {std::pair(RateLimit::highest_rate, "the highest rate that was asked for"),
                                    std::pair(RateLimit::procs, "all procs are busy; more of them"),
                                    std::pair(RateLimit::host,
                                              "this host is the limit: its 2 processors are 97 % busy, "
                                              "and the generator's own delay is 0.500 ms")}) {
    const std::string text = text_with(limit);
    EXPECT_NE(text.find("2 ms is not reached: 39,601 ops/s is a lower bound\n  " + std::string(said)),
              std::string::npos)
        << text;
    EXPECT_EQ(text.find("confidence interval"), std::string::npos) << text;
    EXPECT_NE(text.find("> 39,601"), std::string::npos) << text;
  }
}

TEST(Terminal, ATargetThatIsNotMetSaysTheLowestLatency) {
  Curve curve = sample_curve();
  curve.answers[0].met = false;
  curve.answers[0].lowest_latency = std::chrono::microseconds(2300);
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("None of these load points meets 2 ms; the lowest latency seen is 2.30 ms\n"), std::string::npos)
      << text;
  curve.points[0].purpose = Purpose::climb;
  EXPECT_NE(result_text(sample_result(curve)).find("No load meets 2 ms; the lowest"), std::string::npos);
  EXPECT_TRUE(text.ends_with("none           none\n")) << text;
}

TEST(Terminal, ASearchThatWasKilledIsACurveWithoutAnAnswer) {
  Curve curve = sample_curve();
  curve.points[0].purpose = Purpose::climb;
  Result result = sample_result(curve);
  result.at_latency_target.clear();
  const std::string text = result_text(result);
  EXPECT_NE(text.find("The curve was not finished"), std::string::npos) << text;
  EXPECT_NE(text.find("climb"), std::string::npos) << text;
}

TEST(Terminal, BlocksOfASearchAreCountedAndNotListed) {
  Curve curve = sample_curve();
  curve.points[0].purpose = Purpose::climb;
  curve.points[1].purpose = Purpose::demonstration;
  for (int i = 0; i < 12; ++i) {
    curve.points.push_back(curve.points[2]);
    curve.points.back().purpose = Purpose::block;
  }
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("and 12 blocks around the rate at the target"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  demonstration "), std::string::npos) << text;
  EXPECT_EQ(text.find("\n  block "), std::string::npos) << text;
}

TEST(Terminal, OpsThatWaitForTheirOwnProcAreToldFromStorageThatIsSlow) {
  EXPECT_NE(result_text(sample_result(single_point_curve())).find("50 % of the response is lag"), std::string::npos);
}

TEST(Terminal, AClosedLoopThatThisHostLimitsIsToldFromStorageThatIsSlow) {
  Result result = sample_result(single_point_curve());
  result.host.cpus = 2;
  result.load_points[0].host_busy = 0.98;
  EXPECT_EQ(result_text(result).find("this host is the limit"), std::string::npos)
      << "in an open loop ops would be late";
  result.load_points[0].requested_ops_per_sec.reset();
  EXPECT_NE(result_text(result).find("this host is the limit: its 2 processors are 98 % busy"), std::string::npos);
  result.load_points[0].host_busy = 0.5;
  EXPECT_EQ(result_text(result).find("this host is the limit"), std::string::npos);
}

TEST(Terminal, ASweepIsATableAndBars) {
  const std::string text = result_text(sample_result(sample_sweep()));
  EXPECT_NE(text.find("by io-depth, 2 repeats"), std::string::npos) << text;
  EXPECT_NE(text.find("           1 |****** 150 ops/s"), std::string::npos) << text;
  EXPECT_NE(text.find("           8 |" + std::string(50, '*')), std::string::npos) << text;
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
