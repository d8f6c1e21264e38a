// Nights with a reference that was measured beside.
#include <gtest/gtest.h>

#include <array>

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

TEST(Judge, WhyAReferenceDoesNotCountIsSaid) {
  constexpr const char* missing = "compared without the reference, which does not have this figure tonight";
  constexpr const char* varies = "compared without the reference: ratios to it vary more than the values";
  for (const double apart : {0.002, 0.1}) {
    Random random(6);
    std::vector<Night> history;
    for (std::size_t i = 0; i < 20; ++i) {
      const double common = 0.01 * random.normal();
      history.push_back(night_with(i, common, common + apart * random.normal()));
    }
    Night tonight = night_with(20, 0, 0);
    const NightJudgement with = judge(history, tonight, {});
    EXPECT_EQ(with.figures[0].against_reference, apart < 0.01);
    EXPECT_EQ(with.figures[0].note.find(varies) == std::string::npos, apart < 0.01) << with.figures[0].note;
    EXPECT_EQ(with.figures[0].note.find(missing), std::string::npos) << with.figures[0].note;
    tonight.measurements[0].runs.pop_back();
    const NightJudgement without = judge(history, tonight, {});
    EXPECT_NE(without.figures[0].note.find(missing), std::string::npos) << without.figures[0].note;
  }
}

/// A night with three references of other levels; logarithms.
Night night_with_three(std::size_t at, double own, const std::array<double, 3>& references) {
  Night made = sample_night(at, {sample_rate(1000 * std::exp(own))});
  for (std::size_t i = 0; i < references.size(); ++i) {
    NightRun run = made.measurements[0].runs[0];
    run.reference = true, run.reference_number = i + 1;
    run.figures[0].value = 500 * std::exp(static_cast<double>(i) + references[i]);
    made.measurements[0].runs.push_back(run);
  }
  made.measurements[0].reference_comparable = {{"mount /mnt/a", "nfs"}};
  made.measurements[0].further_references = {{{"mount /mnt/b", "nfs"}}, {{"mount /mnt/c", "nfs"}}};
  return made;
}

/// Nights that vary by 3 % together and by 0.3 % apart.
class ThreeReferences {
 public:
  Night night(double own, const std::array<double, 3>& changes) {
    const double both = 0.03 * random_.normal();
    const auto apart = [&](double change) { return both + 0.003 * random_.normal() + change; };
    return night_with_three(at_++, apart(own), {apart(changes[0]), apart(changes[1]), apart(changes[2])});
  }
  std::vector<Night> history(std::size_t nights) {
    std::vector<Night> all;
    for (std::size_t i = 0; i < nights; ++i) all.push_back(night(0, {}));
    return all;
  }

 private:
  Random random_{5};
  std::size_t at_ = 0;
};

TEST(Judge, OfThreeReferencesTheMedianCountsAndTheOneThatLeavesTheOthersIsNamed) {
  ThreeReferences nights;
  const std::vector<Night> history = nights.history(20);
  const NightJudgement quiet = judge(history, nights.night(0, {0, 0.1, 0}), {});
  EXPECT_EQ(quiet.verdict, NightVerdict::no_change);
  ASSERT_EQ(quiet.notes.size(), 1u);
  EXPECT_NE(quiet.notes[0].find("m: reference 2 (/mnt/b) has changed by +1"), std::string::npos) << quiet.notes[0];
  const NightJudgement loss = judge(history, nights.night(-0.06, {0, 0, -0.1}), {});
  EXPECT_EQ(loss.verdict, NightVerdict::regression);
  EXPECT_TRUE(loss.figures[0].against_reference);
  EXPECT_TRUE(judge(history, nights.night(0, {}), {}).notes.empty()) << "all three as they were";
}

TEST(Judge, TheNextBucketOfAHistogramIsNoDeviationOfAReference) {
  for (const FigureKind kind : {FigureKind::rate, FigureKind::tail}) {
    const auto night = [&](std::size_t at, double change) {
      Night made = night_with_three(at, 0, {change, 0, 0});
      for (NightRun& run : made.measurements[0].runs) run.figures[0].kind = kind;
      return made;
    };
    std::vector<Night> history;
    for (std::size_t i = 0; i < 20; ++i) history.push_back(night(i, 0));
    EXPECT_EQ(judge(history, night(20, 0.0117), {}).notes.empty(), kind == FigureKind::tail);
  }
}

TEST(Judge, AReferenceThatStaysChangedOrIsMissingMovesNothingWhereThreeAreMeasured) {
  ThreeReferences nights;
  std::vector<Night> history = nights.history(20);
  for (int i = 0; i < 30; ++i) {
    Night tonight = nights.night(0, {-0.1, 0, 0});
    tonight.judgement = judge(history, tonight, {});
    EXPECT_NE(tonight.judgement->verdict, NightVerdict::regression) << i;
    history.push_back(std::move(tonight));
  }
  Night two = nights.night(0, {-0.1, 0, 0});
  two.measurements[0].runs.pop_back();
  EXPECT_EQ(judge(history, two, {}).verdict, NightVerdict::no_change);
}

TEST(Judge, AFourthReferenceThatIsAddedLeavesTheMedianOfThree) {
  ThreeReferences nights;
  const std::vector<Night> history = nights.history(20);
  Night tonight = nights.night(0, {0.1, 0, 0});
  NightRun added = tonight.measurements[0].runs.back();
  added.reference_number = 4;
  tonight.measurements[0].runs.push_back(added);
  const NightJudgement judgement = judge(history, tonight, {});
  EXPECT_EQ(judgement.verdict, NightVerdict::no_change) << judgement.figures[0].note;
  EXPECT_TRUE(judgement.figures[0].against_reference);
}

TEST(Judge, ReferencesThatAreAddedCountOnceThreeNightsHaveThemAll) {
  ThreeReferences nights;
  std::vector<Night> history = nights.history(20);
  for (Night& night : history) night.measurements[0].runs.resize(2);
  for (int i = 0; i < 10; ++i) {
    const bool changed = i == 9;
    Night tonight = nights.night(0, {changed ? 0.1 : 0, 0, 0});
    const NightJudgement judgement = judge(history, tonight, {});
    EXPECT_EQ(judgement.verdict, NightVerdict::no_change) << i;
    EXPECT_EQ(judgement.figures[0].nights, history.size()) << "nights with one reference count as well";
    history.push_back(std::move(tonight));
  }
}

}  // namespace
}  // namespace edagen::testing
