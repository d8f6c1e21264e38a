#include <gtest/gtest.h>

#include "fakes/session_fixture.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

class ClientsOfASimulatedVolume : public SessionTest {};

TEST_F(ClientsOfASimulatedVolume, AreAlikeAndNotNamed) {
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    RunPlan plan = simulated();
    plan.clients = 8;
    plan.seed = seed;
    auto series = std::get<LoadSeries>(plan.measurement);
    series.load.duration = 20s;
    plan.measurement = series;
    const Result result = session_.run(plan);
    ASSERT_EQ(result.load_points.back().clients.size(), 8u);
    EXPECT_GT(result.load_points.back().clients[7].response_mean, Millis(0));
    EXPECT_TRUE(result.load_points.back().clients[7].against_others);
    wrong += result.load_points.back().mount_findings.empty() ? 0 : 1;
  }
  EXPECT_LE(wrong, 1);
}

}  // namespace
}  // namespace edagen::testing
