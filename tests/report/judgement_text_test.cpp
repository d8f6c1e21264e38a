#include "report/judgement_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <sstream>

#include "nights/judge.hpp"
#include "support/report_text.hpp"
#include "support/sample_nights.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

NightJudgement sample(double rate) {
  const auto history = testing::sample_history(20);
  Night tonight = testing::sample_night(20, {testing::sample_rate(rate)});
  return judge(history, tonight, {});
}

TEST(JudgementText, EndsWithTheVerdict) {
  const std::string text = judgement_text(sample(900));
  EXPECT_NE(text.find("\nregression: m: ops/s -9"), std::string::npos) << text;
  const std::string good = judgement_text(sample(1001));
  EXPECT_NE(good.find("\nno change (more than "), std::string::npos) << good;
  EXPECT_TRUE(good.ends_with(" % worse is ruled out)\n")) << good;
}

TEST(JudgementText, EachThingIsSaidOnceToPeople) {
  NightJudgement judgement = sample(900);
  judgement.figures[0].note = "the storage was rebuilt";
  judgement.figures[0].outliers = 1;
  FigureVerdict mib = judgement.figures[0];
  mib.figure = "MiB/s";
  judgement.figures.push_back(mib);
  const std::string text = judgement_text(judgement);
  EXPECT_EQ(text.find("MiB/s"), std::string::npos) << "one figure with ops/s: " << text;
  EXPECT_EQ(text.find("the storage was rebuilt"), text.rfind("the storage was rebuilt")) << text;
  EXPECT_NE(text.find("1 night before did not count, as an outlier"), std::string::npos) << text;
  EXPECT_LT(judgement_line(judgement).size(), 30u) << judgement_line(judgement);
  EXPECT_NE(judgement_junit(judgement).find("MiB/s"), std::string::npos) << "systems take all";
  judgement.figures[1].verdict = NightVerdict::cannot_tell;
  EXPECT_NE(judgement_text(judgement).find("MiB/s"), std::string::npos) << "another verdict";
}

TEST(JudgementText, TheTableOfANightFitsATerminal) {
  NightJudgement judgement = sample(900);
  judgement.figures[0].measurement = "projects";
  judgement.figures[0].figure = "ops/s at 2.00 ms mean response";
  for (const std::string& line : testing::lines_of(judgement_text(judgement))) EXPECT_LE(line.size(), 90u) << line;
}

TEST(JudgementText, ANightThatCanCompareNothingIsAnErrorAndNamesWhatAllowsIt) {
  auto history = testing::sample_history(20);
  for (Night& night : history) night.measurements[0].comparable["volume"] = "/mnt/old";
  Night tonight = testing::sample_night(20, {testing::sample_rate(900)});
  tonight.measurements[0].comparable["volume"] = "/mnt/new";
  const NightJudgement judgement = judge(history, tonight, {});
  EXPECT_EQ(judgement.figures[0].incomparable_nights, 20u);
  const std::string line = judgement_line(judgement), junit = judgement_junit(judgement);
  EXPECT_NE(line.find(R"("allow_differences": ["volume"] of nightly, or --allow-difference of check, accepts them)"),
            std::string::npos)
      << line;
  EXPECT_NE(junit.find("errors=\"1\" skipped=\"0\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<error message=\"m: ops/s: 20 nights are not comparable with tonight"), std::string::npos)
      << junit;
  EXPECT_EQ(junit.find("expected "), std::string::npos) << "nothing is expected: " << junit;
  const std::string first = judgement_junit(judge({}, tonight, {}));
  EXPECT_NE(first.find("errors=\"0\" skipped=\"1\""), std::string::npos) << "a first night is fine: " << first;
}

TEST(JudgementText, ExpectedValuesThatAreScaledByAReferenceAreSaidToBe) {
  NightJudgement judgement = sample(900);
  EXPECT_EQ(judgement_text(judgement).find("scaled"), std::string::npos);
  judgement.figures[0].against_reference = true;
  EXPECT_NE(judgement_text(judgement).find("expected values are scaled by the reference of this night"),
            std::string::npos);
}

TEST(JudgementText, ALossThatOneFigureWouldNotShowIsNotPromisedForAll) {
  NightJudgement judgement = sample(1001);
  EXPECT_NE(judgement_text(judgement).find("or more would show"), std::string::npos);
  FigureVerdict wild = judgement.figures[0];
  wild.figure = "highest ops/s", wild.verdict = NightVerdict::cannot_tell;
  wild.smallest_visible.reset();
  judgement.figures.push_back(wild);
  const std::string text = judgement_text(judgement);
  EXPECT_NE(text.find("or more would show in m: ops/s\n"), std::string::npos) << text;
  judgement.figures.erase(judgement.figures.begin());
  EXPECT_EQ(judgement_text(judgement).find("would show"), std::string::npos) << "notes of figures have why";
}

