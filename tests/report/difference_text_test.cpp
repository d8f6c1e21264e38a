#include "report/difference_text.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(DifferenceText, OfManyDifferencesTheFirstTwoAreToldAndTheOthersCounted) {
  EXPECT_EQ(few_differences("m: 2 nights are not comparable with tonight: a '1' is '2' now; b '1' is '2' now; c '1' is "
                            "'none' now; reference: d '1' is '2' now"),
            "m: 2 nights are not comparable with tonight: a '1' is '2' now; b '1' is '2' now, and 2 more");
  const std::string both = "a '1' is '2' now; b '1' is '2' now";
  EXPECT_EQ(few_differences(both), both);
}

TEST(DifferenceText, OfLongOnesTheFirstIsToldAlone) {
  const std::string name(180, 'a');
  EXPECT_EQ(few_differences(name + " '1' is '2' now; b '1' is '2' now; c '1' is '2' now"),
            name + " '1' is '2' now, and 2 more");
}

TEST(DifferenceText, AnyOtherTextIsShownAndNotObeyed) {
  EXPECT_EQ(few_differences("drifts by 1 %\x1b"), "drifts by 1 %\\x1b");
  EXPECT_EQ(few_differences(std::string(500, 'x'), 2000), std::string(500, 'x'));
}

}  // namespace
}  // namespace edagen
