#include "report/history_text.hpp"

#include <gtest/gtest.h>

#include "report/history_page.hpp"
#include "report/judgement_text.hpp"
#include "report/wrapped_text.hpp"
#include "support/program.hpp"
#include "support/sample_nights.hpp"
#include "support/sample_result.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace testing;

/// Twenty nights and ten that are slower and have another kernel.
std::vector<Night> slower_since_the_21st() {
  auto nights = sample_history(30);
  for (std::size_t i = 20; i < nights.size(); ++i) {
    *nights[i].measurements[0].runs[0].figures[0].value *= 0.9;
    nights[i].measurements[0].comparable["kernel"] = "6.8";
    nights[i].kernel = "6.8";
  }
  return nights;
}

/// As if the terminal had room for each line.
std::string unwrapped(std::string text) {
  for (std::size_t at = 0; (at = text.find("\n    ", at)) != std::string::npos;) text.replace(at, 5, " ");
  return text;
}

TEST(HistoryText, SaysSinceWhichNightAFigureIsWorseAndWhatElseChangedThen) {
  const std::string text = unwrapped(history_text(slower_since_the_21st()));
  EXPECT_NE(text.find("since 2026-01-21T01:00:00Z: m: ops/s -"), std::string::npos) << text;
  EXPECT_NE(text.find("kernel '6.1' is '6.8' now"), std::string::npos);
  EXPECT_NE(history_text(sample_history(30)).find("no figure changed its level by more than chance"),
            std::string::npos);
  EXPECT_NE(history_text(sample_history(3)).find("3 nights: a change of a figure's level shows from 6 nights on"),
            std::string::npos);
}

TEST(HistoryText, AfterOneNightThereIsNoChangeToTell) {
  EXPECT_NE(history_text(sample_history(1)).find("  -\n"), std::string::npos) << history_text(sample_history(1));
  EXPECT_EQ(history_text(sample_history(1)).find(" %\n"), std::string::npos);
  EXPECT_NE(history_text(sample_history(2)).find(" %\n"), std::string::npos);
}

TEST(HistoryText, AFirstAndALastNightOfDifferentMeasurementsAreMarkedAsNotComparable) {
  std::vector<Night> nights = sample_history(4);
  EXPECT_EQ(history_text(nights).find("not comparable"), std::string::npos) << history_text(nights);
  nights.back().measurements[0].comparable["workload"] = "eda_physical";
  EXPECT_NE(history_text(nights).find(" %, not comparable\n"), std::string::npos) << history_text(nights);
}

TEST(HistoryText, FiguresOfAModelAreSaidToBeSimulated) {
  auto nights = slower_since_the_21st();
  EXPECT_EQ(history_text(nights).find("simulated"), std::string::npos);
  for (Night& night : nights) night.measurements[0].comparable["volume"] = "sim:regular #1234";
  EXPECT_NE(history_text(nights).find("m: ops/s, simulated  "), std::string::npos) << history_text(nights);
  EXPECT_NE(history_html(nights, {}).find("m: ops/s, simulated"), std::string::npos);
  Result curve = sample_result(sample_curve());
  curve.target.kind = TargetKind::sim, curve.target.model = "regular";
  EXPECT_NE(history_html(nights, {{"m", curve}}).find("m: one night, simulated"), std::string::npos);
}

