// Invalid runs in the judgement of a night: their notes, and the marks of what they measured.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "nights/judge.hpp"
#include "report/judgement_text.hpp"
#include "support/report_text.hpp"
#include "support/sample_nights.hpp"

namespace edagen {
namespace {

TEST(JudgementNotes, RunsThatAreInvalidForTheSameReasonsAreOneNoteThatNamesThem) {
  Night night = testing::with_runs(1, {1000, 1001, 1002, 1003}, 0.002);
  EXPECT_TRUE(invalid_notes(night).empty());
  auto& runs = night.measurements[0].runs;
  for (std::size_t i = 0; i < 4; ++i) runs[i].file = "m-" + std::to_string(i + 1) + ".json";
  runs[1].invalid = runs[2].invalid = {Invalid::achieved_rate_low, Invalid::proc_rate_low, Invalid::mix_off};
  runs[3].invalid = {Invalid::generator_paused};
  runs[3].figures.clear();
  const auto notes = invalid_notes(night);
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_TRUE(notes[0].starts_with(
      "m-2.json and m-3.json are INVALID: achieved_rate_low, proc_rate_low, mix_off (less than 95 % of"))
      << notes[0];
  EXPECT_TRUE(notes[1].starts_with("m-4.json is INVALID, without a figure to compare: generator_paused (")) << notes[1];
  runs[0].invalid = runs[1].invalid;
  EXPECT_TRUE(invalid_notes(night)[0].starts_with("m-1.json and 2 more runs are INVALID: achieved_rate_low"))
      << invalid_notes(night)[0];
}

TEST(JudgementNotes, ThatARunIsInvalidStandsInTheVerdictAloneAndWhatMendsItInTheNote) {
  Night night = testing::with_runs(1, {1000}, 0.002);
  night.measurements[0].runs[0].file = "m-1.json";
  night.measurements[0].runs[0].invalid = {Invalid::achieved_rate_low};
  NightJudgement judgement = judge({}, night, {});
  judgement.invalid_runs = invalid_notes(night);
  ASSERT_TRUE(judgement_line(judgement).starts_with("cannot tell: m-1.json is INVALID: achieved_rate_low"))
      << judgement_line(judgement);
  const std::string text = judgement_text(judgement), markdown = judgement_markdown(judgement);
  EXPECT_EQ(testing::count_of("is INVALID", text), 1) << text;
  EXPECT_EQ(testing::count_of("is INVALID", markdown), 1) << markdown;
  const std::string remedy =
      "m-1.json: less than 95 % of the requested rate was reached: a lower --rate, or more procs (--job-sets) if the "
      "storage is not at its limit, which edagen curve finds\n";
  EXPECT_NE(text.find("\n" + remedy), std::string::npos) << text;
  EXPECT_NE(judgement_junit(judgement).find("m-1.json is INVALID: achieved_rate_low (less than"), std::string::npos)
      << "the notes of a system are whole";
  judgement.verdict = NightVerdict::improvement;
  EXPECT_NE(judgement_text(judgement).find("m-1.json is INVALID: achieved_rate_low (less than"), std::string::npos)
      << "the verdict does not have it";
}

TEST(JudgementNotes, WhatAPauseOfEdagenExplainsHasNoRemedyOfItsOwn) {
  Night night = testing::with_runs(1, {1000, 1001}, 0.002);
  for (NightRun& run : night.measurements[0].runs)
    run.invalid = {Invalid::achieved_rate_low, Invalid::generator_paused};
  const std::vector<std::string> notes = invalid_notes(night);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("was reached: edagen's pause may be why; edagen was stopped"), std::string::npos) << notes[0];
  EXPECT_EQ(notes[0].find("a lower --rate"), std::string::npos) << notes[0];
}

TEST(JudgementNotes, AnOverloadHasOneRemedyAndIsTheCauseOfWhatFollowsFromIt) {
  Night night = testing::with_runs(1, {1000}, 0.002);
  night.measurements[0].runs[0].invalid = {Invalid::achieved_rate_low, Invalid::proc_rate_low, Invalid::mix_off,
                                           Invalid::ops_outstanding};
  const std::string note = invalid_notes(night).front(), remedy = "a lower --rate",
                    cause = ": more ops were due than ended, which may be why";
  EXPECT_NE(note.find("at its limit, which edagen curve finds; a proc reached"), std::string::npos) << note;
  EXPECT_EQ(note.find(remedy), note.rfind(remedy)) << note;
  EXPECT_TRUE(note.ends_with(cause + ")")) << note;
}

TEST(JudgementNotes, ALowerBoundHasTheRemedyOfWhatLimitedIt) {
  Night night = testing::with_runs(1, {1000}, 0.002);
  NightRun& run = night.measurements[0].runs[0];
  run.invalid = {Invalid::target_not_reached, Invalid::not_demonstrated};
  run.bounds = {BoundCause::procs};
  const std::string note = invalid_notes(night).front();
  EXPECT_TRUE(
      note.ends_with("is INVALID: target_not_reached, not_demonstrated (the target is beyond the loads that were "
                     "measured, so that the "
                     "rate is a lower bound: more procs (--job-sets))"))
      << note;
  run.bounds.clear();
  EXPECT_NE(invalid_notes(night).front().find("a higher --max-rate"), std::string::npos) << "of an older version";
}

TEST(JudgementNotes, AFigureOfInvalidRunsAloneIsMarkedInEveryFormat) {
  const auto history = testing::sample_history(20);
  Night tonight = testing::with_runs(20, {900, 900}, 0.002);
  std::vector<NightRun>& runs = tonight.measurements[0].runs;
  runs[0].invalid = {Invalid::unsteady};
  EXPECT_EQ(judgement_text(judge(history, tonight, {})).find("INVALID"), std::string::npos) << "one run is valid";
  runs[1].invalid = {Invalid::unsteady};
  const NightJudgement judgement = judge(history, tonight, {});
  EXPECT_NE(judgement_text(judgement).find("  INVALID 90"), std::string::npos) << judgement_text(judgement);
  EXPECT_NE(judgement_markdown(judgement).find("| INVALID 90"), std::string::npos) << judgement_markdown(judgement);
  EXPECT_NE(judgement_junit(judgement).find("; INVALID now 90"), std::string::npos) << judgement_junit(judgement);
  EXPECT_NE(judgement_line(judgement).find(" % (INVALID: unsteady)"), std::string::npos) << judgement_line(judgement);
  runs[0].figures[0].valid = true;
  EXPECT_FALSE(judge(history, tonight, {}).figures.at(0).invalid) << "another load point of the run is invalid";
}

TEST(JudgementNotes, ALowerBoundIsMarkedInEveryFormatAsInTheTablesOfLoadPoints) {
  std::vector<Night> history;
  for (std::size_t i = 0; i < 20; ++i)
    history.push_back(testing::sample_night(
        i, {{"mean ms at 8,500 ops/s", FigureKind::latency, 2 + 0.01 * static_cast<double>(i % 3), 0.002}}));
  NightFigure overload{"mean ms at 8,500 ops/s", FigureKind::latency, 7'550, 0.002, false};
  overload.invalid = {Invalid::ops_outstanding}, overload.lower_bound = true;
  const NightJudgement judgement = judge(history, testing::sample_night(20, {overload}), {});
  ASSERT_EQ(judgement.verdict, NightVerdict::regression);
  EXPECT_NE(judgement_text(judgement).find("  INVALID > 7,550  "), std::string::npos) << judgement_text(judgement);
  EXPECT_NE(judgement_text(judgement).find("  > +37"), std::string::npos) << judgement_text(judgement);
  EXPECT_NE(judgement_markdown(judgement).find("| INVALID > 7,550 |"), std::string::npos)
      << judgement_markdown(judgement);
  EXPECT_NE(judgement_junit(judgement).find("; INVALID now &gt; 7,550, "), std::string::npos)
      << judgement_junit(judgement);
  EXPECT_TRUE(judgement_line(judgement).ends_with(" % (INVALID: ops_outstanding)")) << judgement_line(judgement);
}

TEST(JudgementNotes, AnImpreciseRateHasOneCauseAndOneRemedyOnce) {
  Night night = testing::with_runs(1, {1000, 1001, 1002}, 0.2);
  auto& runs = night.measurements[0].runs;
  runs[0].invalid = {Invalid::imprecise};
  runs[1].invalid = runs[2].invalid = {Invalid::not_demonstrated, Invalid::imprecise};
  std::string notes;
  for (const std::string& note : invalid_notes(night)) notes += note + "\n";
  EXPECT_EQ(testing::count_of("the confidence interval is wider than ±10 %: a longer search (--search-time)", notes), 1)
      << notes;
  EXPECT_EQ(testing::count_of("slices", notes), 0) << notes;
  EXPECT_EQ(testing::count_of("too few", notes), 0) << notes;
  EXPECT_EQ(testing::count_of("imprecise", notes), 2) << "each kind of run names its reasons: " << notes;
  for (NightRun& run : runs) run.figures[0].error = 0.002;
  const std::string narrow = invalid_notes(night).front();
  EXPECT_NE(narrow.find("(blocks are too few, or too short for a latency so far above the idle one: "),
            std::string::npos)
      << narrow;
}

TEST(JudgementNotes, NoChangeOfInvalidValuesIsMarkedWhereverItIsSaid) {
  const auto history = testing::sample_history(20);
  Night tonight = testing::sample_night(20, {testing::sample_rate(1001)});
  tonight.measurements[0].runs[0].invalid = {Invalid::unsteady};
  NightJudgement judgement = judge(history, tonight, {});
  ASSERT_EQ(judgement.verdict, NightVerdict::no_change);
  EXPECT_TRUE(judgement_line(judgement).starts_with("no change, INVALID: unsteady (more than "))
      << judgement_line(judgement);
  EXPECT_NE(judgement_markdown(judgement).find("no change, INVALID: unsteady (more than "), std::string::npos)
      << judgement_markdown(judgement);
  const FigureVerdict first = judgement.figures.front();
  for (int i = 1; i <= 8; ++i) {  // so many figures that those without a change share a line
    judgement.figures.push_back(first);
    judgement.figures.back().figure = fmt::format("mean ms at {} ops/s", i);
    judgement.figures.back().invalid = false;
    judgement.figures.back().invalid_reasons.clear();
  }
  EXPECT_NE(judgement_text(judgement).find("\nno change, 1 of 9 INVALID: unsteady (more than "), std::string::npos)
      << judgement_text(judgement);
}

}  // namespace
}  // namespace edagen
