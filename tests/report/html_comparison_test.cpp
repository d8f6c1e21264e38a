// Comparisons of variants, and of several results, as a page in a real browser.
#include <gtest/gtest.h>

#include <limits>

#include "support/browser.hpp"
#include "support/program.hpp"
#include "support/sample_result.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(HtmlComparison, AComparisonThatWasKilledHasNoTimeOfItsEnd) {
  ComparisonResult comparison = sample_comparison("2ms");
  EXPECT_EQ(html_text({}, {comparison}).find("a time that is not known"), std::string::npos);
  comparison.status = Status::incomplete;
  EXPECT_NE(html_text({}, {comparison}).find(" to a time that is not known"), std::string::npos);
}

TEST(HtmlComparison, ARepeatOfAnyNumberHasOnePlaceOnTheAxis) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants[0].runs.back().repeat = std::numeric_limits<std::uint64_t>::max();
  EXPECT_NE(html_text({}, {comparison}).find("18446744073709551615"), std::string::npos);
}

TEST(HtmlComparison, WhichRunsMeansAndRatiosAreOfIsSaidWhereSomeAreInvalid) {
  ComparisonResult comparison = sample_comparison(std::nullopt);
  comparison.variants.clear();
  const auto runs = [](const std::vector<Invalid>& of_last) {
    std::vector<RunFigures> all;
    for (std::uint64_t repeat = 1; repeat <= 4; ++repeat)
      all.push_back({100, 1, Millis(2 + 0.01 * static_cast<double>(repeat)), 0, {}, repeat});
    all.back().invalid = of_last;
    return all;
  };
  add_variant(comparison, "a", "/mnt/a", runs({}));
  add_variant(comparison, "b", "/mnt/b", runs({}));
  EXPECT_EQ(html_text({}, {comparison}).find("(with invalid ones)"), std::string::npos);
  comparison.variants.pop_back();
  add_variant(comparison, "b", "/mnt/b", runs({Invalid::achieved_rate_low}));
  ASSERT_EQ(comparison.variants[1].against_first->usable_pairs, 3u);
  const std::string page = html_text({}, {comparison});
  EXPECT_NE(page.find("4 runs of each (with invalid ones); a row shows the arithmetic means of those that can be used"),
            std::string::npos);
  EXPECT_NE(page.find("repeat by repeat, from the pairs that can be used: b 3 of 4"), std::string::npos);
}

TEST(HtmlComparison, SeveralResultsHaveOneTableASentenceAndColoursOfTheirOwn) {
  const TemporaryDirectory folder;
  Result small = sample_result(sample_curve()), large = small;
  large.target.mounts.front().path = "/mnt/large";
  large.at_latency_target.front().ops_per_sec = 652'260;
  const std::string page = html_text({small, large});
  const Outcome dom = browse_page(folder, page, "--dump-dom");
  if (dom.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_NE(dom.out.find("At 2 ms mean response eda_mixed, 10 clients on /mnt/large sustains 652,260 ops/s"),
            std::string::npos);
  EXPECT_NE(dom.out.find("16.5 times the least: eda_mixed, 10 clients on /mnt/a sustains 39,601 ops/s"),
            std::string::npos);
  const Outcome shown =
      ask(folder, page,
          "(its => [document.querySelectorAll('.answer').length, document.querySelectorAll('.answer tbody tr').length, "
          "its.options.scales.x.type, new Set(its.data.datasets.filter(set => set.pointStyle === 'rectRot').map(set => "
          "set.borderColor)).size].join(' '))(Chart.getChart(document.querySelector('canvas')))");
  EXPECT_EQ(shown.out, "1 2 logarithmic 2");
  small.at_latency_target.front().invalid = {Invalid::not_demonstrated};
  const Outcome invalid = ask(folder, html_text({small, large}), "document.querySelector('.verdict').textContent");
  EXPECT_EQ(invalid.out.find("sustains"), std::string::npos) << "a ratio to what is invalid: " << invalid.out;
}

TEST(HtmlComparison, TheKindsOfOpOfAnInvalidLoadPointAreMarked) {
  Result one = sample_result(single_point_curve());
  one.load_points[0].invalid = {Invalid::unsteady};
  EXPECT_NE(html_text({one, one}).find(" ops/s, INVALID\""), std::string::npos);
  one.load_points[0].invalid.clear();
  EXPECT_EQ(html_text({one, one}).find(" ops/s, INVALID\""), std::string::npos);
}

TEST(HtmlComparison, AComparisonShowsTheCurvesKindsOfOpAndConfigurationsOfItsVariants) {
  const TemporaryDirectory folder;
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.host.processor = "a processor";
  comparison.host.sysctls = {{"net.core.rmem_max", "1"}};
  comparison.variants[1].last_run->target.mounts.front().options = "nconnect=8";
  const Outcome browser = browse(folder, {}, "--dump-dom", {comparison});
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  for (const char* const part :
       {"Latency over I/O rate, of the last runs", "By kind of op", "Configurations",
        "text bad\" data-head=\"large\">/mnt/b", "nconnect=8", "(a processor)", "net.core.rmem_max = 1", ">16.5x<"})
    EXPECT_NE(browser.out.find(part), std::string::npos) << part;
}

TEST(HtmlComparison, CurvesAreDrawnWithTheRatioOfTheirLatenciesAndTheRatioOfTwoVariantsIsARow) {
  const TemporaryDirectory folder;
  ComparisonResult comparison = sample_comparison("2ms");
  Result twice = sample_result(sample_curve_with_shape());
  comparison.variants[0].last_run = variant_run(twice);
  for (PointFigures& point : twice.load_points) point.statistic.value *= 2;
  comparison.variants[1].last_run = variant_run(twice);
  const Outcome browser =
      ask(folder, html_text({}, {comparison}),
          "(charts => [charts.find(chart => chart.options.scales.y.title.text.startsWith('latency, in'))"
          ".data.datasets[0].data.map(({y}) => y.toFixed(2)).join(' '), charts[0].height < 150].join('|'))"
          "([...document.querySelectorAll('canvas')].map(canvas => Chart.getChart(canvas)))");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "2.00 2.00 2.00 2.00 2.00 2.00 2.00|true");
}

