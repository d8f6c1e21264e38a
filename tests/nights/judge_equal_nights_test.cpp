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

/// A p99 that is equal each night, and a mean that varies; with a reference of another p99, when there is one.
Night night_of_p99(std::size_t at, double p99, std::optional<double> reference = {}) {
  const auto figures = [](double tail, std::size_t varies) {
    return std::vector<NightFigure>{{"p99 ms", FigureKind::tail, tail, 0.01},
                                    {"mean ms", FigureKind::latency, 2 + 0.01 * static_cast<double>(varies), 0.002}};
  };
  Night night = sample_night(at, figures(p99, at * 7 % 5));
  if (!reference) return night;
  std::vector<NightRun>& runs = night.measurements[0].runs;
  runs.push_back(runs[0]);
  runs[1].reference = true;
  runs[1].figures = figures(*reference, at * 3 % 4);
  return night;
}

TEST(Judge, TheNextBucketOfTheHistogramIsNoChangeOfAP99ThatIsEqualEachNight) {
  constexpr double below = 11.07558, usual = 11.20666, above = 11.33773;  // the middles of three buckets in a row
  std::vector<Night> alone, beside;
  for (std::size_t i = 0; i < 10; ++i) {
    alone.push_back(night_of_p99(i, usual));
    beside.push_back(night_of_p99(i, usual, usual));
  }
  const auto verdict = [](const std::vector<Night>& history, const Night& tonight, const Gate& gate = {}) {
    return judge(history, tonight, gate).figures.at(0).verdict;
  };
  for (const double next : {below, above}) {
    EXPECT_EQ(verdict(alone, night_of_p99(10, next)), NightVerdict::no_change) << next;
    EXPECT_EQ(verdict(beside, night_of_p99(10, next, usual)), NightVerdict::no_change) << next;
    EXPECT_EQ(verdict(beside, night_of_p99(10, usual, next)), NightVerdict::no_change) << next;
  }
  Gate strict;
  strict.max_tail_regression = 0.005;
  EXPECT_EQ(verdict(alone, night_of_p99(10, above), strict), NightVerdict::cannot_tell) << "no loss is shown";
  EXPECT_EQ(verdict(alone, night_of_p99(10, 1.2 * usual)), NightVerdict::regression);
  EXPECT_EQ(verdict(alone, night_of_p99(10, usual / 1.1)), NightVerdict::improvement);
}

}  // namespace
}  // namespace edagen::testing
