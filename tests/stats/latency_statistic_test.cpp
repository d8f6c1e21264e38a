#include "edagen/parts/latency_statistic.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(LatencyStatistic, MeansAndPercentilesOfResponseAndServiceAreTold) {
  OpStats stats;
  for (int i = 0; i < 99; ++i) stats.record(OpKind::stat, {2ms, 1ms, 1ms}, {});
  stats.record(OpKind::stat, {102ms, 1ms, 101ms}, {});
  EXPECT_NEAR(LatencyStatistic::parse("mean", "response").of(stats), 3e6, 1);
  EXPECT_NEAR(LatencyStatistic::parse("mean", "service").of(stats), 1e6, 1);
  EXPECT_NEAR(LatencyStatistic::parse("p99", "response").of(stats), 2e6, 2e4);
  EXPECT_NEAR(LatencyStatistic::parse("p99.9", "response").of(stats), 102e6, 1e6);
}

TEST(LatencyStatistic, NamesAreReadBackAndOthersRefused) {
  for (const char* const name : {"mean", "p50", "p95", "p99", "p99.9"})
    EXPECT_EQ(LatencyStatistic::parse(name, "response").name(), name);
  EXPECT_THROW(LatencyStatistic::parse("p42", "response"), Error);
  EXPECT_THROW(LatencyStatistic::parse("mean", "lag"), Error);
}

}  // namespace
}  // namespace edagen
