// When a night measures again.
#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

NightJudgement with(double p, NightVerdict verdict = NightVerdict::no_change) {
  NightJudgement judgement;
  judgement.figures.resize(1);
  judgement.figures[0].p = p;
  judgement.figures[0].change = 0;
  judgement.figures[0].verdict = verdict;
  return judgement;
}

TEST(Judge, AnAlarmRestsOnTwoRunsOrMoreAndOnAllOfThemUnlessItIsCertain) {
  EXPECT_TRUE(needs_another_run(with(0.0001), 1, 3, 1));
  EXPECT_FALSE(needs_another_run(with(0.0001), 2, 3, 2));
  EXPECT_TRUE(needs_another_run(with(0.005), 2, 3, 2)) << "not at a tenth of the false-alarm rate";
  EXPECT_FALSE(needs_another_run(with(0.005), 3, 3, 3));
  EXPECT_TRUE(needs_another_run(with(0.05), 1, 3, 1)) << "in doubt";
  EXPECT_FALSE(needs_another_run(with(0.5), 1, 3, 1));
  EXPECT_TRUE(needs_another_run({}, 1, 3, 0)) << "an invalid run without figures is replaced";
  EXPECT_FALSE(needs_another_run({}, 3, 3, 0));
}

TEST(Judge, WhatCannotBeToldIsMeasuredAgainWhereThatHelps) {
  NightJudgement judgement = with(0.5, NightVerdict::cannot_tell);
  judgement.figures[0].within_nights = 0.03, judgement.figures[0].between_nights = 0.01;
  EXPECT_TRUE(needs_another_run(judgement, 1, 3, 1));
  judgement.figures[0].between_nights = 0.05;
  EXPECT_FALSE(needs_another_run(judgement, 1, 3, 1));
}

TEST(Judge, SomeRunsThatMissTheTargetAreMeasuredAgainWhereThatWasNotUsual) {
  const auto history = sample_history(10, 0.002);
  EXPECT_TRUE(needs_another_run(judge(history, with_runs(10, {1000, {}}, 0.002), {}), 2, 3, 2));
  EXPECT_FALSE(needs_another_run(judge(history, with_runs(10, {1000, 1000}, 0.002), {}), 2, 3, 2));
  std::vector<Night> often;
  for (std::size_t i = 0; i < 10; ++i) often.push_back(with_runs(i, {1000 + static_cast<double>(i), {}}, 0.002));
  EXPECT_FALSE(needs_another_run(judge(often, with_runs(10, {1004, {}}, 0.002), {}), 2, 3, 2));
}

TEST(Judge, ALossOfOneRunOfSeveralIsNoAlarm) {
  const auto history = sample_history(12, 0.002);
  for (const std::size_t without : {1u, 3u}) {
    Night night = with_runs(12, {600}, 0.002);
    night.measurements[0].runs.resize(1 + without);
    const NightJudgement judgement = judge(history, night, {});
    EXPECT_EQ(judgement.verdict, NightVerdict::cannot_tell);
    EXPECT_NE(judgement.figures[0].note.find("no other confirms"), std::string::npos) << judgement.figures[0].note;
    EXPECT_TRUE(needs_another_run(judgement, 1 + without, 3, 1)) << "it is measured again";
  }
  EXPECT_EQ(judge(history, with_runs(12, {600}, 0.002), {}).verdict, NightVerdict::regression) << "the only run";
  EXPECT_EQ(judge(history, with_runs(12, {600, 610}, 0.002), {}).verdict, NightVerdict::regression);
}

TEST(Judge, ACertainLossThatTheOtherRunLacksIsMeasuredAgainAlsoWhereThatRunHasOtherFigures) {
  const NightFigure other{"mean ms", FigureKind::latency, 2, 0.002};
  auto history = sample_history(12, 0.002);
  for (std::size_t i = 0; i < history.size(); ++i) {
    auto& figures = history[i].measurements[0].runs[0].figures;
    figures.push_back(other);
    *figures[1].value += 0.001 * static_cast<double>(i % 5);
  }
  Night night = with_runs(12, {600, 600}, 0.002);
  for (NightRun& run : night.measurements[0].runs) run.figures.push_back(other);
  EXPECT_FALSE(needs_another_run(judge(history, night, {}), 2, 3, 2)) << "both have it";
  auto& second = night.measurements[0].runs[1].figures;
  second.erase(second.begin());
  EXPECT_TRUE(needs_another_run(judge(history, night, {}), 2, 3, 2));
  EXPECT_FALSE(needs_another_run(judge(history, night, {}), 3, 3, 3));
}

TEST(Judge, ARunWithoutFiguresIsMadeUpForBeforeAnAlarm) {
  EXPECT_TRUE(needs_another_run(with(0.0001), 2, 3, 1));
  EXPECT_TRUE(needs_another_run(with(0.0001), 2, 2, 1)) << "one more than was asked for";
  EXPECT_FALSE(needs_another_run(with(0.0001), 4, 2, 1)) << "but not for ever";
  EXPECT_FALSE(needs_another_run(with(0.0001), 1, 1, 1)) << "one run was asked for";
}

}  // namespace
}  // namespace edagen::testing
