#include "report/html.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <tuple>

#include "support/browser.hpp"
#include "support/hostile.hpp"
#include "support/program.hpp"
#include "support/report_text.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

TEST(Html, NeedsNothingFromElsewhere) {
  const std::string page = html_text({sample_result(sample_curve())});
  for (const char* const reference : {"src=\"http", "href=\"http", "url(http", "@import"})
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  EXPECT_EQ(page.find("/*RESULTS*/"), std::string::npos);
  EXPECT_NE(page.find("Chart.js"), std::string::npos);
  EXPECT_EQ(page.find("\"</script>\""), std::string::npos);  // a mount's source does not end the script
}

TEST(Html, TheTitleSaysCommandWorkloadVolumeAndDate) {
  Result result = sample_result(sample_curve());
  result.started_at = "2026-01-31T12:00:00Z";
  const auto has = [](const std::string& page, const std::string& title) {
    return page.find("<title>" + title + "</title>") != std::string::npos;
  };
  EXPECT_TRUE(has(html_text({result}), "edagen run: eda_mixed, 10 clients on /mnt/a, 2026-01-31T12:00:00Z"));
  result.command = {"edagen", "curve", "--phase", "mixed"};
  result.target.mounts.front().path = "/mnt/</title>&";
  const std::string title = "edagen curve: eda_mixed, 10 clients on /mnt/&lt;/title>&amp;, 2026-01-31T12:00:00Z";
  EXPECT_TRUE(has(html_text({result}), title)) << "as text";
  EXPECT_TRUE(has(html_text({result, result}), title + ", and 1 other result"));
  ComparisonResult comparison = sample_comparison("2ms");
  comparison.started_at = "2026-01-31T12:00:00Z";
  EXPECT_TRUE(has(html_text({}, {comparison}),
                  "edagen compare: eda_mixed, regular (/mnt/a), large (/mnt/b), 2026-01-31T12:00:00Z"));
}

TEST(Html, TextFromElsewhereEndsNoScriptAndBeginsNone) {
  const std::string empty = html_text({}), page = html_text({hostile_result()}, {hostile_comparison()});
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
    return found;
  };
  for (const char* const mark : {"</script", "<script", "<!--", "\x1b", "\u202e", "\u2066"})
    EXPECT_EQ(count(page, mark), count(empty, mark)) << mark;
}

TEST(Html, IsDrawnByARealBrowser) {
  const TemporaryDirectory folder;
  const Outcome browser = browse(
      folder, {sample_result(sample_curve()), sample_result(single_point_curve()), sample_result(sample_sweep())},
      "--dump-dom");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  EXPECT_NE(browser.out.find("39,000 to 40,000"), std::string::npos);
  EXPECT_NE(browser.out.find("Latency over I/O rate"), std::string::npos);
  std::size_t canvases = 0;  // Chart.js gives a canvas it has drawn on a size
  for (std::size_t at = 0; (at = browser.out.find("<canvas width=", at)) != std::string::npos; ++at) ++canvases;
  // A curve, a sweep, kinds of ops; parts, shares and latencies of ops, percentiles and intervals of three results.
  EXPECT_EQ(canvases, 18u);
  EXPECT_NE(browser.out.find("sustains 39,601 ops/s"), std::string::npos) << "the answer in a sentence";
  EXPECT_NE(browser.out.find("Where the time goes"), std::string::npos);
  EXPECT_NE(browser.out.find("Configurations"), std::string::npos) << "of several results, side by side";
  EXPECT_NE(browser.out.find("data (CSV)"), std::string::npos);
  EXPECT_NE(browser.out.find("By io-depth"), std::string::npos);
  EXPECT_NE(browser.out.find("1 ESTALE"), std::string::npos);
}

