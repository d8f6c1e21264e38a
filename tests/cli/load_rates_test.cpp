#include "cli/load_rates.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace edagen {
namespace {

using Loads = std::vector<double>;

std::string refusal(const std::string& text) {
  return testing::error_of([&] { parse_points(text); });
}

TEST(Points, AreANumberOrARangeOrAList) {
  EXPECT_EQ(parse_points("10").count, 10u);
  EXPECT_TRUE(parse_points("10").loads.empty());
  EXPECT_EQ(parse_points("100:550:50").loads, (Loads{100, 150, 200, 250, 300, 350, 400, 450, 500, 550}));
  EXPECT_EQ(parse_points("2k,4k,8k").loads, (Loads{2000, 4000, 8000}));
  EXPECT_EQ(parse_points("1k:2k:0.5k").loads, (Loads{1000, 1500, 2000}));
  EXPECT_EQ(parse_points("500,1000").loads, (Loads{500, 1000}));
}

TEST(Points, InTheOrderOfSpecsConfigurationsAreRefusedWithTheirOwnForm) {
  const std::string refused = refusal("100:50:10");
  EXPECT_NE(refused.find("START:END:STEP"), std::string::npos) << refused;
  EXPECT_NE(refusal("100:50:10").find("below its start"), std::string::npos);
}

TEST(Points, OfWhichTheEndIsNoStepHaveTheLastStepBeforeItAsTheirRemedy) {
  EXPECT_NE(refusal("100:1200:200").find("100:1100:200"), std::string::npos) << refusal("100:1200:200");
}

TEST(Points, OfWhichTheThirdNumberIsNoLikelyCountAreTakenForARangeThatIsTurnedAround) {
  for (const auto& [text, range] :
       {std::pair("10k:5k:1k", "(load points from 5000 to 10000, 1000 apart, are 5000:10000:1000)"),
        std::pair("1000:100:150", "(load points from 100 to 1000, 150 apart, are 100:1000:150)"),
        std::pair("100:50:2.5", "(load points from 50 to 100, 2.5 apart, are 50:100:2.5)")})
    EXPECT_TRUE(refusal(text).ends_with(range)) << refusal(text);
  EXPECT_TRUE(
      refusal("100:50:10")
          .ends_with("(10 load points from 100 on, 50 apart, are 100:550:50; from 50 to 100 they are 50:100:10)"))
      << refusal("100:50:10");
}

TEST(Points, ThatMayMeanSomethingElseAreRefused) {
  for (const char* const text :
       {"2k", "100:550", "100:550:50:3", "100:550:60", "100,,200", "8k,4k", "4k,4k", "20,000,40,000", "1", "0", "99999",
        "-5", "a,b", "1:2,3", "5k:5k:1k", "0:10:5", "10:20:0", ""})
    EXPECT_FALSE(refusal(text).empty()) << text;
}

}  // namespace
}  // namespace edagen
