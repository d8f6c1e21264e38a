#include "search/shape_rates.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fakes/station_setup.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::StationSetup;

CurvePlan plan_with_shape() {
  CurvePlan plan;
  plan.load.warmup = 5s;
  plan.load.duration = 20s;
  plan.arrivals = Arrivals::poisson;
  plan.targets = {2ms};
  plan.own_rate = 100;
  plan.shape.emplace();
  return plan;
}

AtTarget answer_at(double rate) {
  AtTarget answer;
  answer.target = 2ms;
  answer.ops_per_sec = rate;
  return answer;
}

std::vector<const CurvePoint*> shape_of(const Curve& curve) {
  std::vector<const CurvePoint*> points;
  for (const CurvePoint& point : curve.points)
    if (point.purpose == Purpose::shape) points.push_back(&point);
  return points;
}

TEST(ShapeRates, AreTenUpToTheAnswerAndTwoBeyondIt) {
  EXPECT_EQ(shape_rates(plan_with_shape(), answer_at(500)),
            (std::vector<double>{50, 100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600}));
}

TEST(ShapeRates, OfALowerBoundEndWithIt) {
  AtTarget answer = answer_at(500);
  answer.limit = RateLimit::procs;
  const std::vector<double> rates = shape_rates(plan_with_shape(), answer);
  ASSERT_EQ(rates.size(), 10u);
  EXPECT_EQ(rates.back(), 500);
}

TEST(ShapeRates, OfATargetThatNoLoadMeetsAreNone) {
  AtTarget answer = answer_at(0);
  answer.met = false;
  EXPECT_TRUE(shape_rates(plan_with_shape(), answer).empty());
  CurvePlan without = plan_with_shape();
  without.shape.reset();
  EXPECT_TRUE(shape_rates(without, answer_at(500)).empty());
}

TEST(ShapeRates, StayWithinTheHighestRateThatMayBeRequested) {
  CurvePlan plan = plan_with_shape();
  plan.max_rate = 560;
  EXPECT_EQ(shape_rates(plan, answer_at(500)).back(), 550);
}

TEST(ShapeRates, OfJobSetsAreWholeNumbersOnTheSameSideOfTheAnswerEachOnce) {
  CurvePlan plan = plan_with_shape();
  plan.job_sets = 10;
  plan.own_rate = 1000;
  EXPECT_EQ(shape_rates(plan, answer_at(430)), (std::vector<double>{100, 200, 300, 400, 500, 600}));
}

TEST(Shape, FollowsTheAnswerAndDoesNotChangeIt) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1), same(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan without = plan_with_shape();
  without.shape.reset();
  const Curve curve = measure(setup.runner(), plan_with_shape(), ignore_events),
              search = measure(same.runner(), without, ignore_events);
  EXPECT_EQ(curve.answers[0].ops_per_sec, search.answers[0].ops_per_sec);
  EXPECT_EQ(curve.answers[0].low, search.answers[0].low);
  EXPECT_EQ(curve.answers[0].high, search.answers[0].high);
  EXPECT_EQ(curve.answers[0].invalid, search.answers[0].invalid);
  ASSERT_EQ(curve.points.size(), search.points.size() + 12) << "the same search, and the shape after it";
  const std::vector<const CurvePoint*> shape = shape_of(curve);
  ASSERT_EQ(shape.size(), 12u);
  EXPECT_EQ(shape.back(), &curve.points.back());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const double rate = curve.answers[0].ops_per_sec * static_cast<double>(i + 1) / 10;
    EXPECT_DOUBLE_EQ(*shape[i]->stats.requested_ops_per_sec, rate);
    EXPECT_GT(shape[i]->degrees_of_freedom, 0) << "it has an error bar";
  }
  EXPECT_NEAR(Millis(shape[4]->latency).count(), 1000 / (1000 - 250.0), 0.25) << "M/M/1 at a quarter of its rate";
}

TEST(Shape, HasSixteenEqualIntervalsAtEachRate) {
  const CurvePlan plan = plan_with_shape();
  for (const double rate : {1.0, 11.07549, 13.7, 17.4, 23.0, 24.9, 500.0}) {
    const double seconds = shape_seconds(plan, rate);
    EXPECT_EQ(from_seconds(seconds).count() % 16, 0) << rate;
    EXPECT_NEAR(seconds, std::clamp(100 / rate, 4.0, 10.0), 0.02) << rate;
  }
  StationSetup setup(1, 40e6, ServiceTimes::exponential, 1);
  CurvePlan of_slow = plan_with_shape();
  of_slow.targets = {100ms};
  const Curve curve = measure(setup.runner(), of_slow, ignore_events);
  const std::vector<const CurvePoint*> shape = shape_of(curve);
  ASSERT_FALSE(shape.empty());
  for (const CurvePoint* const point : shape)
    EXPECT_EQ(point->stats.intervals.size(), 16u) << *point->stats.requested_ops_per_sec;
}

TEST(Shape, KeepsTheFirstPointThatOverloadsAndBeginsNoOther) {
  // A wall: the latency is that of the service until the rate is that of the station.
  StationSetup setup(1, 1e6, ServiceTimes::deterministic, 1);
  CurvePlan plan = plan_with_shape();
  plan.arrivals = Arrivals::uniform;
  const Curve curve = measure(setup.runner(), plan, ignore_events);
  const std::vector<const CurvePoint*> shape = shape_of(curve);
  ASSERT_GE(shape.size(), 10u);
  const auto overloads =
      std::ranges::count_if(shape, [](const CurvePoint* point) { return !point->reached() || point->latency > 6ms; });
  EXPECT_EQ(overloads, 1);
  EXPECT_GT(shape.back()->latency, 6ms) << "it is there, as it was";
  EXPECT_LT(shape.size(), 12u);
}

TEST(Shape, OfFixedPointsIsThesePoints) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  CurvePlan plan = plan_with_shape();
  plan.rates = {100, 300, 700};
  const Curve curve = measure(setup.runner(), plan, ignore_events);
  EXPECT_EQ(curve.points.size(), 3u);
  EXPECT_TRUE(shape_of(curve).empty());
}

/// Asked to stop when a load point of the shape begins.
class StopsInItsShape final : public LoadRunner {
 public:
  StopsInItsShape(LoadRunner& real, const bool& in_shape) : real_(real), in_shape_(in_shape) {}
  RunStats run(const LoadPoint& load, const EventSink& emit) override {
    RunStats stats = real_.run(load, emit);
    stats.interrupted = in_shape_;
    return stats;
  }
  std::uint64_t end_load() override { return real_.end_load(); }

 private:
  LoadRunner& real_;
  const bool& in_shape_;
};

TEST(Shape, ThatIsInterruptedLeavesTheAnswerValid) {
  StationSetup setup(1, 1e6, ServiceTimes::exponential, 1);
  bool in_shape = false;
  StopsInItsShape stops(setup.runner(), in_shape);
  const Curve curve = measure(stops, plan_with_shape(), [&](const Event& event) {
    if (const auto* const began = std::get_if<PointBegan>(&event))
      in_shape = began->purpose == to_string(Purpose::shape);
  });
  EXPECT_TRUE(curve.interrupted);
  EXPECT_EQ(shape_of(curve).size(), 1u) << "no other begins";
  EXPECT_TRUE(curve.answers[0].invalid.empty());
}

}  // namespace
}  // namespace edagen
