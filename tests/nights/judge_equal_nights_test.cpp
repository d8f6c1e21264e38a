// Nights that are exactly equal, as simulations of one seed are.
#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

Night night_of_two(std::size_t at, double rate, double ms) {
  return sample_night(at, {sample_rate(rate), {"mean ms", FigureKind::latency, ms, 0}});
}

TEST(Judge, NightsThatAreEqualInAllFiguresDoNotSayHowNightsVary) {
  std::vector<Night> history;
  for (std::size_t i = 0; i < 6; ++i) history.push_back(night_of_two(i, 1000, 2));
  const NightJudgement other = judge(history, night_of_two(6, 920, 2.2), {});
  EXPECT_EQ(other.verdict, NightVerdict::cannot_tell);
  for (const FigureVerdict& figure : other.figures) {
    EXPECT_FALSE(figure.change);
    EXPECT_NE(figure.note.find("are exactly equal"), std::string::npos) << figure.note;
  }
  EXPECT_EQ(judge(history, night_of_two(6, 1000, 2), {}).verdict, NightVerdict::no_change) << "equal as well";
  history.push_back(night_of_two(6, 920, 2.2));
  EXPECT_EQ(judge(history, night_of_two(7, 900, 2.3), {}).verdict, NightVerdict::cannot_tell)
      << "one odd night among equal ones does not say it either";
}

TEST(Judge, AFigureThatIsEqualEachNightIsJudgedWhereOthersVary) {
  std::vector<Night> history;
  for (std::size_t i = 0; i < 10; ++i)
    history.push_back(night_of_two(i, 1000, 2 + 0.01 * static_cast<double>(i * 7 % 5)));
  EXPECT_EQ(judge(history, night_of_two(10, 800, 2.02), {}).verdict, NightVerdict::regression)
      << "a rate that was always reached";
}

}  // namespace
}  // namespace edagen::testing
