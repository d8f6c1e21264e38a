// Figures that are missing, and latency targets that no load meets.
#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

TEST(Judge, ANightOfLowerBoundsAloneCannotBeToldAndSaysWhy) {
  const NightJudgement judgement = judge({}, sample_night(0, {}), {});
  EXPECT_EQ(judgement.verdict, NightVerdict::cannot_tell);
  ASSERT_EQ(judgement.notes.size(), 1u);
  EXPECT_NE(judgement.notes[0].find("m: nothing to compare"), std::string::npos) << judgement.notes[0];
}

TEST(Judge, ATargetThatNoLoadMeetsAnyMoreIsARegression) {
  const auto history = sample_history(5);
  Night tonight = sample_night(5, {sample_rate(1)});
  tonight.measurements[0].runs[0].figures[0].value.reset();
  EXPECT_EQ(judge(history, tonight, {}).verdict, NightVerdict::regression);
}

TEST(Judge, ATargetThatStaysUnmetIsARegressionNightAfterNight) {
  auto history = sample_history(10);
  for (int i = 0; i < 20; ++i) {
    Night bad = sample_night(history.size(), {sample_rate(1)});
    bad.measurements[0].runs[0].figures[0].value.reset();
    bad.judgement = judge(history, bad, {});
    EXPECT_EQ(bad.judgement->verdict, NightVerdict::regression) << i;
    history.push_back(bad);
  }
}

TEST(Judge, MostRunsOfANightThatMissTheTargetAreARegressionAndSomeKeepItFromBeingTold) {
  const auto history = sample_history(10, 0.002);
  const NightJudgement most = judge(history, with_runs(10, {1000, {}, {}}, 0.002), {});
  EXPECT_EQ(most.verdict, NightVerdict::regression);
  EXPECT_EQ(most.figures[0].note, "no load meets the latency target in 2 of 3 runs");
  const NightJudgement some = judge(history, with_runs(10, {1000, 1000, {}}, 0.002), {});
  EXPECT_EQ(some.verdict, NightVerdict::cannot_tell);
  EXPECT_EQ(some.figures[0].note, "no load meets the latency target in 1 of 3 runs");
  std::vector<Night> often;
  for (std::size_t i = 0; i < 10; ++i) often.push_back(with_runs(i, {1000 + static_cast<double>(i), {}}, 0.002));
  const NightJudgement usual = judge(often, with_runs(10, {1000, {}, {}}, 0.002), {});
  EXPECT_EQ(usual.verdict, NightVerdict::cannot_tell);
  EXPECT_NE(usual.figures[0].note.find("as in 10 of 10 nights before"), std::string::npos);
}

TEST(Judge, ATargetThatTheReferenceMissesTonightTooIsNoRegressionOfTheVolume) {
  const auto with_reference = [](Night night, std::optional<double> value) {
    std::vector<NightRun>& runs = night.measurements[0].runs;
    runs.push_back(runs[0]);
    runs[1].reference = true;
    runs[1].figures[0].value = value;
    return night;
  };
  Night tonight = sample_night(10, {sample_rate(1)});
  tonight.measurements[0].runs[0].figures[0].value.reset();
  for (const std::optional<double> usual : {std::optional<double>(2000), std::optional<double>()}) {
    std::vector<Night> history;
    for (const Night& night : sample_history(10)) history.push_back(with_reference(night, usual));
    EXPECT_EQ(judge(history, with_reference(tonight, {}), {}).verdict,
              usual ? NightVerdict::cannot_tell : NightVerdict::regression)
        << "a reference that never meets the target does not count";
    EXPECT_EQ(judge(history, with_reference(tonight, 2000), {}).verdict, NightVerdict::regression);
  }
}

