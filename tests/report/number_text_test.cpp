#include "report/number_text.hpp"

#include <gtest/gtest.h>

#include "base/words.hpp"

namespace edagen {
namespace {

TEST(NumberText, IsWrittenInDigitsWhateverTheSize) {
  EXPECT_EQ(percent_text(0.996), "100 %");
  EXPECT_EQ(percent_text(12), "1,200 %");
  EXPECT_EQ(percent_text(0.0312), "3.1 %");
  EXPECT_EQ(percent_text(0.05), "5 %");
  EXPECT_EQ(percent_text(0.00001), "0.001 %");
  EXPECT_EQ(percent_text(1e-9), "below 0.001 %");
  EXPECT_EQ(percent_text(0), "0 %");
  EXPECT_EQ(signed_percent(0.015), "+1.5 %");
  EXPECT_EQ(signed_percent(-0.5), "-50.0 %");
  EXPECT_EQ(signed_percent(42), "+4,200 %");
  EXPECT_EQ(value_text(999.7), "1,000");
  EXPECT_EQ(value_text(2.013), "2.01");
  EXPECT_EQ(value_text(0.0000123), "0.0000123");
}

TEST(NumberText, FiguresAndRatiosBesideEachOtherHaveThreeDigitsAlsoWhereTheLastAreZeros) {
  EXPECT_EQ(value_text(1), "1.00");
  EXPECT_EQ(value_text(20), "20.0");
  EXPECT_EQ(value_text(100), "100");
  EXPECT_EQ(value_text(99.96), "100");
  EXPECT_EQ(value_text(0.05), "0.0500");
  EXPECT_EQ(multiple_text(1), "1.00x");
  EXPECT_EQ(multiple_text(10), "10.0x");
  EXPECT_EQ(multiple_text(200), "200x");
  EXPECT_EQ(short_text(20), "20");
  EXPECT_EQ(short_text(2.213), "2.21");
}

TEST(NumberText, AChangeThatIsNoneAsItIsShownHasNoSign) {
  for (const double none : {0.0, -0.0, 0.0003, -0.0003}) EXPECT_EQ(signed_percent(none), "0.0 %") << none;
  EXPECT_EQ(signed_percent(-0.0006), "-0.1 %");
}

TEST(NumberText, OneIsSingular) {
  EXPECT_EQ(counted(1, "measurement"), "1 measurement");
  EXPECT_EQ(counted(2000, "proc"), "2,000 procs");
  EXPECT_EQ(counted(0, "night"), "0 nights");
}

}  // namespace
}  // namespace edagen