TEST(Html, StallsAndTheBalanceOfClientsMountsAndHostsAreShownByARealBrowser) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.back();
  IntervalFigures usual = point.intervals.front(), stalled = usual;
  usual.response_counts = {0, 5, 995};
  stalled.response_mean = stalled.response_p99 = std::nullopt;
  point.intervals = {usual, stalled, usual};
  for (std::size_t i = 0; i < point.intervals.size(); ++i) point.intervals[i].start = Seconds(static_cast<double>(i));
  point.clients = {{.operations = 700, .errors = 0, .bytes = 1 << 20},
                   {.operations = 200, .errors = 3, .bytes = 0},
                   {.operations = 100, .errors = 0, .bytes = 0}};
  point.mounts.resize(2);
  for (std::size_t i = 0; i < 2; ++i) static_cast<ClientFigures&>(point.mounts[i]) = point.clients[i];
  point.mounts[0].path = "/mnt/a", point.mounts[0].clients = 2;
  point.mounts[1].path = "/mnt/b", point.mounts[1].clients = 1;
  const Outcome alone = browse(folder, {result}, "--dump-dom");
  if (alone.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_NE(alone.out.find("Response over time"), std::string::npos);
  EXPECT_NE(alone.out.find("Red: one interval of 3 in which no op ended"), std::string::npos);
  EXPECT_NE(alone.out.find(R"(data-head="mount">/mnt/b</td><td data-head="clients">1</td>)"), std::string::npos)
      << alone.out;
  EXPECT_EQ(alone.out.find(">Hosts"), std::string::npos);

  point.hosts.resize(2);
  point.hosts[0].name = "host1", point.hosts[1].name = "host2";
  point.host_findings = {"host2 (rank 1): 3 errors"};
  const Outcome many = browse(folder, {result}, "--dump-dom");
  EXPECT_NE(many.out.find(">Hosts, INVALID<"), std::string::npos) << "an op failed";
  EXPECT_NE(many.out.find("host2 (rank 1): 3 errors"), std::string::npos);
}

TEST(Html, AHostileResultIsDrawnAsTextByARealBrowser) {
  const TemporaryDirectory folder;
  const Outcome browser = browse(folder, {hostile_result()}, "--dump-dom", {hostile_comparison()});
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  EXPECT_NE(browser.out.find("<h2>Environment</h2>"), std::string::npos) << "drawn to its end";
  EXPECT_NE(browser.out.find("&lt;script&gt;alert(1)"), std::string::npos) << "as text";
}

TEST(Html, ARunOfTenThousandIntervalsIsDrawnToItsEnd) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  std::vector<IntervalFigures>& intervals = result.load_points.back().intervals;
  intervals.assign(10'000, intervals.front());
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    intervals[i].start = Seconds(static_cast<double>(i));
    intervals[i].response_counts.assign(24, 1 + i % 7);
  }
  const Outcome browser = browse(folder, {result}, "--dump-dom");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  EXPECT_NE(browser.out.find("Response over time"), std::string::npos);
  EXPECT_NE(browser.out.find("<h2>Environment</h2>"), std::string::npos) << "drawn to its end";
  const Outcome columns = ask(
      folder, html_text({result}),
      "data.find(block => block.choice).bodies[0].find(block => block.chart === 'heat').intervals.map(([, seconds]) => "
      "seconds).join(' ')");
  EXPECT_EQ(std::count(columns.out.begin(), columns.out.end(), ' '), 588) << "neighbours are joined, 17 each";
}

TEST(Html, NotesOfResultsAndComparisonsAreShown) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  ComparisonResult comparison = sample_comparison("2ms");
  result.notes = {"the dataset fits"}, comparison.notes = {"the volumes had different files"};
  const Outcome browser = browse(folder, {result}, "--dump-dom", {comparison});
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  for (const char* const note : {">Note: the dataset fits<", ">Note: the volumes had different files<"})
    EXPECT_NE(browser.out.find(note), std::string::npos) << note;
}

TEST(Html, ANoteThatSeveralResultsHaveStandsThereOnce) {
  std::vector<Result> results(3, sample_result(single_point_curve()));
  for (Result& result : results) result.notes = {"the dataset fits"};
  results[2].notes.emplace_back("a line is lost");
  const auto count = [&](const char* text) { return count_of(text, html_text(results)); };
  EXPECT_EQ(count("the dataset fits"), 1);
  EXPECT_EQ(count("Note: all results: the dataset fits"), 1);
  EXPECT_EQ(count("\"Note: a line is lost"), 1);
  results[1].notes.clear();
  EXPECT_EQ(count("Note: result 1, result 3: the dataset fits"), 1);
}