TEST(JudgementText, ALossThatWouldShowStandsWithTheFigureThatItIsOf) {
  NightJudgement judgement = sample(1001);
  judgement.figures[0].smallest_visible = 0.02;
  EXPECT_NE(judgement_text(judgement).find(", a loss of 2 % or more would show\n"), std::string::npos);
  FigureVerdict wide = judgement.figures[0];
  wide.measurement = "pts", wide.figure = "mean ms at 3,000 ops/s", wide.kind = FigureKind::latency;
  wide.smallest_visible = 0.34;
  judgement.figures.push_back(wide);
  const std::string text = judgement_text(judgement);
  EXPECT_NE(text.find(", a loss would show from 2 % on (m: ops/s) to 34 % on (pts: mean ms at 3,000 ops/s)\n"),
            std::string::npos)
      << text;
}

TEST(JudgementText, EachChangeOfAVerdictHasTheNameOfItsFigure) {
  NightJudgement judgement = sample(900);
  judgement.figures[0].measurement = "pts", judgement.figures[0].figure = "ops/s at 2.00 ms mean response";
  EXPECT_TRUE(judgement_line(judgement).starts_with("regression: pts: ops/s at 2.00 ms -"))
      << judgement_line(judgement);
}

TEST(JudgementText, JUnitHasAFailureForARegressionAndASkipForWhatCannotBeTold) {
  EXPECT_NE(judgement_junit(sample(900)).find("failures=\"1\""), std::string::npos);
  EXPECT_NE(judgement_junit(sample(900)).find("<failure message=\"m: ops/s"), std::string::npos);
  EXPECT_NE(judgement_junit(judge({}, testing::sample_night(1, {testing::sample_rate(1)}), {})).find("<skipped"),
            std::string::npos);
}

TEST(JudgementText, ANightWithoutAFigureIsAnErrorInJUnitAndNoEmptySuite) {
  NightJudgement judgement;
  judgement.verdict = NightVerdict::cannot_tell;
  judgement.invalid_runs = {"m-1.json is INVALID, without a figure to compare: generator_paused"};
  const std::string junit = judgement_junit(judgement);
  EXPECT_NE(junit.find("tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("<error message=\"cannot tell: m-1.json is INVALID, without a figure to compare"),
            std::string::npos)
      << junit;
}

TEST(JudgementText, TheClassOfAJUnitCaseIsItsMeasurementWhereThatHasAName) {
  NightJudgement judgement = sample(900);
  EXPECT_NE(judgement_junit(judgement).find("classname=\"edagen.m\""), std::string::npos);
  judgement.figures[0].measurement = "";
  EXPECT_NE(judgement_junit(judgement).find("classname=\"edagen\""), std::string::npos);
}

TEST(JudgementText, NamesAreTextInEveryFormat) {
  NightJudgement judgement = sample(900);
  judgement.figures[0].measurement = "a<b>|\x1b[31m\"&";
  EXPECT_EQ(judgement_junit(judgement).find("<b>"), std::string::npos);
  EXPECT_NE(judgement_junit(judgement).find("a&lt;b&gt;|\\x1b[31m&quot;&amp;"), std::string::npos);
  EXPECT_NE(judgement_markdown(judgement).find("a\\<b\\>\\|"), std::string::npos);
  EXPECT_EQ(judgement_text(judgement).find('\x1b'), std::string::npos);
}

/// `names` that are unchanged, and one each of the others, in a bad order.
NightJudgement of_many_figures() {
  NightJudgement judgement;
  const auto add = [&](const std::string& name, FigureKind kind, NightVerdict verdict) {
    FigureVerdict figure;
    figure.measurement = "m";
    figure.figure = name;
    figure.kind = kind;
    figure.verdict = verdict;
    figure.value = 1;
    figure.interval = {-0.02, 0.02};
    judgement.figures.push_back(figure);
  };
  for (int i = 0; i < 20; ++i) add("same" + std::to_string(i), FigureKind::latency, NightVerdict::no_change);
  for (int i = 0; i < 5; ++i) add("detail" + std::to_string(i), FigureKind::op_kind, NightVerdict::cannot_tell);
  add("open", FigureKind::latency, NightVerdict::cannot_tell);
  add("worse", FigureKind::latency, NightVerdict::regression);
  judgement.verdict = NightVerdict::regression;
  return judgement;
}