TEST(HistoryText, ThePageHasAllThatDiffersAndATerminalTheFirstOfItIn80Columns) {
  auto nights = slower_since_the_21st();
  for (std::size_t i = 20; i < nights.size(); ++i) {
    for (const char* const part : {"dataset", "host", "load", "mount /mnt/a"})
      nights[i].measurements[0].comparable[part] = std::string(30, 'x');
    nights[i].judgement = judge({nights.data(), i}, nights[i], {});
  }
  const std::string text = history_text(nights), page = history_html(nights, {});
  EXPECT_NE(unwrapped(text).find("m: 20 nights are not comparable with tonight (\"allow_differences\": [\"dataset\", "
                                 "\"host\", \"kernel\", \"load\", \"mount\"] of nightly, or --allow-difference of "
                                 "check, accepts them)"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("mount /mnt/a"), std::string::npos) << text;
  EXPECT_NE(page.find("mount /mnt/a 'none' is 'xxx"), std::string::npos);
  for (const std::string& line : lines_of(text)) EXPECT_LE(columns_of(line), terminal_columns) << line;
  EXPECT_NE(page.find("<title>edagen history: 30 nights, 2026-01-01T01:00:00Z to 2026-02-02T01:00:00Z</title>"),
            std::string::npos);
}

TEST(HistoryText, ThePageNamesEachReferenceAndWhatHasChangedAgainstThem) {
  Random random(1);
  std::vector<Night> nights;
  for (std::size_t i = 0; i < 30; ++i) {
    nights.push_back(sample_night(i, {sample_rate((i < 20 ? 1000 : 900) * std::exp(0.003 * random.normal()))}));
    auto& runs = nights.back().measurements[0].runs;
    for (const unsigned number : {1u, 2u}) {
      runs.push_back(runs[0]);
      runs.back().reference = true, runs.back().reference_number = number;
      runs.back().figures[0].value = 2000 * std::exp(0.003 * random.normal());
    }
  }
  const std::string page = history_html(nights, {});
  EXPECT_NE(page.find("% against the reference"), std::string::npos);
  EXPECT_NE(page.find("% against the reference\",false]"), std::string::npos) << "over the chart";
  EXPECT_NE(page.find("m (reference)"), std::string::npos);
  EXPECT_NE(page.find("m (reference 2)"), std::string::npos);
}

TEST(HistoryText, TheChangeFromTheFirstToTheLastNightIsAgainstTheReferenceAsThatOfAVerdictIs) {
  std::vector<Night> nights;
  for (std::size_t i = 0; i < 4; ++i) {
    nights.push_back(sample_night(i, {sample_rate(i < 3 ? 1000 : 700)}));
    auto& runs = nights.back().measurements[0].runs;
    runs.push_back(runs[0]);
    runs.back().reference = true;
    runs.back().figures[0].value = i < 3 ? 2000 : 1760;
  }
  const std::string text = history_text(nights);
  EXPECT_NE(text.find(" -20.5 % against the reference\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("-30.0 %"), std::string::npos) << text;
  nights.front().measurements[0].runs.pop_back();
  EXPECT_NE(history_text(nights).find(" -30.0 %\n"), std::string::npos) << "the first night has no reference";
}

TEST(HistoryText, HollowPointsOfCurvesAreExplainedWhereThereAreAny) {
  const auto nights = sample_history(2);
  Result curve = sample_result(sample_curve());
  EXPECT_NE(history_html(nights, {{"m", curve}}).find("Hollow: invalid or overload"), std::string::npos);
  for (PointFigures& point : curve.load_points) point.invalid.clear();
  EXPECT_EQ(history_html(nights, {{"m", curve}}).find("Hollow:"), std::string::npos);
}

TEST(HistoryText, NightsOfInvalidRunsAreMarkedAndDrawnHollow) {
  auto nights = sample_history(3);
  EXPECT_EQ(history_text(nights).find("INVALID"), std::string::npos);
  EXPECT_EQ(history_html(nights, {}).find("Hollow: invalid"), std::string::npos);
  nights[2].measurements[0].runs[0].invalid = {Invalid::unsteady};
  const std::string text = history_text(nights), page = history_html(nights, {});
  EXPECT_NE(text.find("2026-01-03T01:00:00Z  complete, INVALID  0.2.0"), std::string::npos) << text;
  EXPECT_EQ(text.find("2026-01-02T01:00:00Z  complete, INVALID"), std::string::npos) << text;
  EXPECT_NE(text.find("\nm: ops/s  "), std::string::npos) << text;
  EXPECT_NE(text.find("  INVALID 9"), text.find("  INVALID 1")) << "the last value of the figure: " << text;
  const std::string row = text.substr(text.find("\nm: ops/s  ") + 1);
  EXPECT_NE(row.substr(0, row.find('\n')).rfind("INVALID "), row.find("INVALID ")) << "its change, too: " << text;
  EXPECT_NE(page.find("Hollow: invalid"), std::string::npos);
  EXPECT_NE(page.find(",false,true]"), std::string::npos) << "the third point";
  EXPECT_NE(page.find("not judged (INVALID)"), std::string::npos);
  nights[2].judgement = judge({nights.data(), 2}, nights[2], {});
  nights[2].judgement->invalid_runs = invalid_notes(nights[2]);
  const std::string judged = history_html(nights, {});
  EXPECT_NE(judged.find("m-1.json is INVALID: unsteady"), std::string::npos);
  EXPECT_EQ(judged.find(" (INVALID)"), std::string::npos) << "the verdict has it";
  nights[2].measurements[0].runs[0].figures.clear();
  EXPECT_NE(history_text(nights).find("complete, INVALID"), std::string::npos) << "without a figure, too";
}

TEST(HistoryText, AChangeOfLevelThatRestsOnInvalidNightsIsMarked) {
  auto nights = slower_since_the_21st();
  EXPECT_EQ(history_text(nights).find("INVALID"), std::string::npos);
  EXPECT_NE(history_html(nights, {}).find("Bars: 95 % interval of a night"), std::string::npos);
  for (std::size_t i = 20; i < nights.size(); ++i) nights[i].measurements[0].runs[0].invalid = {Invalid::unsteady};
  const std::string text = unwrapped(history_text(nights)), page = history_html(nights, {});
  EXPECT_NE(text.find(", INVALID: 10 of "), std::string::npos) << text;
  EXPECT_NE(page.find(", INVALID: 10 of "), std::string::npos);
  EXPECT_NE(page.find(" % INVALID *"), std::string::npos) << "over the chart";
}

TEST(HistoryText, APageIsDrawnByARealBrowser) {
  const TemporaryDirectory folder;
  const std::string page =
      folder.write("index.html", history_html(slower_since_the_21st(), {{"m", sample_result(sample_curve())}}));
  const Outcome browser =
      Program({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
               "--user-data-dir=" + (folder / "profile"), "--virtual-time-budget=5000", "--dump-dom", "file://" + page})
          .wait();
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  std::size_t canvases = 0;
  for (std::size_t at = 0; (at = browser.out.find("<canvas width=", at)) != std::string::npos; ++at) ++canvases;
  EXPECT_EQ(canvases, 2u) << "the figure and the curves";
  EXPECT_NE(browser.out.find("href=\"results/x/m-1.html\""), std::string::npos);
  EXPECT_NE(browser.out.find("kernel '6.1' is '6.8' now"), std::string::npos);
}

TEST(HistoryText, OpKindsHaveARowWhereTheirLevelChangedOrTheLastNightLostByThem) {
  auto nights = sample_history(30);
  for (Night& night : nights) {
    std::vector<NightFigure>& figures = night.measurements[0].runs[0].figures;
    const double value = *figures[0].value / 1000;
    for (const char* const name : {"read_file ms at 300 ops/s", "stat ms at 300 ops/s"})
      figures.push_back({name, FigureKind::op_kind, value, 0.002});
  }
  const std::string hidden = "\nand 2 figures of op kinds, without a change of level (--html FILE has them)\n";
  const std::string text = history_text(nights);
  EXPECT_EQ(text.find("stat ms"), std::string::npos) << text;
  EXPECT_NE(text.find(hidden), std::string::npos) << text;
  EXPECT_NE(history_html(nights, {}).find("stat ms at 300 ops/s"), std::string::npos);
  nights.back().judgement.emplace();
  FigureVerdict& worse = nights.back().judgement->figures.emplace_back();
  worse.measurement = "m", worse.figure = "stat ms at 300 ops/s", worse.kind = FigureKind::op_kind;
  worse.verdict = NightVerdict::regression;
  EXPECT_NE(history_text(nights).find("\nm: stat ms at 300 ops/s "), std::string::npos) << history_text(nights);
  nights.back().judgement.reset();
  for (std::size_t i = 20; i < nights.size(); ++i) *nights[i].measurements[0].runs[0].figures[1].value *= 1.2;
  const std::string changed = history_text(nights);
  EXPECT_NE(changed.find("\nm: read_file ms at 300 ops/s "), std::string::npos) << changed;
  EXPECT_NE(changed.find("\nand 1 figure of op kinds, without"), std::string::npos) << changed;
}

TEST(HistoryText, AFigureThatTheLastNightsDoNotHaveIsNotSaidToBeAsItWas) {
  auto nights = sample_history(30);
  EXPECT_EQ(history_text(nights).find("none for"), std::string::npos);
  for (std::size_t i = 10; i < nights.size(); ++i) nights[i].measurements[0].runs[0].figures[0].value.reset();
  nights[29].measurements[0].runs.clear();  // it failed
  EXPECT_NE(history_text(nights).find("  none in the last 19 nights\n"), std::string::npos) << history_text(nights);
  EXPECT_NE(history_html(nights, {}).find("m: ops/s, none for the last 19 nights"), std::string::npos);
}

TEST(HistoryText, TextFromElsewhereEndsNoScript) {
  auto nights = sample_history(4);
  for (Night& night : nights) night.kernel = "</script><script>alert(1)</script>\x1b[31m";
  const std::string page = history_html(nights, {});
  EXPECT_EQ(page.find("</script><script>alert"), std::string::npos);
  EXPECT_EQ(page.find('\x1b'), std::string::npos);
  EXPECT_EQ(history_text(nights).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace edagen
