#include "cli/load_session.hpp"

#include <gtest/gtest.h>

#include "cli/exit_status.hpp"
#include "fakes/made_point.hpp"

namespace edagen {
namespace {

Curve curve_of(std::vector<AtTarget> answers) {
  Curve curve;
  curve.points = {testing::made_point(Purpose::exploration, 100, 2, 0.1), testing::made_point(Purpose::refinement, 100, 2, 0.1)};
  curve.points.front().invalid = {Invalid::achieved_rate_low};
  curve.answers = std::move(answers);
  return curve;
}

TEST(LoadSession, ASearchIsAsValidAsAllItsAnswers) {
  AtTarget valid, invalid, unmet;
  invalid.invalid = {Invalid::unsteady};
  unmet.met = false;
  EXPECT_EQ(status_of(curve_of({valid, valid})), exit_status::done);
  EXPECT_EQ(status_of(curve_of({invalid, valid})), exit_status::invalid);
  EXPECT_EQ(status_of(curve_of({invalid, unmet})), exit_status::target_not_met);
}

TEST(LoadSession, LoadPointsThatWereAskedForMustAllBeValid) {
  Curve curve = curve_of({AtTarget{}});
  for (CurvePoint& point : curve.points) point.purpose = Purpose::load_point;
  EXPECT_EQ(status_of(curve), exit_status::invalid);
  for (CurvePoint& point : curve.points) point.invalid.clear();
  EXPECT_EQ(status_of(curve), exit_status::done);
}

TEST(LoadSession, WithoutAnAnswerAllPointsMustBeValid) { EXPECT_EQ(status_of(curve_of({})), exit_status::invalid); }

}  // namespace
}  // namespace edagen