TEST(JudgementText, OfManyFiguresThoseThatMatterComeFirstAndTheOthersInALine) {
  const std::string text = judgement_text(of_many_figures());
  EXPECT_LT(text.find("m: worse"), text.find("m: open")) << text;
  EXPECT_EQ(text.find("same"), std::string::npos);
  EXPECT_EQ(text.find("detail"), std::string::npos);
  EXPECT_NE(text.find("\n20 figures: no change (more than 2 % worse is ruled out)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n5 figures of op kinds: cannot tell (which does not count for the night)\n"), std::string::npos)
      << text;
  EXPECT_EQ(judgement_markdown(of_many_figures()).find("same"), std::string::npos);
  EXPECT_NE(judgement_junit(of_many_figures()).find("same0"), std::string::npos) << "systems take all";
}

TEST(JudgementText, AGoodNightOfManyFiguresHasItsVerdictOnce) {
  NightJudgement judgement = of_many_figures();
  std::erase_if(judgement.figures,
                [](const FigureVerdict& figure) { return figure.figure == "open" || figure.figure == "worse"; });
  judgement.verdict = NightVerdict::no_change;
  const std::string text = judgement_text(judgement);
  EXPECT_EQ(testing::count_of("no change", text), 1) << text;
  EXPECT_TRUE(text.ends_with("\nno change (more than 2 % worse is ruled out)\n")) << text;
}

TEST(JudgementText, FiguresOfOpKindsStandOnceInANightThatCannotTell) {
  NightJudgement judgement = of_many_figures();
  for (FigureVerdict& figure : judgement.figures)
    if (figure.verdict == NightVerdict::cannot_tell) figure.note = "the nights vary too much";
  std::erase_if(judgement.figures, [](const FigureVerdict& figure) { return figure.figure == "worse"; });
  judgement.verdict = NightVerdict::cannot_tell;
  const std::string text = judgement_text(judgement);
  EXPECT_EQ(testing::count_of("op kinds", text), 1) << text;
  EXPECT_EQ(testing::count_of("vary too much", text), 1) << text;
}

TEST(JudgementText, MeasurementsWithoutComparableNightsAreNamedTogether) {
  NightJudgement judgement;
  for (const char* const name : {"curve", "load"}) {
    FigureVerdict figure;
    figure.measurement = name, figure.figure = "ops/s", figure.incomparable_nights = 3;
    judgement.figures.push_back(figure);
    judgement.incomparable.push_back({name, "3 nights are not comparable with tonight (...): volume"});
  }
  judgement.verdict = NightVerdict::cannot_tell;
  EXPECT_EQ(judgement_line(judgement), "cannot tell: curve, load: earlier nights are not comparable with tonight");
}

TEST(JudgementText, AMeasurementIsJudgedByItsOwnLimitWhichIsSaid) {
  const auto history = testing::sample_history(20);
  const Night tonight = testing::sample_night(20, {testing::sample_rate(900)});
  Gate gate;
  gate.of_measurements["m"].max_regression = 0.2;
  const NightJudgement judgement = judge(history, tonight, gate);
  EXPECT_EQ(judgement.verdict, NightVerdict::no_change) << judgement_text(judgement);
  EXPECT_EQ(judgement.figures[0].limit, 0.2);
  EXPECT_NE(judgement_text(judgement).find("limit 5 %; 20 % of m,"), std::string::npos) << judgement_text(judgement);
}

TEST(JudgementText, WhatFailedIsSaidOnceAndARegressionStaysOne) {
  NightJudgement judgement = sample(1001), worse = sample(900), several = judgement;
  for (NightJudgement* const each : {&judgement, &worse}) add_failures(*each, {{"other", "no <such> mount"}});
  for (const NightJudgement& each : {judgement, worse})
    EXPECT_EQ(testing::count_of("other: no <such> mount", judgement_text(each)), 1) << judgement_text(each);
  add_failures(several, {{"a", "is gone"}, {"b", "is gone"}, {"c", "is gone"}});
  EXPECT_TRUE(judgement_text(several).starts_with("failed: c: is gone\n")) << "the last line names two";
  EXPECT_EQ(judgement_line(judgement), "failed: other: no <such> mount");
  EXPECT_TRUE(judgement_line(worse).starts_with("regression: m: ops/s -"));
  EXPECT_TRUE(judgement_line(worse).ends_with("; failed: other: no <such> mount"));
  EXPECT_NE(judgement_junit(judgement).find("<error message=\"no &lt;such&gt; mount\"/>"), std::string::npos);
}