TEST(Judge, ALossInANightInWhichTheReferenceMissesTheTargetIsNoRegressionOfTheVolume) {
  using Rates = std::vector<std::optional<double>>;
  const auto night = [](std::size_t at, const Rates& own, const Rates& reference) {
    Night made = with_runs(at, own, 0.002);
    std::vector<NightRun>& runs = made.measurements[0].runs;
    for (NightRun& run : runs) {
      *run.figures[0].value *= 1 + 0.001 * static_cast<double>(at % 5);
      run.figures.push_back({"MiB/s", FigureKind::rate, *run.figures[0].value / 10, 0.002});
    }
    const Night beside = with_runs(at, reference, 0.002);
    for (NightRun run : beside.measurements[0].runs) {
      run.reference = true;
      if (run.figures[0].value) run.figures.push_back({"MiB/s", FigureKind::rate, *run.figures[0].value / 10, 0.002});
      runs.push_back(run);
    }
    return made;
  };
  std::vector<Night> history, never;
  for (std::size_t i = 0; i < 12; ++i)
    history.push_back(night(i, {1000}, {2000})), never.push_back(night(i, {1000}, {std::nullopt}));
  const NightJudgement shared = judge(history, night(12, {700}, {std::nullopt}), {});
  EXPECT_EQ(shared.verdict, NightVerdict::cannot_tell);
  EXPECT_NE(shared.figures[0].note.find("what both share may be slow"), std::string::npos) << shared.figures[0].note;
  EXPECT_EQ(judge(history, night(12, {700, 1000}, {std::nullopt, 2000}), {}).verdict, NightVerdict::cannot_tell)
      << "in the slow run of both";
  EXPECT_EQ(judge(history, night(12, {700}, {2000}), {}).verdict, NightVerdict::regression);
  EXPECT_EQ(judge(never, night(12, {700}, {std::nullopt}), {}).verdict, NightVerdict::regression);
}

TEST(Judge, AFigureThatIsMissingForSeveralNightsIsStillMissed) {
  std::vector<Night> history;
  for (std::size_t i = 0; i < 10; ++i)
    history.push_back(
        sample_night(i, {sample_rate(1000 + static_cast<double>(i % 3)), {"mean ms", FigureKind::latency, 2.0, 0}}));
  for (std::size_t i = 10; i < 15; ++i) {
    Night tonight = sample_night(i, {sample_rate(1001)});
    tonight.judgement = judge(history, tonight, {});
    EXPECT_EQ(tonight.judgement->verdict, NightVerdict::cannot_tell) << i;
    ASSERT_EQ(tonight.judgement->figures.size(), 2u) << i;
    EXPECT_EQ(tonight.judgement->figures[1].note, "was not measured tonight");
    history.push_back(tonight);
  }
}

TEST(Judge, AMeasurementWithoutAFigureKeepsTheNightFromBeingToldGood) {
  const auto history = sample_history(20, 0.005);
  Night tonight = sample_night(20, {sample_rate(1001)});
  EXPECT_EQ(judge(history, tonight, {}).verdict, NightVerdict::no_change);
  tonight.measurements.push_back(tonight.measurements[0]);
  tonight.measurements[1].name = "silent";
  tonight.measurements[1].runs[0].figures.clear();
  EXPECT_EQ(judge(history, tonight, {}).verdict, NightVerdict::cannot_tell);
}

TEST(Judge, WhatIsMissingTonightCannotBeTold) {
  Night tonight = sample_night(5, {});
  const NightJudgement judgement = judge(sample_history(5), tonight, {});
  EXPECT_EQ(judgement.verdict, NightVerdict::cannot_tell);
  EXPECT_EQ(judgement.figures[0].note, "was not measured tonight");
}

TEST(Judge, AHighestRateThatEarlierVersionsHadOfRepeatsOfOneLoadIsNotMissed) {
  auto history = sample_history(20);
  const NightFigure highest{"highest ops/s", FigureKind::rate, 1000, 0.002};
  for (Night& night : history) night.measurements[0].runs[0].figures.push_back(highest);
  const NightJudgement judgement = judge(history, sample_night(20, {sample_rate(1001)}), {});
  ASSERT_EQ(judgement.figures.size(), 1u);
  EXPECT_EQ(judgement.verdict, NightVerdict::no_change);
  const NightJudgement closed_loop = judge(history, sample_night(20, {}), {});
  EXPECT_EQ(closed_loop.figures.size(), 2u) << "a closed loop that was not measured";
}

TEST(Judge, WhereTheReferenceAloneWasMeasuredNoNightIsCalledNotComparable) {
  Night tonight = sample_night(5, {sample_rate(1000)});
  NightMeasurement& measurement = tonight.measurements[0];
  measurement.runs[0].reference = true;
  std::swap(measurement.comparable, measurement.reference_comparable);
  const NightJudgement judgement = judge(sample_history(5), tonight, {});
  EXPECT_TRUE(judgement.incomparable.empty()) << judgement.incomparable[0].reason;
  EXPECT_TRUE(judgement.notes.empty()) << judgement.notes[0];
  EXPECT_EQ(judgement.figures.at(0).note, "was not measured tonight");
}

}  // namespace
}  // namespace edagen::testing
