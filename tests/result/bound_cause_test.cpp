#include "result/bound_cause.hpp"

#include <gtest/gtest.h>

#include "support/sample_result.hpp"

namespace edagen {
namespace {

TEST(BoundCause, IsAsFineAsTheRemedies) {
  Result result = testing::sample_result(testing::sample_curve());
  AnswerFigures answer = result.at_latency_target.front();
  answer.limit = RateLimit::highest_rate;
  EXPECT_EQ(bound_cause(result, answer), BoundCause::points);
  result.load_points.front().purpose = Purpose::climb;
  EXPECT_EQ(bound_cause(result, answer), BoundCause::max_rate);
  result.load_points.back().active_job_sets = 10;
  EXPECT_EQ(bound_cause(result, answer), BoundCause::job_sets);
  answer.limit = RateLimit::search_time;
  EXPECT_EQ(bound_cause(result, answer), BoundCause::search_time);
  answer.invalid = {Invalid::target_not_reached, Invalid::stuck_ops};
  EXPECT_EQ(bound_cause(result, answer), BoundCause::early_end) << "an op that hangs has ended the search";
  answer.invalid.clear();
  result.status = Status::interrupted;
  EXPECT_EQ(bound_cause(result, answer), BoundCause::early_end) << "a longer search would have ended as early";
  answer.limit = RateLimit::procs;
  EXPECT_EQ(bound_cause(result, answer), BoundCause::procs);
}

TEST(BoundCause, CausesOfAResultAreThoseOfTargetsThatWereNotReachedEachOnce) {
  Result result = testing::sample_result(testing::sample_curve());
  EXPECT_TRUE(bound_causes(result).empty());
  AnswerFigures answer = result.at_latency_target.front();
  answer.limit = RateLimit::procs;
  result.at_latency_target = {answer, answer};
  EXPECT_EQ(bound_causes(result), std::vector{BoundCause::procs});
  for (AnswerFigures& each : result.at_latency_target) each.limit = RateLimit::host;
  EXPECT_TRUE(bound_causes(result).empty()) << "such an answer is generator_limited";
}

}  // namespace
}  // namespace edagen