TEST(JudgementText, NotesOfTheNightAreInEveryFormatButTheSubjectOfAMail) {
  for (const double rate : {900.0, 1001.0}) {
    NightJudgement judgement = sample(rate);
    judgement.notes = {"m: ops/s drifts by -0.1 % per night"};
    for (const std::string& text :
         {judgement_text(judgement), judgement_markdown(judgement), judgement_junit(judgement)})
      EXPECT_NE(text.find("drifts by -0.1 % per night"), std::string::npos) << text;
  }
}

TEST(JudgementText, RunsThatAreInvalidForTheSameReasonsAreOneNoteThatNamesThem) {
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

TEST(JudgementText, AFigureWithoutAValueHasADashInEachOfItsCells) {
  const auto history = testing::sample_history(20);
  const NightJudgement missing = judge(history, testing::with_runs(20, {std::nullopt}, 0.002), {}),
                       first = judge({}, testing::sample_night(1, {testing::sample_rate(1)}), {});
  ASSERT_FALSE(missing.figures.at(0).value);
  const auto cells_of = [](const NightJudgement& judgement) {
    std::vector<std::string> cells;
    std::istringstream row(testing::lines_of(judgement_text(judgement)).at(1));
    for (std::string cell; row >> cell;) cells.push_back(cell);
    return fmt::format("{}", fmt::join(cells, " "));
  };
  EXPECT_TRUE(cells_of(missing).starts_with("m: ops/s - ")) << judgement_text(missing);
  EXPECT_TRUE(cells_of(missing).ends_with(" - - regression")) << judgement_text(missing);
  EXPECT_EQ(cells_of(first), "m: ops/s 1.00 - - - cannot tell") << judgement_text(first);
  EXPECT_NE(judgement_markdown(first).find("| - | - | - | cannot tell |"), std::string::npos)
      << judgement_markdown(first);
}

TEST(JudgementText, ThatARunIsInvalidStandsInTheVerdictAloneAndWhatMendsItInTheNote) {
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

TEST(JudgementText, WhatAPauseOfEdagenExplainsHasNoRemedyOfItsOwn) {
  Night night = testing::with_runs(1, {1000, 1001}, 0.002);
  for (NightRun& run : night.measurements[0].runs)
    run.invalid = {Invalid::achieved_rate_low, Invalid::generator_paused};
  const std::vector<std::string> notes = invalid_notes(night);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("was reached: edagen's pause may be why; edagen was stopped"), std::string::npos) << notes[0];
  EXPECT_EQ(notes[0].find("a lower --rate"), std::string::npos) << notes[0];
}

TEST(JudgementText, AnOverloadHasOneRemedyAndIsTheCauseOfWhatFollowsFromIt) {
  Night night = testing::with_runs(1, {1000}, 0.002);
  night.measurements[0].runs[0].invalid = {Invalid::achieved_rate_low, Invalid::proc_rate_low, Invalid::mix_off,
                                           Invalid::ops_outstanding};
  const std::string note = invalid_notes(night).front(), remedy = "a lower --rate",
                    cause = ": more ops were due than ended, which may be why";
  EXPECT_NE(note.find("at its limit, which edagen curve finds; a proc reached"), std::string::npos) << note;
  EXPECT_EQ(note.find(remedy), note.rfind(remedy)) << note;
  EXPECT_TRUE(note.ends_with(cause + ")")) << note;
}

TEST(JudgementText, ALowerBoundHasTheRemedyOfWhatLimitedIt) {
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

TEST(JudgementText, FiguresOfAModelAreSaidToBeSimulatedInEveryFormat) {
  Night tonight = testing::sample_night(20, {testing::sample_rate(1001)});
  tonight.measurements[0].comparable["volume"] = "sim:regular #1234";
  auto history = testing::sample_history(20);
  for (Night& night : history) night.measurements[0].comparable["volume"] = "sim:regular #1234";
  const NightJudgement judgement = judge(history, tonight, {});
  for (const auto format : {judgement_line, judgement_text, judgement_markdown, judgement_junit}) {
    EXPECT_NE(format(judgement).find("simulated"), std::string::npos) << format(judgement);
    EXPECT_EQ(format(sample(1001)).find("simulated"), std::string::npos);
  }
  tonight.measurements.push_back(tonight.measurements[0]);
  tonight.measurements[1].name = "real";
  tonight.measurements[1].comparable["volume"] = "/mnt/a";
  EXPECT_EQ(judge(history, tonight, {}).simulated, "simulated: m");
}

TEST(JudgementText, FiguresOfWhichTheSameIsNotKnownAreToldTogether) {
  Night tonight = testing::sample_night(1, {testing::sample_rate(1)});
  std::vector<NightFigure>& figures = tonight.measurements[0].runs[0].figures;
  const NightFigure first = figures.front();
  for (const char* const name : {"b", "c", "d"}) {
    figures.push_back(first);
    figures.back().name = name;
  }
  const NightJudgement judgement = judge({}, tonight, {});
  EXPECT_EQ(judgement_line(judgement), "cannot tell: m: 0 earlier measurements to compare with, and 3 are needed");
  for (const std::string& text : {judgement_text(judgement), judgement_markdown(judgement)})
    EXPECT_EQ(testing::count_of("and 3 are needed", text), 1) << text;
}

TEST(JudgementText, AFigureOfInvalidRunsAloneIsMarkedInEveryFormat) {
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

TEST(JudgementText, ALowerBoundIsMarkedInEveryFormatAsInTheTablesOfLoadPoints) {
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

TEST(JudgementText, TheSettingsOfTheGateThatAreNotTheUsualOnesAreNamed) {
  Gate gate;
  const auto history = testing::sample_history(20);
  const Night tonight = testing::sample_night(20, {testing::sample_rate(1001)});
  EXPECT_EQ(judgement_text(judge(history, tonight, gate)).find("nights may differ"), std::string::npos);
  gate.nights = 10, gate.allowed = {"kernel", "volume"};
  const std::string text = judgement_text(judge(history, tonight, gate));
  EXPECT_NE(text.find(", at most 10 nights, nights may differ in kernel, volume"), std::string::npos) << text;
  gate.allowed = {"\x1b[31m"};  // of a history that anybody may have written
  EXPECT_EQ(judgement_text(judge(history, tonight, gate)).find('\x1b'), std::string::npos);
}

TEST(JudgementText, AnImpreciseRateHasOneCauseAndOneRemedyOnce) {
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

TEST(JudgementText, NoChangeOfInvalidValuesIsMarkedWhereverItIsSaid) {
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

TEST(JudgementText, MarkdownIsShort) {
  EXPECT_EQ(judgement_markdown(sample(1001)).find('|'), std::string::npos) << "nothing to tell of";
  EXPECT_NE(judgement_markdown(sample(900)).find("| m: ops/s |"), std::string::npos);
}

TEST(JudgementText, JUnitHasOnlyCharactersOfXmlAndALineForEachNote) {
  NightJudgement judgement = sample(900);
  judgement.notes = {"volume \xef\xbf\xbe", "host \xed\xa0\x80 \x0b"};
  judgement.failures = {{"m", "/tmp/a\xef\xbf\xbf is not mounted"}};
  const std::string junit = judgement_junit(judgement);
  EXPECT_NE(junit.find("<system-out>volume \\xef\\xbf\\xbe\nhost \\xed\\xa0\\x80 \\x0b\n</system-out>"),
            std::string::npos)
      << junit;
  EXPECT_NE(junit.find("/tmp/a\\xef\\xbf\\xbf is not mounted"), std::string::npos) << junit;
  EXPECT_EQ(junit.find("\\n"), std::string::npos) << junit;
}

TEST(JudgementText, AFigureThatIsMissingIsSaidToBeAlsoWhereOlderNightsAreNotComparable) {
  auto history = testing::sample_history(20);
  for (std::size_t i = 0; i < 5; ++i) history[i].measurements[0].comparable["kernel"] = "5.10";
  const NightJudgement judgement = judge(history, testing::sample_night(20, {}), {});
  EXPECT_EQ(judgement.figures.at(0).incomparable_nights, 5u);
  EXPECT_EQ(judgement_line(judgement), "cannot tell: m: was not measured tonight");
  const std::string junit = judgement_junit(judgement);
  EXPECT_NE(junit.find("errors=\"0\" skipped=\"1\""), std::string::npos) << junit;
}

TEST(JudgementText, TheLossThatIsRuledOutIsNamedForTailsByItself) {
  NightJudgement judgement;
  const auto add = [&](const char* name, FigureKind kind, double low, double high) {
    FigureVerdict& figure = judgement.figures.emplace_back();
    figure.measurement = "m", figure.figure = name;
    figure.kind = kind;
    figure.verdict = NightVerdict::no_change;
    figure.interval = {low, high};
  };
  add("ops/s", FigureKind::rate, -0.01, 0.02);
  judgement.verdict = NightVerdict::no_change;
  EXPECT_EQ(judgement_line(judgement), "no change (more than 1 % worse is ruled out)");
  add("p99 ms", FigureKind::tail, -0.02, 0.06);
  EXPECT_EQ(judgement_line(judgement), "no change (more than 1 % worse, of p99 6 %, is ruled out)");
}

}  // namespace
}  // namespace edagen
