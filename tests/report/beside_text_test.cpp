#include "report/beside_text.hpp"

#include <gtest/gtest.h>

#include "report/html.hpp"
#include "report/terminal.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

LoadTable sample_table() { return {"t.csv", {{750, Millis(1), {}}}}; }

TEST(BesideText, MeansStandBesideMeansWhateverStatisticTheAnswerIsOf) {
  Result result = testing::sample_result(testing::sample_curve());
  EXPECT_NE(result_text(result, false, {sample_table()}).find(", o t.csv"), std::string::npos);
  for (PointFigures& point : result.load_points) point.statistic.value = Millis(9);
  result.at_latency_target.front().statistic = "p99";
  const std::string text = beside_text({sample_table()}, result);
  EXPECT_NE(text.find("2.00"), std::string::npos) << text;
  EXPECT_EQ(text.find("9.00"), std::string::npos) << text;
  EXPECT_EQ(result_text(result, false, {sample_table()}).find(", o t.csv"), std::string::npos) << "the plot is of p99";
}

TEST(BesideText, MeansOfServiceTimesStandBesideThoseOfOthersWhereTheAnswerIsOfService) {
  Result result = testing::sample_result(testing::sample_curve());
  EXPECT_NE(beside_text({sample_table()}, result).find("(here: mean response of this curve"), std::string::npos);
  result.at_latency_target.front().latency = "service";
  const std::string text = beside_text({sample_table()}, result);
  EXPECT_NE(text.find("(here: mean service of this curve"), std::string::npos) << text;
  EXPECT_EQ(text.find("2.00"), std::string::npos) << "the response\n" << text;
  EXPECT_NE(result_text(result, false, {sample_table()}).find(", o t.csv"), std::string::npos)
      << "the plot is of means";
  EXPECT_NE(html_text({result}, {}, {sample_table()}).find("here the mean service between load points"),
            std::string::npos);
}

TEST(BesideText, AFigureOfAnInvalidLoadPointIsMarked) {
  Result result = testing::sample_result(testing::sample_curve());
  ASSERT_FALSE(result.load_points[0].valid());
  EXPECT_NE(beside_text({sample_table()}, result).find("INVALID 2.00"), std::string::npos)
      << "one of the two that the straight line is between: " << beside_text({sample_table()}, result);
  result.load_points[0].invalid.clear();
  EXPECT_EQ(beside_text({sample_table()}, result).find("INVALID"), std::string::npos)
      << beside_text({sample_table()}, result);
}

TEST(BesideText, ASweepIsNoCurve) {
  Result sweep = testing::sample_result(testing::sample_sweep());
  EXPECT_TRUE(mean_line(sweep).empty());
  sweep.series.reset();
  EXPECT_TRUE(mean_line(sweep).empty()) << "of a killed sweep, too";
  const std::string page = html_text({testing::sample_result(testing::sample_curve()), sweep}, {}, {sample_table()});
  const std::size_t first = page.find("(here) beside t.csv");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(page.find("(here) beside t.csv", first + 1), std::string::npos);
}

}  // namespace
}  // namespace edagen
