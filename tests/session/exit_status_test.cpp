#include "edagen/exit_status.hpp"

#include <gtest/gtest.h>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

Result result_of(std::vector<AnswerFigures> answers, Purpose purpose = Purpose::exploration) {
  Result result;
  result.status = Status::complete;
  result.load_points.resize(2);
  result.load_points.front().purpose = result.load_points.back().purpose = purpose;
  result.load_points.front().invalid = {Invalid::achieved_rate_low};
  result.at_latency_target = std::move(answers);
  return result;
}

TEST(ExitStatus, ASearchIsAsValidAsAllItsAnswers) {
  AnswerFigures valid, invalid, unmet;
  invalid.invalid = {Invalid::unsteady};
  unmet.met = false;
  EXPECT_EQ(exit_status_of(result_of({valid, valid})), exit_status::done);
  EXPECT_EQ(exit_status_of(result_of({invalid, valid})), exit_status::invalid);
  EXPECT_EQ(exit_status_of(result_of({invalid, unmet})), exit_status::target_not_met);
}

TEST(ExitStatus, LoadPointsThatWereAskedForMustAllBeValid) {
  Result result = result_of({AnswerFigures{}}, Purpose::load_point);
  EXPECT_EQ(exit_status_of(result), exit_status::invalid);
  for (PointFigures& point : result.load_points) point.invalid.clear();
  EXPECT_EQ(exit_status_of(result), exit_status::done);
}

TEST(ExitStatus, WithoutAnAnswerAllPointsMustBeValid) {
  EXPECT_EQ(exit_status_of(result_of({})), exit_status::invalid);
}

TEST(ExitStatus, ARunThatWasInterruptedOrFailedSaysSoWhateverItMeasured) {
  Result result = result_of({AnswerFigures{}});
  result.status = Status::interrupted;
  EXPECT_EQ(exit_status_of(result), exit_status::interrupted);
  result.status = Status::failed;
  EXPECT_EQ(exit_status_of(result), exit_status::run_failed);
}

TEST(ExitStatus, OpsThatNeverReturnedMakeASearchInvalidWhereverTheyWere) {
  Result result = result_of({AnswerFigures{}});
  result.load_points.front().stuck_ops = 1;
  EXPECT_EQ(exit_status_of(result), exit_status::invalid);
}

TEST(ExitStatus, AComparisonThatFailedIsNotDone) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  comparison.status = Status::failed;
  EXPECT_EQ(exit_status_of(comparison), exit_status::invalid);
}

TEST(ExitStatus, ATuningThatIsRefusedIsNotDoneAndNothingMeasuredHasFailed) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  add_variant(comparison, "never", "vers=9", {}, {}, "Protocol not supported");
  EXPECT_EQ(exit_status_of(comparison), exit_status::invalid);
  comparison.variants.erase(comparison.variants.begin(), comparison.variants.end() - 1);
  EXPECT_EQ(exit_status_of(comparison), exit_status::run_failed);
}

TEST(ExitStatus, AComparisonIsAsValidAsAllItsRuns) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  EXPECT_EQ(exit_status_of(comparison), exit_status::done);
  comparison.variants.back().runs.back().invalid = {Invalid::errors};
  EXPECT_EQ(exit_status_of(comparison), exit_status::invalid);
}

}  // namespace
}  // namespace edagen
