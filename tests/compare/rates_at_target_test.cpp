#include "compare/rates_at_target.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "edagen/parts/random.hpp"

namespace edagen {
namespace {

/// A slice of a variant of this slope, whose rate at the target is `at_target`.
RunFigures slice_at(double offered, double at_target, double slope, std::uint64_t block) {
  RunFigures run{.ops_per_sec = offered, .mib_per_sec = offered / 100, .response = Millis(2)};
  run.slice = SliceFigures{
      .block = block, .offered_ops_per_sec = offered, .distance_from_target = slope * std::log(offered / at_target)};
  return run;
}

/// Blocks at 5 % below and over 1,000 ops/s, while the rate at the target changes from block to block.
std::vector<RunFigures> blocks_of(double slope, std::vector<double> rates_at_target) {
  std::vector<RunFigures> slices;
  for (std::size_t i = 0; i < rates_at_target.size(); ++i)
    for (const double offered : {1050.0, 950.0}) slices.push_back(slice_at(offered, rates_at_target[i], slope, i));
  return slices;
}

TEST(RatesAtTarget, TheSlopeIsThatBetweenTheSlicesOfABlockWhateverChangesFromBlockToBlock) {
  std::vector<double> changing;
  for (int i = 0; i < 200; ++i) changing.push_back(1000 + 100 * std::sin(i));
  for (const double slope : {1.0, 4.0, 15.0}) EXPECT_NEAR(slope_at_target(blocks_of(slope, changing)), slope, 0.15);
}

TEST(RatesAtTarget, FewBlocksMoveTheSlopeLittle) {
  EXPECT_EQ(slope_at_target({}), 4);
  EXPECT_GT(slope_at_target(blocks_of(-20, {1000})), 0) << "a block in which the latency falls by chance";
}

TEST(RatesAtTarget, EachSliceShowsTheRateAtTheTargetAndItsMiBAtThatRate) {
  const std::vector<RunFigures> slices = at_target(blocks_of(4, {900, 1000}));
  for (std::size_t i = 0; i < slices.size(); ++i) {
    EXPECT_NEAR(slices[i].ops_per_sec, i < 2 ? 900 : 1000, 1e-6);
    EXPECT_NEAR(slices[i].mib_per_sec, slices[i].ops_per_sec / 100, 1e-9);
  }
}

TEST(RatesAtTarget, WhereTheLatencyDoesNotSurelyRiseWithTheRateTheRatesAreImprecise) {
  std::vector<RunFigures> flat = blocks_of(0.05, std::vector<double>(40, 1000));
  Random random(1);
  for (RunFigures& slice : flat) *slice.slice->distance_from_target += 0.2 * random.normal();
  EXPECT_EQ(at_target(flat).front().invalid, std::vector{Invalid::imprecise});
  EXPECT_TRUE(at_target(blocks_of(4, std::vector<double>(40, 1000))).front().valid());
}

TEST(RatesAtTarget, ASliceInWhichEdagenWasLateMovesNoSlopeAndAWholeRunStaysAsItIs) {
  std::vector<RunFigures> slices = blocks_of(4, {1000, 1000, 1000});
  slices.push_back(slice_at(1050, 1000, 100, 9));
  slices.push_back(slice_at(950, 1000, 100, 9));
  slices.back().invalid = {Invalid::generator_paused};
  EXPECT_NEAR(slope_at_target(slices), 4, 1e-9);
  const RunFigures whole{.ops_per_sec = 700, .mib_per_sec = 7};
  EXPECT_EQ(at_target({whole}).front().ops_per_sec, 700);
}

}  // namespace
}  // namespace edagen
