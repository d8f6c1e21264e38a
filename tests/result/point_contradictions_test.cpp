#include "result/point_contradictions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "result/result_json.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

using namespace testing;

/// What is said of a load point of 500 ops/s; empty: nothing.
std::string said_of(const std::function<void(Document& point)>& change) {
  Document result = to_json(sample_result(sample_curve()));
  result["host"]["cpus"] = 2;
  change(result["load_points"][0]);
  return contradiction_in_point(result["load_points"][0], result);
}

TEST(PointContradictions, OfWhatIsTrueNothingIsSaid) {
  EXPECT_EQ(said_of([](Document&) {}), "");
  EXPECT_EQ(said_of([](Document& point) { point["requested_ops_per_sec"] = nullptr; }), "") << "of a closed loop";
}

TEST(PointContradictions, BytesOfKindsThatAreNotAllAreNamed) {
  EXPECT_NE(said_of([](Document& point) { point["ops"]["read_rand"]["bytes"] = 5; }).find("have 5 bytes together"),
            std::string::npos);
}

TEST(PointContradictions, AResponseThatIsNotServiceAndLagIsNamedUnlessOpsAreOutstanding) {
  const auto later = [](Document& point) { point["latency_ms"]["lag"]["mean"] = 0.5; };
  EXPECT_NE(said_of(later).find("service and lag are "), std::string::npos);
  EXPECT_EQ(said_of([&](Document& point) {
              later(point);
              point["ops_outstanding"] = 1;
              point["invalid_reasons"].push_back("ops_outstanding");
            }),
            "");
}

TEST(PointContradictions, TwoMeansOfTheGeneratorsLagAreNamed) {
  EXPECT_EQ(said_of([](Document& point) { point["generator_lag_mean_ms"] = 7; }),
            "generator_lag_mean_ms is not the mean of generator_lag_ms");
}

TEST(PointContradictions, GroupsThatAreNotTheLoadPointAreNamed) {
  EXPECT_EQ(said_of([](Document& point) { point["groups"][0]["achieved_ops_per_sec"] = 9; }),
            "its groups achieve 9 ops/s together, not 500.5");
  EXPECT_EQ(said_of([](Document& point) { point["groups"][0]["procs"] = 51; }),
            "the procs of its groups: 51 is not between 0 and 50");
}

TEST(PointContradictions, AmountsThatCannotBeAreNamed) {
  for (const double rate : {0.0, -5.0})
    EXPECT_EQ(said_of([&](Document& point) { point["requested_ops_per_sec"] = rate; }),
              "requested_ops_per_sec is not above 0");
  EXPECT_EQ(said_of([](Document& point) { point["cpu_cores_used"] = 3; }),
            "cpu_cores_used: 3 is not between 0 and 2.2");
  EXPECT_EQ(said_of([](Document& point) { point["warmup_seconds"] = 1e10; }),
            "warmup_seconds: 1e+10 is not between 0 and 1e+09");
}

}  // namespace
}  // namespace edagen