TEST(Html, ALoadPointThatWasKilledShowsNoFiguresThatNobodyKnows) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  result.status = Status::incomplete;
  PointFigures& point = result.load_points.back();
  point.purpose = Purpose::incomplete;
  point.requested_ops_per_sec = std::nullopt;
  point.ops.clear();
  const Outcome browser = ask(
      folder, html_text({result}),
      "(cells => cells.map(cell => cell.dataset.head + ':' + cell.textContent).slice(1, 9).join('|') + ' ' + "
      "['Where the time goes', 'the highest p99 of an interval is known', 'time that is not known'].map(text => "
      "page.textContent.includes(text)).join(' '))([...document.querySelectorAll('td')].filter(cell => cell.closest("
      "'table').querySelector('th').textContent === 'purpose'))");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "requested:|achieved:1,000|mean:2.00|service:1.00|p50:|p95:|p99:|p99.9: false true true");
}

TEST(Html, AFigureAndItsUnitStayOnOneLineOfATable) {
  const TemporaryDirectory folder;
  const Outcome browser = ask(folder, html_text({sample_result(sample_curve())}),
                              "[/[0-9]\\u00a0ms/, /[0-9] ms/].map(form => form.test(document.querySelector('.answer "
                              "tbody').textContent)).join(' ')");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "true false");
}

TEST(Html, ALoadPointInWhichNoOpOrTooFewEndedHasDashesAndNoZeros) {
  const TemporaryDirectory folder;
  Result run = sample_result(single_point_curve()), curve = sample_result(sample_curve());
  for (Result* const result : {&run, &curve}) {
    PointFigures& point = result->load_points.back();
    point.operations = 3;
    point.seconds = Seconds(0.063);
    point.ops.clear();
    point.invalid = {Invalid::interrupted};
  }
  const Outcome browser =
      ask(folder, html_text({run, curve}),
          "[...document.querySelectorAll('tr')].filter(row => row.lastChild.textContent === 'interrupted')"
          ".map(row => [...row.children].slice(1, -1).map(cell => cell.textContent).join(' ')).join('|') + '|' + "
          "page.textContent.includes('3 ops ended, too few for figures')");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "no target; - ms -   -|1,000 - - - - - - - - 0.063|1,500 - - - - - - - - 0.063|true");
}

TEST(Html, APauseOfEdagenIsNotSplitIntoPartsNorTakenForAStall) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.back();
  point.invalid = {Invalid::generator_paused};
  for (IntervalFigures& interval : point.intervals) interval.response_counts = {1, 2};
  point.intervals.back().response_p99.reset();
  const Outcome browser =
      ask(folder, html_text({result}),
          "Chart.getChart(document.querySelector('canvas')).data.datasets.map(set => set.label + ' ' + "
          "set.data[0]?.toFixed(1)).join('|') + '|' + ['not the storage\\'s', 'in which no op ended', 'what the "
          "storage\\'s part is', "
          "' = service '].map(text => page.textContent.includes(text)).join(' ')");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out,
            "service: the storage and its client undefined|wait for the busy proc undefined|the generator's own delay "
            "undefined|not split: a pause of edagen is in it 2.0|true false true false");
}

TEST(Html, ALowerBoundHasNoBandAndNoDiamond) {
  const TemporaryDirectory folder;
  Result result = sample_result(sample_curve());
  result.at_latency_target.front().limit = RateLimit::procs;
  const Outcome browser = ask(folder, html_text({result}),
                              "Chart.getChart(document.querySelector('canvas')).data.datasets.map(set => "
                              "set.label).join('|') + '|' + page.textContent.includes('band:')");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "load points|false");
}

TEST(Html, AnAnswerOfFixedPointsHasNoConfidenceInterval) {
  Result result = sample_result(sample_curve());
  const std::string fixed = html_text({result});
  EXPECT_NE(fixed.find("\"none: load points 39,000 to 40,000\""), std::string::npos);
  EXPECT_EQ(fixed.find("95 % interval of the rate"), std::string::npos);
  result.load_points.front().purpose = Purpose::block;
  const std::string search = html_text({result});
  EXPECT_NE(search.find("\"39,000 to 40,000\""), std::string::npos);
  EXPECT_NE(search.find("band: 95 % interval of the rate"), std::string::npos);
}

