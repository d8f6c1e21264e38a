#include "report/staleness_text.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(StalenessText, WhatWasStaleToTheEndIsToldAsLonger) {
  StalenessFigures stale;
  stale.attributes = {.looks = 1000,
                      .stale = 900,
                      .stale_share = 0.9,
                      .periods = 4,
                      .unended = 4,
                      .stale_for_p50 = std::nullopt,
                      .stale_for_max = Millis(4900)};
  stale.data = {.looks = 1000,
                .stale = 90,
                .stale_share = 0.09,
                .periods = 5,
                .unended = 1,
                .stale_for_p50 = Millis(30),
                .stale_for_max = Millis(2000)};
  const std::string text = staleness_text(stale);
  EXPECT_NE(text.find("        4        4  > 4,900  > 4,900\n"), std::string::npos) << text;
  EXPECT_NE(text.find("        5        1"), std::string::npos) << text;
  EXPECT_NE(text.find("  > 2,000\n"), std::string::npos) << text;
  EXPECT_NE(text.find("still stale when the watching ended"), std::string::npos) << text;
  EXPECT_EQ(staleness_text({}).find(">"), std::string::npos);
  EXPECT_EQ(staleness_text({}).find("0.0"), std::string::npos) << "without checks nothing is known";
}

}  // namespace
}  // namespace edagen
