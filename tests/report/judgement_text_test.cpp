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
  EXPECT_TRUE(judgement_line(judgement).ends_with(" % against the reference")) << judgement_line(judgement);
  EXPECT_NE(judgement_junit(judgement).find(" % against the reference; "), std::string::npos);
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
  EXPECT_NE(
      text.find(", a loss of 2 % or more would show in m: ops/s, of 34 % or more in pts: mean ms at 3,000 ops/s\n"),
      std::string::npos)
      << text;
  judgement.figures[1].verdict = judgement.verdict = NightVerdict::cannot_tell;
  EXPECT_NE(judgement_line(judgement).find(" % (a loss of 34 % or more would show, and the limit is 5 %)"),
            std::string::npos)
      << judgement_line(judgement);
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
