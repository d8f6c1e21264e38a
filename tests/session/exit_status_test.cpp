#include "edagen/exit_status.hpp"

#include <gtest/gtest.h>

#include "result/result_json.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

/// Of a search, or of load points that were asked for; the first one is valid, the second is not.
Result result_of(std::vector<AnswerFigures> answers, Purpose purpose = Purpose::climb) {
  Result result;
  result.status = Status::complete;
  result.load_points.resize(2);
  result.load_points.front().purpose = result.load_points.back().purpose = purpose;
  result.load_points.front().operations = result.load_points.back().operations = 1000;
  result.load_points.front().requested_ops_per_sec = result.load_points.front().achieved_ops_per_sec = 1000;
  result.load_points.back().requested_ops_per_sec = 2000;
  result.load_points.back().achieved_ops_per_sec = 1200;
  result.load_points.back().invalid = {Invalid::achieved_rate_low};
  result.at_latency_target = std::move(answers);
  return result;
}

AnswerFigures answer_at(double rate, std::vector<Invalid> invalid = {}) {
  AnswerFigures answer;
  answer.ops_per_sec = rate;
  answer.invalid = std::move(invalid);
  return answer;
}

TEST(ExitStatus, ALoadPointOfWhichNothingIsKnownIsInvalidWhereverItIs) {
  Result result = result_of({answer_at(1100)}, Purpose::load_point);
  EXPECT_EQ(exit_status_of(result), exit_status::done) << "an overload beyond the answer";
  result.load_points.back().operations = 0;
  result.load_points.back().invalid = {Invalid::nothing_measured};
  EXPECT_EQ(exit_status_of(result), exit_status::invalid);
}

TEST(ExitStatus, ASearchIsAsValidAsAllItsAnswers) {
  AnswerFigures valid, invalid, unmet;
  invalid.invalid = {Invalid::imprecise};
  unmet.met = false;
  unmet.invalid = {Invalid::no_load_meets_target};
  EXPECT_EQ(exit_status_of(result_of({valid, valid})), exit_status::done);
  EXPECT_EQ(exit_status_of(result_of({invalid, valid})), exit_status::invalid);
  EXPECT_EQ(exit_status_of(result_of({invalid, unmet})), exit_status::target_not_met);
  unmet.limit = RateLimit::search_time;
  EXPECT_EQ(exit_status_of(result_of({unmet})), exit_status::invalid) << "whether a load meets it is not known";
  unmet.limit.reset();
  unmet.invalid.push_back(Invalid::generator_limited);
  EXPECT_EQ(exit_status_of(result_of({unmet})), exit_status::invalid) << "the storage may meet it";
}

TEST(ExitStatus, ASearchThatALimitEndedOrThatNothingDemonstratesIsInvalid) {
  for (const auto& [limit, reason] : {std::pair(RateLimit::highest_rate, Invalid::target_not_reached),
                                      std::pair(RateLimit::procs, Invalid::target_not_reached),
                                      std::pair(RateLimit::host, Invalid::generator_limited)}) {
    AnswerFigures answer = answer_at(1000, {reason});
    answer.limit = limit;
    EXPECT_EQ(exit_status_of(result_of({answer})), exit_status::invalid) << to_string(limit);
  }
  EXPECT_EQ(exit_status_of(result_of({answer_at(1000, {Invalid::not_demonstrated})})), exit_status::invalid);
}

TEST(ExitStatus, LoadPointsThatWereAskedForMustBeValidUpToTheHighestAnswer) {
  EXPECT_EQ(exit_status_of(result_of({answer_at(1100)}, Purpose::load_point)), exit_status::done)
      << "an overload beyond the target is expected";
  EXPECT_EQ(exit_status_of(result_of({answer_at(500), answer_at(2000)}, Purpose::load_point)), exit_status::invalid);
  Result result = result_of({answer_at(500), answer_at(1000)}, Purpose::load_point);
  EXPECT_EQ(exit_status_of(result), exit_status::done);
  result.load_points.front().invalid = {Invalid::errors};
  EXPECT_EQ(exit_status_of(result), exit_status::invalid);
}

TEST(ExitStatus, LoadPointsThatWereAskedForAndDoNotReachTheTargetAreNotDone) {
  Result result = result_of({answer_at(2000, {Invalid::target_not_reached})}, Purpose::load_point);
  result.at_latency_target[0].limit = RateLimit::highest_rate;
  result.load_points.back().invalid.clear();
  EXPECT_EQ(exit_status_of(result), exit_status::invalid);
  result.at_latency_target[0].met = false;
  EXPECT_EQ(exit_status_of(result), exit_status::target_not_met);
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

TEST(ExitStatus, AComparisonThatHasLostAHostHasFailed) {
  ComparisonResult comparison = testing::sample_comparison("2ms");
  comparison.status = Status::failed;
  comparison.failure = "h2 (rank 1): has not been heard of for 10 s";
  EXPECT_EQ(exit_status_of(comparison), exit_status::run_failed);
  EXPECT_EQ(from_json<ComparisonResult>(to_json(comparison)).failure, comparison.failure);
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
