#include "session/first_op_spread.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

HostStats began(Nanos first_op, Nanos clock_uncertainty) {
  HostStats host;
  host.first_op = first_op;
  host.clock_uncertainty = clock_uncertainty;
  return host;
}

TEST(FirstOpSpread, IsFromTheEarliestToTheLatestAsFarAsTheirClocksAreKnown) {
  const auto spread = first_op_spread({began(3ms, 0ns), began(7ms, 200us), began(2ms, 100us)});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->spread, 5ms);
  EXPECT_NEAR(spread->uncertainty.count(), 0.3, 1e-9);
}

TEST(FirstOpSpread, AHostOfAnUncertainClockMayBeTheLatest) {
  const auto spread = first_op_spread({began(2ms, 0ns), began(7ms, 0ns), began(6ms, 4ms)});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->spread, 5ms);
  EXPECT_NEAR(spread->uncertainty.count(), 3, 1e-9);
}

TEST(FirstOpSpread, OfHostsWithoutAnOpNothingIsKnown) {
  EXPECT_FALSE(first_op_spread({}));
  EXPECT_FALSE(first_op_spread({began(3ms, 0ns), began(0ns, 0ns)}));
}

}  // namespace
}  // namespace edagen
