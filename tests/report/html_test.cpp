#include "report/html.hpp"

#include <gtest/gtest.h>

#include "support/hostile.hpp"
#include "support/program.hpp"
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

Outcome browse(const TemporaryDirectory& folder, const std::vector<Result>& results, const std::string& purpose,
               const std::vector<ComparisonResult>& comparisons = {}) {
  const std::string page = folder.write("report.html", html_text(results, comparisons));
  return Program({"chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                  "--user-data-dir=" + (folder / "profile"), "--virtual-time-budget=5000", purpose, "file://" + page})
      .wait();
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
  EXPECT_EQ(canvases, 15u);  // a curve, a sweep, kinds of ops; parts, ops, percentiles and intervals of three results
  EXPECT_NE(browser.out.find("sustains 39,601 ops/s"), std::string::npos) << "the answer in a sentence";
  EXPECT_NE(browser.out.find("Where the time goes"), std::string::npos);
  EXPECT_NE(browser.out.find("Configurations"), std::string::npos) << "of several results, side by side";
  EXPECT_NE(browser.out.find("data (CSV)"), std::string::npos);
  EXPECT_NE(browser.out.find("By io-depth"), std::string::npos);
  EXPECT_NE(browser.out.find("ESTALE 1"), std::string::npos);
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
  result.target.mounts.push_back(result.target.mounts.front());
  result.target.mounts.back().path = "/mnt/b";
  const Outcome alone = browse(folder, {result}, "--dump-dom");
  if (alone.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_NE(alone.out.find("Response over time"), std::string::npos);
  EXPECT_NE(alone.out.find("Red: one interval of 3 in which no op ended"), std::string::npos);
  EXPECT_NE(alone.out.find("<td>/mnt/b</td><td>1</td>"), std::string::npos) << "clients 0 and 2 are on the other one";
  EXPECT_EQ(alone.out.find(">Hosts<"), std::string::npos);

  point.hosts.resize(2);
  point.hosts[0].name = "host1", point.hosts[1].name = "host2";
  point.host_findings = {"host2 (rank 1): 3 errors"};
  const Outcome many = browse(folder, {result}, "--dump-dom");
  EXPECT_NE(many.out.find(">Hosts<"), std::string::npos);
  EXPECT_NE(many.out.find("host2 (rank 1): 3 errors"), std::string::npos);
  EXPECT_EQ(many.out.find("<td>/mnt/b</td><td>1</td>"), std::string::npos) << "mounts may be others on each host";
}

TEST(Html, AHostileResultIsDrawnAsTextByARealBrowser) {
  const TemporaryDirectory folder;
  const Outcome browser = browse(folder, {hostile_result()}, "--dump-dom", {hostile_comparison()});
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  ASSERT_EQ(browser.status, 0) << browser.err;
  EXPECT_NE(browser.out.find("<h2>Environment</h2>"), std::string::npos) << "drawn to its end";
  EXPECT_NE(browser.out.find("&lt;script&gt;alert(1)"), std::string::npos) << "as text";
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
