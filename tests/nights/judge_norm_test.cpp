// Which nights of a history tonight is compared with, and what it comes to over several nights.
#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

TEST(Judge, NightsWithARegressionDoNotBecomeTheNorm) {
  auto history = sample_history(15);
  for (int i = 0; i < 10; ++i) {
    Night bad = sample_night(history.size(), {sample_rate(900 + i % 3)});
    bad.judgement = judge(history, bad, {});
    EXPECT_EQ(bad.judgement->verdict, NightVerdict::regression) << i;
    history.push_back(bad);
  }
  Gate accepted;
  accepted.since = history[15].started_at;
  EXPECT_EQ(judged(history, 901, accepted).verdict, NightVerdict::no_change);
}

TEST(Judge, ALevelThatGotWorseUnseenIsNotTheNormAndOneThatGotBetterIs) {
  auto history = sample_history(15);
  for (int i = 0; i < 8; ++i) history.push_back(sample_night(history.size(), {sample_rate(900 + i % 3)}));
  EXPECT_EQ(judged(history, 901).verdict, NightVerdict::regression);
  auto better = sample_history(15);
  for (int i = 0; i < 8; ++i) better.push_back(sample_night(better.size(), {sample_rate(1200 + i % 3)}));
  EXPECT_EQ(judged(better, 1100).verdict, NightVerdict::regression);
}

TEST(Judge, WhatWasToldSinceALossWasAcceptedIsNoNormEither) {
  auto history = sample_history(15);
  const auto night = [&](double rate, const Gate& gate) {
    Night tonight = sample_night(history.size(), {sample_rate(rate)});
    tonight.judgement = judge(history, tonight, gate);
    history.push_back(tonight);
    return tonight.judgement->verdict;
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(night(900 + 2 * (i % 5), {}), NightVerdict::regression) << i;
  Gate accepted;
  accepted.since = history[15].started_at;
  for (int i = 0; i < 12; ++i) {
    EXPECT_EQ(night(903 + i % 3, accepted), NightVerdict::no_change) << i;
    EXPECT_EQ(night(800 + i % 3, accepted), NightVerdict::regression) << i;
  }
}

/// Rates of 1,000 but for `change`, a logarithm that each night has; judged night by night and kept as nightly does.
class Sequence {
 public:
  explicit Sequence(double variation, std::uint64_t seed = 1) : variation_(variation), random_(seed) {}
  NightVerdict night(double change) {
    Night tonight =
        sample_night(history_.size(), {sample_rate(1000 * std::exp(change + variation_ * random_.normal()))});
    tonight.judgement = judge(history_, tonight, {});
    history_.push_back(std::move(tonight));
    return history_.back().judgement->verdict;
  }
  int regressions(int nights, double change, double step = 0) {
    int found = 0;
    for (int i = 0; i < nights; ++i) found += night(change + step * i) == NightVerdict::regression ? 1 : 0;
    return found;
  }
  const FigureVerdict& last() const { return history_.back().judgement->figures[0]; }

 private:
  double variation_;
  Random random_;
  std::vector<Night> history_;
};

TEST(Judge, AGainThatGoesAgainLeavesTheLevelAsItWas) {
  Sequence nights(0.01);
  nights.regressions(20, 0);
  EXPECT_EQ(nights.regressions(5, 0.08), 0);
  EXPECT_EQ(nights.regressions(40, 0), 0);
  nights.regressions(12, 0.08);
  EXPECT_EQ(nights.regressions(10, 0), 10) << "a gain that lasted is the norm";
}

TEST(Judge, ABetterBeginOfAFewNightsIsNotTheNormForEverUnlessTheLossWasTold) {
  auto history = sample_history(30, 0.005);
  for (std::size_t i = 0; i < 4; ++i) *history[i].measurements[0].runs[0].figures[0].value *= 1.08;
  EXPECT_EQ(judged(history, 1000).verdict, NightVerdict::no_change) << "nights that nobody judged";
  Sequence nights(0.005);
  nights.regressions(5, 0.08);
  EXPECT_EQ(nights.regressions(30, 0), 30) << "a loss does not become the norm by lasting";
}

TEST(Judge, ALossThatOnlySomeNightsShowDoesNotBecomeTheNorm) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Sequence nights(0.015, seed);
    nights.regressions(35, 0);
    nights.regressions(60, -0.06);
    EXPECT_GE(nights.regressions(20, -0.06), 15) << seed;
  }
}

TEST(Judge, ASlowLossIsADriftThatIsToldOnceItIsMoreThanMayBeLost) {
  for (const double variation : {0.005, 0.01}) {
    Sequence nights(variation);
    nights.regressions(30, 0);
    nights.regressions(20, 0, -0.005);
    EXPECT_EQ(nights.last().verdict, NightVerdict::regression) << variation;
    EXPECT_EQ(nights.regressions(20, -0.1), 20) << "nor is it the norm afterwards";
  }
}

TEST(Judge, ADriftOfTheHistoryIsANote) {
  Random random(1);
  std::vector<Night> history;
  for (std::size_t i = 0; i < 21; ++i)
    history.push_back(
        sample_night(i, {sample_rate(1000 * std::exp(0.002 * random.normal() - 0.001 * static_cast<double>(i)))}));
  const NightJudgement judgement = judge(std::span(history).first(20), history[20], {});
  ASSERT_EQ(judgement.notes.size(), 1u);
  EXPECT_EQ(judgement.notes[0].find("m: ops/s drifts by -0."), 0u) << judgement.notes[0];
}

TEST(Judge, OtherFiguresThatDriftAreCounted) {
  for (const std::size_t figures : {2u, 3u}) {
    Random random(1);
    std::vector<Night> history;
    for (std::size_t i = 0; i < 21; ++i) {
      const double rate = 1000 * std::exp(0.002 * random.normal() - 0.001 * static_cast<double>(i));
      history.push_back(sample_night(i, {}));
      for (std::size_t figure = 0; figure < figures; ++figure)
        history[i].measurements[0].runs[0].figures.push_back(
            {"ops/s at " + std::to_string(figure + 1) + " ms", FigureKind::rate, rate, 0.002});
    }
    const NightJudgement judgement = judge(std::span(history).first(20), history[20], {});
    ASSERT_EQ(judgement.notes.size(), 1u);
    EXPECT_TRUE(
        judgement.notes[0].ends_with(figures == 2 ? ", and 1 more figure drifts" : ", and 2 more figures drift"))
        << judgement.notes[0];
  }
}

}  // namespace
}  // namespace edagen::testing
