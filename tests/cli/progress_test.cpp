#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(Progress, ARunThatTakesLongerThanWasExpectedIsNotBeyondItsEnd) {
  using std::chrono::milliseconds, std::chrono::seconds;
  EXPECT_EQ(time_text(milliseconds(2'900), seconds(4)), "3 s of 4 s");
  EXPECT_EQ(time_text(milliseconds(4'400), seconds(4)), "4 s of 4 s");
  EXPECT_EQ(time_text(milliseconds(4'600), seconds(4)), "5 s, 4 s were expected");
}

}  // namespace
}  // namespace edagen