TEST(Html, ACurveIsALineOnLinearAxesAndTheBlocksOfItsSearchAreDrawnOnRequest) {
  const TemporaryDirectory folder;
  const Outcome browser = ask(
      folder, html_text({sample_result(sample_curve_with_shape())}),
      "(() => { const made = Chart.getChart(document.querySelector('canvas')), sets = made.data.datasets, at = "
      "sets.findIndex(set => set.label === 'blocks of the search'), box = document.querySelector('input'), before = "
      "made.isDatasetVisible(at); box.click(); return [before, made.isDatasetVisible(at), made.scales.x.type, "
      "made.scales.y.type, made.scales.y.max, sets.find(set => set.label === 'load points').showLine].join(' '); })()");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "false true linear linear 5 true") << "up to two and a half targets";
}

TEST(Html, TheBandOfAnAnswerIsInsideItsChart) {
  const TemporaryDirectory folder;
  Result result = sample_result(sample_curve_with_shape());
  result.at_latency_target.front().confidence_95 = Interval95{300, 90'000};
  const Outcome browser =
      ask(folder, html_text({result}), "Chart.getChart(document.querySelector('canvas')).scales.x.max >= 90000");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "true");
}

TEST(Html, TheAxisOfCurvesOfSeveralStatisticsClaimsNone) {
  Result mean = sample_result(sample_curve()), p99 = mean, killed = mean;
  p99.at_latency_target.front().statistic = "p99";
  killed.at_latency_target.clear();
  const auto has_axis = [](const std::vector<Result>& results, const std::string& title) {
    return html_text(results).find("\"y\":\"" + title + ", ms\"") != std::string::npos;
  };
  EXPECT_TRUE(has_axis({p99}, "p99 response"));
  EXPECT_TRUE(has_axis({mean, p99}, "latency"));
  EXPECT_TRUE(has_axis({killed}, "response"));
}

TEST(Html, AnInvalidCurveOpensOnTheLoadPointNearestToItsAnswer) {
  const TemporaryDirectory folder;
  Curve curve = sample_curve_with_shape();
  curve.answers[0].invalid = {Invalid::not_demonstrated};
  const Outcome browser =
      ask(folder, html_text({sample_result(curve)}), "document.querySelector('select').selectedOptions[0].textContent");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "shape, 500 ops/s requested") << "and not on the block at 510";
}

TEST(Html, OfNfsTheQueueInTheClientIsAPartOfTheServiceOfItsOwn) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  NfsFigures& nfs = result.load_points.back().nfs.emplace();
  nfs.rpcs_per_op = 2, nfs.queue = Millis(0.25), nfs.connections = 1, nfs.rpc_slots = 1;
  nfs.mounts.resize(1);
  const Outcome browser = ask(folder, html_text({result}),
                              "Chart.getChart(document.querySelector('canvas')).data.datasets.map(set => set.label + ' "
                              "' + set.data[0].toFixed(2)).join('|') + '|' + [...page.querySelectorAll('p')].map(its "
                              "=> its.textContent).find(text => text.includes('in flight'))");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_NE(browser.out.find("service: queue in the client 0.50|"), std::string::npos) << browser.out;
  EXPECT_NE(browser.out.find("of 1 slot, 1 connection"), std::string::npos) << browser.out;
}

TEST(Html, OfANarrowWindowNoPartOfTheAnswerIsOutside) {
  const TemporaryDirectory folder;
  Result result = sample_result(sample_curve());
  result.at_latency_target.front().invalid = {Invalid::target_not_reached, Invalid::not_demonstrated};
  for (const std::vector<Result>& results : {std::vector{result}, std::vector{result, result}}) {
    const Outcome browser = ask(folder, html_text(results, {sample_comparison("2ms")}),
                                "[innerWidth, document.documentElement.scrollWidth, "
                                "most([...document.querySelectorAll('.answer td')].map(cell => "
                                "cell.getBoundingClientRect().right))].join(' ')",
                                {"--window-size=500,900"});
    if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
    std::istringstream said(browser.out);
    double window = 0, page = 0, cell = 0;
    said >> window >> page >> cell;
    EXPECT_EQ(window, 500);
    EXPECT_GT(cell, 0) << browser.out;
    EXPECT_LE(cell, window);
    EXPECT_LE(page, window);
  }
}

