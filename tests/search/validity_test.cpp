#include "search/validity.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace edagen {
namespace {

using namespace std::chrono_literals;
using Reasons = std::vector<Invalid>;

/// 1,000 ops of two kinds of procs in 1 s, as requested.
RunStats good() {
  RunStats stats;
  stats.length = 1s;
  stats.requested_ops_per_sec = 1000;
  for (int i = 0; i < 1000; ++i) stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  stats.groups = {{"functional", 3, 600, 600, 1}, {"physical", 2, 400, 400, 1}};
  return stats;
}

TEST(Validity, APointThatReachedItsRatesIsValid) { EXPECT_EQ(invalid_reasons(good()), Reasons{}); }

TEST(Validity, LessThan95PercentOfTheRateIsTooLow) {
  RunStats stats = good();
  stats.requested_ops_per_sec = 1053;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.requested_ops_per_sec = 1055;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::achieved_rate_low});
}

TEST(Validity, AProcBelow75PercentOfItsRateIsTooLow) {
  RunStats stats = good();
  stats.groups[1].least_proc_share = 0.74;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::proc_rate_low});
}

TEST(Validity, AKindOfProcThatIsMoreThanFivePointsOffItsShareSpoilsTheMix) {
  RunStats stats = good();
  stats.groups[0].operations = 649, stats.groups[1].operations = 351;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[0].operations = 651, stats.groups[1].operations = 349;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::mix_off});
}

TEST(Validity, TheGeneratorsOwnDelayMayNotBeAMeasurement) {
  RunStats stats = good();
  stats.generator_lag_mean = 99us;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.generator_lag_mean = 101us;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_limited});
}

TEST(Validity, ErrorsStuckOpsAndEarlyEndsAreReasons) {
  RunStats stats = good();
  stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {EIO, 0, 0});
  stats.stuck_ops = 1;
  stats.interrupted = true;
  EXPECT_EQ(invalid_reasons(stats), (Reasons{Invalid::errors, Invalid::stuck_ops, Invalid::interrupted}));
  EXPECT_EQ(invalid_reasons(RunStats{}), Reasons{Invalid::nothing_measured});
}

TEST(Validity, AClosedLoopPointHasNoRateToMiss) {
  RunStats stats = good();
  stats.requested_ops_per_sec.reset();
  for (GroupStats& group : stats.groups) group.requested_ops_per_sec.reset();
  stats.groups[0].operations = 10;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
}

}  // namespace
}  // namespace edagen
