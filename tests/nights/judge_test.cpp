#include "nights/judge.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

TEST(Judge, ALossIsARegressionAndAGainAnImprovement) {
  const auto history = sample_history(20);
  const NightJudgement worse = judged(history, 900), better = judged(history, 1100), same = judged(history, 1001);
  EXPECT_EQ(worse.verdict, NightVerdict::regression);
  EXPECT_NEAR(worse.figures[0].change.value(), -0.1, 0.02);
  EXPECT_LT(worse.figures[0].interval[1].value(), 0);
  EXPECT_LE(worse.figures[0].p.value(), 0.01);
  EXPECT_EQ(better.verdict, NightVerdict::improvement);
  EXPECT_EQ(same.verdict, NightVerdict::no_change);
  EXPECT_LT(same.figures[0].smallest_visible.value(), 0.05);
}

TEST(Judge, OfLatenciesMoreIsWorse) {
  std::vector<Night> history;
  const auto night = [](std::size_t at, double ms) {
    return sample_night(at, {{"mean ms", FigureKind::latency, ms, 0}});
  };
  for (std::size_t i = 0; i < 10; ++i) history.push_back(night(i, 2 + 0.01 * static_cast<double>(i % 3)));
  EXPECT_EQ(judge(history, night(10, 2.5), {}).verdict, NightVerdict::regression);
  EXPECT_EQ(judge(history, night(10, 1.5), {}).verdict, NightVerdict::improvement);
}

TEST(Judge, NothingIsCalledUnchangedWhoseSmallestVisibleChangeExceedsTheLimit) {
  for (std::uint64_t seed = 1; seed < 60; ++seed)
    for (const double variation : {0.005, 0.01, 0.02, 0.05}) {
      const NightJudgement judgement = judged(sample_history(4 + seed % 30, variation, seed), 1000);
      const FigureVerdict& figure = judgement.figures[0];
      if (figure.verdict == NightVerdict::no_change) {
        EXPECT_LE(figure.smallest_visible.value(), 0.05);
        EXPECT_GE(figure.interval[0].value(), -0.05);
      } else if (figure.verdict == NightVerdict::cannot_tell) {
        EXPECT_TRUE(figure.smallest_visible.value() > 0.05 || figure.interval[0].value() < -0.05);
      }
    }
}

/// The note on p99 after 30 nights that vary as `draw` says.
std::string note_after(const std::function<double()>& draw) {
  std::vector<Night> history;
  const auto night = [&](std::size_t at) {
    return sample_night(at, {{"p99 ms at 500 ops/s", FigureKind::tail, 10 * std::exp(draw()), 0}});
  };
  for (std::size_t i = 0; i < 30; ++i) history.push_back(night(i));
  return judge(history, sample_night(30, {{"p99 ms at 500 ops/s", FigureKind::tail, 10, 0}}), {}).figures.at(0).note;
}

TEST(Judge, NightsThatAreNotAsItsProbabilitiesAssumeThemAreNamed) {
  constexpr const char* skewed = "nights are skewed, where normal ones are assumed";
  constexpr const char* alike = "nights are like those before them, where independent ones are assumed";
  int of_exponential = 0, of_walk = 0, of_normal = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    of_exponential += note_after([&] { return 0.1 * random.exponential(); }).find(skewed) != std::string::npos;
    double last = 0;
    of_walk += note_after([&] { return last = 0.8 * last + 0.012 * random.normal(); }).find(alike) != std::string::npos;
    const std::string normal = note_after([&] { return 0.02 * random.normal(); });
    of_normal += normal.find("are assumed") != std::string::npos;
  }
  EXPECT_GE(of_exponential, 12) << "of 20";
  EXPECT_GE(of_walk, 14) << "of 20";
  EXPECT_LE(of_normal, 4) << "of 20";
}

TEST(Judge, AnExpectedValueThatRestsOnInvalidNightsIsNamed) {
  std::vector<Night> history = sample_history(10);
  EXPECT_EQ(judged(history, 1000).figures[0].note, "");
  for (std::size_t i = 0; i < 5; ++i) history[i].measurements[0].runs[0].invalid = {Invalid::imprecise};
  EXPECT_EQ(judged(history, 1000).figures[0].note, "") << "half of them";
  history[5].measurements[0].runs[0].invalid = {Invalid::imprecise};
  EXPECT_EQ(judged(history, 1000).figures[0].note, "6 of the 10 nights behind what is expected are INVALID");
}

TEST(Judge, FewNightsTellNothing) {
  const NightJudgement judgement = judged(sample_history(2), 500);
  EXPECT_EQ(judgement.verdict, NightVerdict::cannot_tell);
  EXPECT_EQ(judgement.figures[0].note, "2 earlier measurements to compare with, and 3 are needed");
}

