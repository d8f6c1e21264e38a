// Nights with a reference that was measured beside.
#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "support/sample_nights.hpp"

namespace edagen::testing {
namespace {

TEST(Judge, WithAReferenceWhatBothHaveInCommonIsNoRegression) {
  Random random(3);
  const auto night = [&](std::size_t at, double own, double both) {
    Night made = sample_night(at, {sample_rate(1000 * own * both * std::exp(0.003 * random.normal()))});
    made.measurements[0].runs.push_back(made.measurements[0].runs[0]);
    made.measurements[0].runs[1].reference = true;
    made.measurements[0].runs[1].figures[0].value = 2000 * both * std::exp(0.003 * random.normal());
    return made;
  };
  std::vector<Night> history;
  for (std::size_t i = 0; i < 20; ++i) history.push_back(night(i, 1, std::exp(0.03 * random.normal())));
  const NightJudgement common = judge(history, night(20, 1, 0.85), {}), own = judge(history, night(20, 0.95, 1.03), {});
  EXPECT_NE(common.verdict, NightVerdict::regression);
  EXPECT_TRUE(common.figures[0].against_reference);
  EXPECT_EQ(own.verdict, NightVerdict::regression);
  EXPECT_NEAR(own.figures[0].change.value(), -0.05, 0.02);
}

TEST(Judge, AReferenceThatHasChangedItselfIsNotTheVolumesRegression) {
  std::vector<Night> history = sample_history(20, 0.005);
  const auto add_reference = [](Night& night, double value) {
    night.measurements[0].runs.push_back(night.measurements[0].runs[0]);
    night.measurements[0].runs[1].reference = true;
    night.measurements[0].runs[1].figures[0].value = value;
  };
  for (std::size_t i = 0; i < history.size(); ++i) add_reference(history[i], 1000 + static_cast<double>(i % 5));
  Night tonight = sample_night(20, {sample_rate(1000)});
  add_reference(tonight, 1100);
  const NightJudgement judgement = judge(history, tonight, {});
  EXPECT_EQ(judgement.verdict, NightVerdict::cannot_tell);
  EXPECT_NE(judgement.figures[0].note.find("the reference has changed"), std::string::npos);
}

/// A night with a reference; logarithms.
Night night_with(std::size_t at, double own, double reference) {
  Night made = sample_night(at, {sample_rate(1000 * std::exp(own))});
  made.measurements[0].runs.push_back(made.measurements[0].runs[0]);
  made.measurements[0].runs[1].reference = true;
  made.measurements[0].runs[1].figures[0].value = 2000 * std::exp(reference);
  return made;
}

TEST(Judge, AReferenceThatMovesMakesNoLastingAlarms) {
  for (const double move : {0.05, -0.1}) {
    Random random(4);
    std::vector<Night> history;
    int regressions = 0;
    bool told = false;
    for (std::size_t i = 0; i < 70; ++i) {
      const double common = 0.01 * random.normal();
      Night tonight = night_with(i, common + 0.003 * random.normal(),
                                 common + 0.003 * random.normal() + (i >= 30 && i < 40 ? move : 0));
      tonight.judgement = judge(history, tonight, {});
      regressions += tonight.judgement->verdict == NightVerdict::regression ? 1 : 0;
      told |= tonight.judgement->figures[0].note.find("the reference moved by") != std::string::npos;
      history.push_back(std::move(tonight));
    }
    EXPECT_LE(regressions, 3) << move;
    EXPECT_TRUE(told) << move;
    EXPECT_EQ(judge(history, night_with(70, -0.05, 0), {}).verdict, NightVerdict::regression);
  }
}

TEST(Judge, AFewNightsWithAReferenceDoNotReplaceManyWithout) {
  int found = 0;
  NightJudgement judgement;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto history = sample_history(30, 0.005, seed);
    Random random(seed + 100);
    for (std::size_t i = 30; i < 33; ++i)
      history.push_back(night_with(i, 0.005 * random.normal(), 0.01 * random.normal()));
    judgement = judge(history, night_with(33, 0.005 * random.normal() - 0.06, 0.01 * random.normal()), {});
    found += judgement.verdict == NightVerdict::regression ? 1 : 0;
  }
  EXPECT_GE(found, 18);
  EXPECT_FALSE(judgement.figures[0].against_reference);
  EXPECT_EQ(judgement.figures[0].note, "compared without the reference: 3 of 33 nights can be compared with it");
}

}  // namespace
}  // namespace edagen::testing
