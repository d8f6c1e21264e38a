// What the text of a curve has beside its answers: the plot, the overall response time and the tables of others.
#include <gtest/gtest.h>

#include "report/terminal.hpp"
#include "support/report_text.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

Result result_with_shape() { return sample_result(sample_curve_with_shape()); }

TEST(CurveText, ThePlotHasTheLineOfTheShapeAndNotTheBlocksOfTheSearch) {
  const std::string text = result_text(result_with_shape());
  EXPECT_NE(text.find("600 ops/s\n"), std::string::npos) << "the highest rate of the line, not that of a block\n"
                                                         << text;
  EXPECT_EQ(text.find("1,700 ops/s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("5.00 ms |"), std::string::npos) << "two and a half targets\n" << text;
  EXPECT_NE(text.find("0 ms |"), std::string::npos) << text;
  for (const char* const mark : {"^ above the plot", "--- latency target", "+ rate at it", "...."})
    EXPECT_NE(text.find(mark), std::string::npos) << mark << "\n" << text;
  EXPECT_NE(text.find("\n  shape "), std::string::npos) << "a row for each point\n" << text;
}

TEST(CurveText, ASearchWithoutAShapeHasItsBlocksInThePlot) {
  Result result = result_with_shape();
  std::erase_if(result.load_points, [](const PointFigures& point) { return point.purpose == Purpose::shape; });
  const std::string text = result_text(result);
  EXPECT_NE(text.find("* block or load point"), std::string::npos) << text;
  EXPECT_NE(text.find("1,700 ops/s\n"), std::string::npos) << text;
}

TEST(CurveText, AnOverallResponseTimeOfBlocksAsInOlderDocumentsIsSaidToBeAnother) {
  Curve curve = sample_curve();
  Result fixed = sample_result(curve);
  fixed.ort = Millis(1.5);
  EXPECT_NE(result_text(fixed).find("Overall response time 1.50 ms (trapezoids / (highest - lowest rate))\n"),
            std::string::npos)
      << result_text(fixed);
  for (CurvePoint& point : curve.points) point.purpose = Purpose::block;
  Result searched = sample_result(curve);
  searched.ort = Millis(1.5);
  EXPECT_NE(result_text(searched).find("; of the blocks of a search: not comparable)\n"), std::string::npos)
      << result_text(searched);
}

TEST(CurveText, AnOverallResponseTimeNamesTheLatencyThatItIsOfWhereThatIsNoMeanResponse) {
  Result result = sample_result(sample_curve());
  result.ort = Millis(6.6);
  result.at_latency_target.front().statistic = "p99";
  EXPECT_NE(result_text(result).find("Overall response time 6.60 ms, p99 response (trapezoids / (highest - lowest "
                                     "rate); published ones are of means)\n"),
            std::string::npos)
      << result_text(result);
  result.at_latency_target.front().statistic = "mean";
  result.at_latency_target.front().latency = "service";
  EXPECT_NE(result_text(result).find("Overall response time 6.60 ms, mean service (trapezoids / (highest - lowest "
                                     "rate))\n"),
            std::string::npos)
      << result_text(result);
}

TEST(CurveText, ATableOfOthersStandsBesideTheCurveAtTheSameRates) {
  const LoadTable table{"published.csv", {{250, Millis(1), {}}, {450, Millis(2), {}}, {5000, Millis(3), {}}}};
  const std::string text = result_text(result_with_shape(), false, {table});
  EXPECT_NE(text.find("\nBeside published.csv"), std::string::npos) << text;
  EXPECT_NE(text.find("there, ms"), std::string::npos) << text;
  EXPECT_NE(text.find("5,000"), std::string::npos) << "also where this curve has no load\n" << text;
  EXPECT_NE(text.find(", o published.csv"), std::string::npos) << text;
  EXPECT_EQ(result_text(result_with_shape()).find("Beside"), std::string::npos);
}

}  // namespace
}  // namespace edagen
