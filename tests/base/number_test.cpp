#include "base/number.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(Number, IsAWholeText) {
  EXPECT_EQ(whole_number_of<int>("-42"), -42);
  EXPECT_EQ(number_of("1.5e3"), 1500);
  for (const char* const text : {"", " 1", "1 ", "+1", "1x", "0x1", "one"}) {
    EXPECT_FALSE(whole_number_of<int>(text)) << text;
    EXPECT_FALSE(number_of(text)) << text;
  }
}

TEST(Number, FitsItsType) {
  EXPECT_FALSE(whole_number_of<unsigned short>("65536"));
  EXPECT_FALSE(whole_number_of<unsigned short>("-1"));
  EXPECT_FALSE(number_of("1e999"));
}

TEST(Number, IsFinite) {
  EXPECT_FALSE(number_of("inf"));
  EXPECT_FALSE(number_of("nan"));
}

TEST(Number, HasNoExponentInAFixedFormat) {
  EXPECT_EQ(number_of("2.5", std::chars_format::fixed), 2.5);
  EXPECT_FALSE(number_of("2e1", std::chars_format::fixed));
}

}  // namespace
}  // namespace edagen