/// Of a PNG, or of PPMs: the colour of its first pixel, and how many have the first of the charts' colours.
constexpr const char* pixels = R"(
import glob, struct, sys, zlib
pages = sorted(glob.glob(sys.argv[1] + "*.ppm"))
rows, step = [], 3
for page in pages:
    head = open(page, "rb").read().split(b"\n", 3)
    size = 3 * int(head[1].split()[0])
    rows += [head[3][i:i + size] for i in range(0, len(head[3]), size)]
if not pages:
    data = open(sys.argv[1], "rb").read()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR": width, height, _, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        if kind == b"IDAT": packed += data[at + 8:at + 8 + length]
        at += 12 + length
    step = {2: 3, 6: 4}[colour]; raw = zlib.decompress(packed); size = step * width
    above = bytearray(size)
    for y in range(height):
        how, line = raw[y * (size + 1)], bytearray(raw[y * (size + 1) + 1:(y + 1) * (size + 1)])
        for x in range(size if how else 0):
            a = line[x - step] if x >= step else 0; b = above[x]; c = above[x - step] if x >= step else 0
            if how == 1: add = a
            elif how == 2: add = b
            elif how == 3: add = (a + b) // 2
            else: add = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            line[x] = (line[x] + add) & 255
        rows.append(bytes(line)); above = line
near = lambda row, x: all(abs(row[x + i] - (0x2f, 0x7e, 0xd8)[i]) <= 3 for i in range(3))
print("#%02x%02x%02x" % tuple(rows[0][:3]), sum(near(row, x) for row in rows for x in range(0, len(row) - 2, step)))
)";

TEST(Html, IsDrawnInColoursThatShowInLightInDarkOnPaperAndInANarrowWindow) {
  const TemporaryDirectory folder;
  const std::string page = html_text({sample_result(sample_curve())}), script = folder.write("pixels.py", pixels);
  const auto seen = [&](const std::string& picture) {
    std::istringstream said(Program({"python3", script, picture}).wait().out);
    std::pair<std::string, int> corner_and_points;
    said >> corner_and_points.first >> corner_and_points.second;
    return corner_and_points;
  };
  const auto shot = [&](const std::vector<std::string>& more) {
    const std::string picture = folder / "shot.png";
    // A quarter of the pixels is read in a quarter of the time.
    const std::vector<std::string> words = together({"--force-device-scale-factor=0.5"}, more);
    EXPECT_EQ(browse_page(folder, page, "--screenshot=" + picture, words).status, 0);
    return seen(picture);
  };
  if (browse_page(folder, page, "--dump-dom").status == 127) EDAGEN_SKIP("chromium is not installed");
  for (const auto& [paper, size, scheme] :
       {std::tuple("#ffffff", "1100,2500", "1"), std::tuple("#14181d", "1100,2500", "0"),
        std::tuple("#ffffff", "500,2500", "1")}) {
    const auto [corner, points] =
        shot({std::string("--window-size=") + size, std::string("--blink-settings=preferredColorScheme=") + scheme});
    EXPECT_EQ(corner, paper) << size;
    EXPECT_GT(points, 250) << size << " " << paper;
  }
  EXPECT_EQ(browse_page(folder, page, "--print-to-pdf=" + (folder / "report.pdf")).status, 0);
  if (Program({"pdftoppm", "-r", "60", folder / "report.pdf", folder / "paper"}).wait().status == 127)
    EDAGEN_SKIP("pdftoppm is not installed");
  const auto [corner, points] = seen(folder / "paper");
  EXPECT_EQ(corner, "#ffffff");
  EXPECT_GT(points, 1000);
}

TEST(Html, IsWholeOnPaper) {
  const TemporaryDirectory folder;
  Curve curve = sample_curve();
  for (CurvePoint& point : curve.points)
    point.invalid = {Invalid::achieved_rate_low, Invalid::proc_rate_low, Invalid::mix_off};
  const Outcome browser = browse(folder, {sample_result(curve)}, "--print-to-pdf=" + (folder / "report.pdf"));
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  const Outcome paper = Program({"pdftotext", "-layout", folder / "report.pdf", "-"}).wait();
  if (paper.status == 127) EDAGEN_SKIP("pdftotext is not installed");
  for (const char* const last_column : {"valid run", "mix_off"})  // what is cut off is not in the document
    EXPECT_NE(paper.out.find(last_column), std::string::npos) << paper.out;
}

}  // namespace
}  // namespace edagen
