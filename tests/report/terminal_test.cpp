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

TEST(Terminal, ARateThatRestsOnFullRunsAloneSaysSo) {
  Curve curve = sample_curve();
  EXPECT_EQ(result_text(sample_result(curve)).find("full runs near that rate"), std::string::npos);
  curve.answers[0].full_runs = 7;
  curve.answers[0].low = 0;
  curve.answers[0].high = 1e6;
  for (const double latency_ms : {1.5, 9.5}) {
    curve.points.push_back(curve.points.back());
    curve.points.back().purpose = Purpose::full_run;
    curve.points.back().latency = Millis(latency_ms);
  }
  const std::string text = result_text(sample_result(curve));
  EXPECT_NE(text.find("  From 7 full runs near that rate; "), std::string::npos) << text;
  EXPECT_NE(text.find("  Full runs within that interval measured 1.50 to 9.50 ms"), std::string::npos) << text;
}

TEST(Terminal, AnInvalidAnswerSaysWhyWhetherBoundedOrNot) {
  Curve curve = sample_curve();
  curve.answers[0].invalid = {Invalid::unsteady};
  EXPECT_NE(result_text(sample_result(curve)).find("\n  INVALID: unsteady"), std::string::npos)
      << result_text(sample_result(curve));
  curve.answers[0].bounded = false;
  EXPECT_NE(result_text(sample_result(curve)).find("\n  INVALID: unsteady"), std::string::npos)
      << result_text(sample_result(curve));
}

TEST(Terminal, ATargetThatIsNotReachedOrNotMetIsSaid) {
  Curve curve = sample_curve();
  curve.answers[0].bounded = false;
  EXPECT_NE(result_text(sample_result(curve)).find("> 39,601"), std::string::npos);
  curve.answers[0].met = false;
  EXPECT_NE(result_text(sample_result(curve)).find("No load meets 2 ms"), std::string::npos);
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
