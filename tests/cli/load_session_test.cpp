#include "cli/load_session.hpp"

#include <gtest/gtest.h>

#include "cli/exit_status.hpp"
#include "edagen/curve/full_runs.hpp"
#include "fakes/made_point.hpp"

namespace edagen {
namespace {

/// A search's, with an answer of 100 ops/s, 95 to 105.
Curve found(std::vector<CurvePoint> points, std::size_t full_runs) {
  Curve curve;
  curve.points = std::move(points);
  AtTarget answer;
  answer.target = std::chrono::milliseconds(2);
  answer.ops_per_sec = 100, answer.low = 95, answer.high = 105;
  answer.full_runs = full_runs;
  curve.answers = {answer};
  return curve;
}

CurvePoint judged(double rate, const char* invalid = nullptr) {
  CurvePoint point = testing::made_point(judged_purpose, rate, 2, 0.1);
  if (invalid != nullptr) point.invalid = {invalid};
  return point;
}

TEST(LoadSession, ASearchWhoseFullRunNextToTheAnswerIsInvalidIsInvalid) {
  EXPECT_EQ(status_of(found({judged(100)}, 0)), exit_status::done);
  EXPECT_EQ(status_of(found({judged(100, "errors"), judged(97)}, 0)), exit_status::invalid);
}

TEST(LoadSession, OfSeveralFullRunsOneThatIsValidWithinTheIntervalWillDo) {
  EXPECT_EQ(status_of(found({judged(100, "unsteady"), judged(97)}, 7)), exit_status::done);
  EXPECT_EQ(status_of(found({judged(100, "unsteady"), judged(97, "unsteady"), judged(90)}, 7)), exit_status::invalid);
}

}  // namespace
}  // namespace edagen
