#include "session/repeats_end.hpp"

#include <gtest/gtest.h>

#include "compare/comparison_result.hpp"

namespace edagen {
namespace {

/// Why a comparison with --until ends after so many repeats, of which the second variant has so many invalid ones.
std::optional<EndReason> end_after(std::size_t repeats, std::size_t invalid, Invalid reason,
                                   const std::optional<std::string>& refused = {}) {
  std::vector<RunFigures> a, b;
  for (std::size_t repeat = 1; repeat <= repeats; ++repeat) {
    a.push_back({1000, 1, Millis(2), 0, {}, repeat});
    b.push_back({1100 + static_cast<double>(repeat % 3), 1, Millis(2), 0, {}, repeat});
    if (repeat <= invalid) b.back().invalid = {reason};
  }
  ComparisonResult so_far;
  so_far.at_latency_target = "2ms";
  add_variant(so_far, "a", "/a", a);
  add_variant(so_far, "b", "/b", b, {}, refused);
  ComparisonPlan plan;
  plan.repeats = 1000;
  plan.until = 0.05;
  return end_of_repeats(plan, so_far, repeats, Nanos(0), Nanos(0));
}

TEST(EndOfRepeats, APrecisionIsOfSixUsablePairsAndWhereNoVerdictCanComeTheRepeatsEnd) {
  using enum Invalid;
  EXPECT_EQ(end_after(6, 0, unsteady), EndReason::precision);
  EXPECT_FALSE(end_after(6, 3, unsteady)) << "three pairs are often alike by chance";
  EXPECT_EQ(end_after(9, 3, unsteady), EndReason::precision);
  EXPECT_EQ(end_after(6, 6, unsteady), EndReason::failure);
  EXPECT_EQ(end_after(6, 1, target_not_reached), EndReason::failure) << "a lower bound is not compared";
  EXPECT_EQ(end_after(6, 0, unsteady, "Protocol not supported"), EndReason::failure) << "one variant is left";
}

TEST(EndOfRepeats, TheTimeOfClimbsAndPilotsIsNoneOfARepeat) {
  ComparisonPlan plan;
  plan.repeats = 1000;
  plan.max_time = std::chrono::seconds(200);
  const auto end_at = [&](std::size_t repeats, int spent, int before) {
    return end_of_repeats(plan, {}, repeats, std::chrono::seconds(spent), std::chrono::seconds(before));
  };
  EXPECT_FALSE(end_at(1, 130, 80)) << "a repeat took 50 s, and 70 s are left";
  EXPECT_EQ(end_at(2, 180, 80), EndReason::time);
  EXPECT_EQ(end_at(1, 130, 0), EndReason::time) << "a repeat took 130 s";
}

}  // namespace
}  // namespace edagen