TEST(HtmlComparison, TheIntervalsOfAComparisonAreWholeAndItsRatiosWrittenAlike) {
  const TemporaryDirectory folder;
  ComparisonResult near, far;
  for (ComparisonResult* const comparison : {&near, &far}) {
    *comparison = sample_comparison("2ms");
    comparison->variants.clear();
    add_variant(*comparison, "a", "/mnt/a", {{100, 1, Millis(2), 0}, {100, 1, Millis(2), 0, {}, 2}});
  }
  add_variant(near, "b", "/mnt/b", {{103, 1, Millis(2), 0}, {104, 1, Millis(2), 0, {}, 2}});
  add_variant(far, "b", "/mnt/b", {{190, 1, Millis(2), 0}, {200, 1, Millis(2), 0, {}, 2}});
  for (const auto& [comparison, said] : {std::pair(near, "%%% true"), std::pair(far, "xxx true")}) {
    const Outcome browser = ask(
        folder, html_text({}, {comparison}),
        "(made => [document.querySelectorAll('.answer tbody tr')[1].textContent.match(/[%x]/g).join(''), "
        "data.find(block => block.chart === 'ratios').rows.every(({interval: [low, high]}) => low > made.scales.x.min "
        "&& high < made.scales.x.max)].join(' '))(Chart.getChart(document.querySelector('canvas')))");
    if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
    EXPECT_EQ(browser.out, said);
  }
}

TEST(HtmlComparison, AComparisonNamesRunsThatAreMissingAndShowsNoIntervalThatTellsNothing) {
  const TemporaryDirectory folder;
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants.clear();
  comparison.status = Status::interrupted;
  comparison.repeats = 3;
  add_variant(comparison, "a", "/mnt/a", {{100, 1, Millis(2), 0}, {100, 1, Millis(2), 0, {}, 2}});
  add_variant(comparison, "b", "/mnt/b", {{50, 1, Millis(2), 0}, {190, 1, Millis(2), 0, {}, 2}});
  const std::string page = html_text({}, {comparison});
  for (const char* const part :
       {"these are missing: a 3; b 3. All that follows", "2 repeats cannot tell", "2 of 2, 1 missing"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  const Outcome browser =
      ask(folder, page,
          "(made => [document.querySelectorAll('.answer tbody tr')[1].textContent.replace(/.*?(none)/, '$1'), "
          "data.find(block => block.chart === 'ratios').rows[0].interval.length].join(' "
          "'))(Chart.getChart(document.querySelector("
          "'canvas')))");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "nonenone: too few repeats2 of 2, 1 missing 0");
}

TEST(HtmlComparison, OfUnequalNumbersOfRunsSaysHowManyARatioIsOfAndWhichRunIsTheLast) {
  const TemporaryDirectory folder;
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants[1].runs.pop_back();
  const Outcome browser = ask(folder, html_text({}, {comparison}),
                              "[page.textContent.includes('repeat by repeat, over those that both have: large 1'), "
                              "...[...document.querySelectorAll('canvas')].flatMap(its => Chart.getChart(its).data"
                              ".datasets.map(set => set.label)).filter(label => label.includes('repeat'))].join('|')");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "true|regular, last run (repeat 2)|large, last run (repeat 1)");
}

TEST(HtmlComparison, WhatIsDrawnOfInvalidRunsIsNamedSo) {
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.variants.pop_back();
  add_variant(comparison, "large", "/mnt/b",
              {{652'260, 10'030, Millis(4), 1.5}, {652'300, 10'030, Millis(4), 1.5, {Invalid::unsteady}, 2}});
  comparison.variants[1].last_run = comparison.variants[0].last_run;
  const std::string page = html_text({}, {comparison});
  for (const char* const part : {"\"large against regular, INVALID\"", "\"large, last run (repeat 2), INVALID\""})
    EXPECT_NE(page.find(part), std::string::npos) << part;
  EXPECT_NE(page.find("\"regular, last run (repeat 2)\""), std::string::npos) << "which is valid";
}

TEST(HtmlComparison, ARunOfAComparisonWithoutFiguresShowsNoZeros) {
  const TemporaryDirectory folder;
  ComparisonResult comparison = sample_comparison(std::nullopt);
  comparison.variants.clear();
  add_variant(comparison, "a", "/mnt/a", {run_figures(Result{}, false)});
  const Outcome browser =
      ask(folder, html_text({}, {comparison}), "document.querySelector('.answer tbody tr').textContent");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "anonenonenoneINVALID0 of 1");
}

}  // namespace
}  // namespace edagen
