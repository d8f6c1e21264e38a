#include "live/load_phase.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(LoadPhase, ALongerWarmUpAndASecondWindowAreNamedUntilTheNextLoadPoint) {
  LoadPhase phase;
  phase.observe(PointBegan{1000.0, "block"});
  EXPECT_EQ(phase.text(false), "warm-up");
  phase.observe(WarmupExtended{});
  EXPECT_EQ(phase.text(false, " for 8 s"), "longer warm-up for 8 s (latency trends)");
  phase.observe(WindowBegan{});
  EXPECT_EQ(phase.text(true, " for 1 s"), "measuring for 1 s");
  phase.observe(WindowBegan{.again = true});
  EXPECT_EQ(phase.text(true), "measuring again (latency trended)");
  phase.observe(PointBegan{1000.0, "block"});
  EXPECT_EQ(phase.text(false), "warm-up");
  EXPECT_EQ(phase.text(true), "measuring");
}

TEST(LoadPhase, ASliceWhosePurposeNamesItsPhaseHasNone) {
  LoadPhase phase;
  phase.observe(PointBegan{1000.0, "block", /*is_slice=*/true});
  phase.observe(WindowBegan{});
  EXPECT_EQ(phase.text(false) + phase.text(true, " for 1 s"), "");
}

}  // namespace
}  // namespace edagen
