// Pages of runs and comparisons that did not come to their end.
#include <gtest/gtest.h>

#include "report/html.hpp"
#include "support/report_text.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(PageStatus, WhyARunHasFailedIsOnItsPage) {
  Result result = sample_result(sample_curve());
  result.status = Status::failed;
  EXPECT_EQ(count_of("This run has failed.", html_text({result})), 1);
  result.failure = "host2 (rank 1) is lost";
  EXPECT_EQ(count_of("This run has failed: host2 (rank 1) is lost", html_text({result})), 1);
}

TEST(PageStatus, ThatARunWasInterruptedIsSaidWhereItsAnswerDoesNotHaveIt) {
  Result curve = sample_result(sample_curve()), run = sample_result(single_point_curve());
  curve.status = run.status = Status::interrupted;
  EXPECT_EQ(count_of("This run is interrupted.", html_text({curve})), 1) << "the answer is valid";
  run.load_points.back().invalid = {Invalid::interrupted};
  EXPECT_EQ(count_of("This run is interrupted.", html_text({run})), 0);
  EXPECT_NE(html_text({run}).find("INVALID: interrupted: the run was ended before its time"), std::string::npos);
}

TEST(PageStatus, ThatAComparisonWasInterruptedOrHasFailedIsSaidOnce) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.status = Status::interrupted;
  const std::string interrupted = html_text({}, {comparison});
  EXPECT_EQ(count_of("The comparison was interrupted", interrupted), 1);
  EXPECT_EQ(count_of("This comparison", interrupted), 0);
  comparison.status = Status::failed, comparison.failure = "host2 (rank 1) is lost";
  const std::string failed = html_text({}, {comparison});
  EXPECT_EQ(count_of("host2 (rank 1) is lost", failed), 1);
  EXPECT_EQ(count_of("This comparison", failed), 0);
}

TEST(PageStatus, TheRunsOfAComparisonHaveTheUnitOfTheirRates) {
  EXPECT_EQ(count_of("\"axis\":\"I/O rate at 2 ms, ops/s\"", html_text({}, {sample_comparison("2ms")})), 2);
}

}  // namespace
}  // namespace edagen
