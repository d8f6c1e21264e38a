// Latencies that are lower bounds, as ops had not ended.
#include <gtest/gtest.h>

#include <algorithm>

#include "nights/history.hpp"
#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

constexpr const char* mean_at_8000 = "mean ms at 8,000 ops/s";

NightFigure latency_figure(double value, bool bound) {
  NightFigure figure{mean_at_8000, FigureKind::latency, value, 0.002, !bound};
  if (bound) figure.invalid = {Invalid::ops_outstanding};
  figure.lower_bound = bound;
  return figure;
}

/// A rate that is known, and a latency that is perhaps a lower bound.
Night load_night(std::size_t at, double value, bool bound) {
  const double wave = 1 + 0.002 * static_cast<double>(at % 5);  // nights are never equal
  return sample_night(at, {sample_rate(1000 * wave), latency_figure(value * wave, bound)});
}

std::vector<Night> load_nights(std::size_t count, double value, bool bound) {
  std::vector<Night> nights;
  for (std::size_t i = 0; i < count; ++i) nights.push_back(load_night(i, value, bound));
  return nights;
}

const FigureVerdict* latency_of(const NightJudgement& judgement) {
  const auto found = std::ranges::find(judgement.figures, mean_at_8000, &FigureVerdict::figure);
  return found == judgement.figures.end() ? nullptr : &*found;
}

TEST(Judge, ALowerBoundThatIsFarWorseThanTheNightsBeforeIsARegressionNightAfterNight) {
  auto nights = load_nights(10, 2, false);
  for (int i = 0; i < 5; ++i) {
    Night bad = load_night(nights.size(), 7'550, true);
    bad.judgement = judge(nights, bad, {});
    const FigureVerdict* const figure = latency_of(*bad.judgement);
    ASSERT_TRUE(figure) << i;
    EXPECT_EQ(figure->verdict, NightVerdict::regression) << i;
    EXPECT_TRUE(figure->lower_bound);
    EXPECT_TRUE(figure->invalid);
    EXPECT_EQ(figure->invalid_reasons, std::vector{Invalid::ops_outstanding});
    EXPECT_TRUE(figure->interval[0]);
    EXPECT_FALSE(figure->interval[1]) << "how much worse it is, is not known";
    nights.push_back(std::move(bad));
  }
}

TEST(Judge, ALowerBoundIsNoImprovementAndNeverUnchanged) {
  const auto history = load_nights(20, 2, false);
  for (const double value : {1.0, 2.0}) {
    const NightJudgement judgement = judge(history, load_night(20, value, true), {});
    ASSERT_TRUE(latency_of(judgement));
    EXPECT_EQ(latency_of(judgement)->verdict, NightVerdict::cannot_tell) << value;
    EXPECT_NE(latency_of(judgement)->note.find("ops had not ended: a lower bound"), std::string::npos)
        << latency_of(judgement)->note;
  }
}

TEST(Judge, WhatIsALowerBoundInMostNightsIsNotJudgedAndANoteNamesItsLoad) {
  const NightJudgement judgement = judge(load_nights(20, 7'500, true), load_night(20, 7'550, true), {});
  EXPECT_FALSE(latency_of(judgement));
  EXPECT_EQ(judgement.verdict, NightVerdict::no_change) << "the rate is known";
  ASSERT_EQ(judgement.notes.size(), 1u);
  EXPECT_EQ(judgement.notes[0],
            "m: at 8,000 ops/s: INVALID: ops_outstanding; ops had not ended, so that the latency is a lower bound, "
            "which is not judged");
  const NightJudgement known = judge(load_nights(20, 7'500, true), load_night(20, 2, false), {});
  ASSERT_TRUE(latency_of(known));
  EXPECT_EQ(latency_of(known)->nights, 0u) << "lower bounds are nothing to compare with";
  EXPECT_FALSE(latency_of(known)->expected);
}

TEST(Judge, ANightWithNothingButLowerBoundsThatAreNotJudgedCannotBeTold) {
  EXPECT_EQ(judge({}, sample_night(0, {latency_figure(7'550, true)}), {}).verdict, NightVerdict::cannot_tell);
}

TEST(Judge, ALowerBoundBesideOneOfTheReferenceIsNoRegressionOfTheVolume) {
  const auto with_reference = [](Night night, bool bound) {
    std::vector<NightRun>& runs = night.measurements[0].runs;
    runs.push_back(runs[0]);
    runs[1].reference = true;
    runs[1].figures = {latency_figure(bound ? 7'500 : 2, bound)};
    return night;
  };
  std::vector<Night> history;
  for (const Night& night : load_nights(10, 2, false)) history.push_back(with_reference(night, false));
  const Night tonight = load_night(10, 7'550, true);
  const NightJudgement both = judge(history, with_reference(tonight, true), {});
  ASSERT_TRUE(latency_of(both));
  EXPECT_EQ(latency_of(both)->verdict, NightVerdict::cannot_tell);
  EXPECT_NE(latency_of(both)->note.find("ops of the reference had not ended either"), std::string::npos);
  const NightJudgement alone = judge(history, with_reference(tonight, false), {});
  ASSERT_TRUE(latency_of(alone));
  EXPECT_EQ(latency_of(alone)->verdict, NightVerdict::regression);
}

TEST(Judge, TheGateOfTheLastNightThatWasJudgedHasItsSettingsAndTheLimitsOfItsMeasurements) {
  auto nights = load_nights(3, 2, false);
  EXPECT_EQ(last_gate(nights).max_regression, GateSettings().max_regression);
  Gate gate;
  gate.false_alarms = 0.02, gate.max_regression = 0.2, gate.nights = 7;
  gate.since = "2026-01-01", gate.allowed = {"kernel"};
  gate.of_measurements["m"].max_regression = 0.3;
  nights[1].judgement = judge({nights.data(), 1}, nights[1], gate);
  const Gate kept = last_gate(nights);
  EXPECT_EQ(kept.false_alarms, 0.02);
  EXPECT_EQ(kept.max_regression, 0.2);
  EXPECT_EQ(kept.nights, 7u);
  EXPECT_EQ(kept.since, "2026-01-01");
  EXPECT_EQ(kept.allowed, std::vector<std::string>{"kernel"});
  EXPECT_EQ(kept.of("m").max_regression, 0.3);
}

}  // namespace
}  // namespace edagen::testing