TEST(Judge, AFewWildNightsGiveNoIntervalAndNoNumbersBeyondReason) {
  const NightJudgement judgement = judged(sample_history(3, 2), 1000);
  EXPECT_EQ(judgement.verdict, NightVerdict::cannot_tell);
  EXPECT_FALSE(judgement.figures[0].interval[0]);
  EXPECT_FALSE(judgement.figures[0].smallest_visible);
  EXPECT_NE(judgement.figures[0].note.find("the nights vary too much"), std::string::npos) << judgement.figures[0].note;
}

TEST(Judge, ALossThatIsSurelyWithinTheLimitIsNoRegression) {
  EXPECT_EQ(judged(sample_history(30, 0.001), 985).verdict, NightVerdict::no_change);
  Gate strict;
  strict.max_regression = 0.01;
  EXPECT_EQ(judged(sample_history(30, 0.001), 985, strict).verdict, NightVerdict::regression);
}

TEST(Judge, NightsThatAreNotComparableAreLeftOutUnlessTheDifferenceIsAllowed) {
  auto history = sample_history(10);
  Night tonight = sample_night(10, {sample_rate(800)});
  tonight.measurements[0].comparable["kernel"] = "6.8";
  const NightJudgement refused = judge(history, tonight, {});
  EXPECT_EQ(refused.verdict, NightVerdict::cannot_tell);
  EXPECT_TRUE(refused.notes.empty());
  ASSERT_EQ(refused.incomparable.size(), 1u);
  EXPECT_NE(refused.incomparable[0].reason.find("kernel '6.1' is '6.8' now"), std::string::npos);
  Gate gate;
  gate.allowed = {"kernel"};
  EXPECT_EQ(judge(history, tonight, gate).verdict, NightVerdict::regression);
}

TEST(Judge, OneRunThatStatesAWideErrorDoesNotTurnTheGateOff) {
  auto history = sample_history(20, 0.005);
  history[7].measurements[0].runs[0].figures[0].error = 3;
  const NightJudgement same = judged(history, 1001), worse = judged(history, 940);
  EXPECT_EQ(same.verdict, NightVerdict::no_change);
  EXPECT_LT(same.figures[0].smallest_visible.value(), 0.05);
  EXPECT_EQ(worse.verdict, NightVerdict::regression);
}

TEST(Judge, DetailsNeverKeepANightFromBeingTold) {
  Random random(1);
  std::vector<Night> history;
  const auto night = [&](std::size_t at) {
    return sample_night(at, {sample_rate(1000 * std::exp(0.005 * random.normal())),
                             {"stat ms", FigureKind::op_kind, std::exp(0.3 * random.normal()), 0}});
  };
  for (std::size_t i = 0; i < 20; ++i) history.push_back(night(i));
  const NightJudgement judgement = judge(history, night(20), {});
  EXPECT_EQ(judgement.figures[1].verdict, NightVerdict::cannot_tell);
  EXPECT_EQ(judgement.verdict, NightVerdict::no_change);
}

TEST(Judge, ATailHasALimitOfItsOwn) {
  std::vector<Night> history;
  Random random(2);
  const auto night = [&](std::size_t at, double worse) {
    return sample_night(at, {{"p99 ms", FigureKind::tail, 5 * worse * std::exp(0.02 * random.normal()), 0}});
  };
  for (std::size_t i = 0; i < 20; ++i) history.push_back(night(i, 1));
  EXPECT_EQ(judge(history, night(20, 1), {}).verdict, NightVerdict::no_change);
  EXPECT_EQ(judge(history, night(20, 1.15), {}).verdict, NightVerdict::regression);
}

TEST(Judge, AVerdictNeverContradictsItsInterval) {
  Random random(9);
  int regressions = 0;
  for (int i = 0; i < 400; ++i) {
    std::vector<Night> history;
    for (std::size_t at = 0; at < 21; ++at) {
      std::vector<NightFigure> figures;
      for (int f = 0; f < 6; ++f) {
        figures.push_back(sample_rate(1000 * std::exp(0.01 * random.normal() - (at == 20 ? 0.035 : 0))));
        figures.back().name += std::to_string(f);
      }
      history.push_back(sample_night(at, figures));
    }
    for (const FigureVerdict& figure : judge(std::span(history).first(20), history[20], {}).figures) {
      const bool excludes = figure.interval[1].value() < 0;
      EXPECT_EQ(excludes, figure.p.value() <= 0.01);
      EXPECT_EQ(excludes && figure.interval[0].value() < -0.05, figure.verdict == NightVerdict::regression);
      regressions += excludes ? 1 : 0;
    }
  }
  EXPECT_GT(regressions, 100);
}

TEST(Judge, WhatIsComparedAlthoughItDiffersIsSaid) {
  const auto history = sample_history(10);
  Night tonight = sample_night(10, {sample_rate(1000)});
  tonight.measurements[0].comparable["kernel"] = "6.8";
  Gate gate;
  gate.allowed = {"kernel"};
  const NightJudgement judgement = judge(history, tonight, gate);
  ASSERT_EQ(judgement.notes.size(), 1u);
  EXPECT_EQ(judgement.notes[0], "m: 10 nights are compared although they differ: kernel '6.1' is '6.8' now");
}

}  // namespace
}  // namespace edagen::testing
