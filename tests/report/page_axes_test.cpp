// The axes and sets of the charts of pages.
#include <gtest/gtest.h>

#include <string>

#include "report/history_page.hpp"
#include "support/browser.hpp"
#include "support/sample_nights.hpp"
#include "support/sample_result.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace testing;

/// Nights that began at these times of one day, with very different rates, and a reference that is the same each night.
std::vector<Night> nights_of_one_day(const std::vector<std::string>& times) {
  std::vector<Night> nights;
  for (const std::string& time : times) {
    nights.push_back(sample_night(nights.size(), {sample_rate(nights.empty() ? 0.05 : 10)}));
    Night& night = nights.back();
    night.started_at = "2026-01-01T" + time + "Z";
    std::vector<NightRun>& runs = night.measurements[0].runs;
    runs.push_back({night.started_at, "", /*reference=*/true, Status::complete, {sample_rate(0.5)}});
  }
  return nights;
}

TEST(PageAxes, NightsOfOneMinuteAreToldApartByTheirSecondsAndOthersByTheirMinutes) {
  const std::string minutes = history_html(nights_of_one_day({"01:00:00", "01:03:00"}), {}),
                    seconds = history_html(nights_of_one_day({"01:00:00", "01:00:20", "01:03:00"}), {});
  EXPECT_NE(minutes.find("\"2026-01-01 01:03\""), std::string::npos);
  EXPECT_EQ(minutes.find("\"2026-01-01 01:03:00\""), std::string::npos);
  EXPECT_NE(seconds.find("\"2026-01-01 01:00:20\""), std::string::npos);
  EXPECT_EQ(seconds.find("\"2026-01-01 01:03\""), std::string::npos) << "all alike";
}

TEST(PageAxes, CurvesOfOneMinuteAreToldApartByTheirSeconds) {
  Result first = sample_result(sample_curve()), second = first;
  first.started_at = "2026-01-01T01:00:00Z", second.started_at = "2026-01-01T01:00:20Z";
  const std::string page =
      history_html(nights_of_one_day({"01:00:00", "01:03:00"}), {{"m", first}, {"m", second}, {"n", first}});
  EXPECT_NE(page.find("\"label\":\"2026-01-01 01:00:20\""), std::string::npos);
  const std::string of_others =
      history_html(nights_of_one_day({"01:00:00", "01:03:00"}), {{"m", first}, {"n", second}});
  EXPECT_EQ(of_others.find("\"label\":\"2026-01-01 01:00:20\""), std::string::npos) << "one of each measurement";
}

TEST(PageAxes, NoFigureOfANightHasAnAxisThatGoesBelowZeroInARealBrowser) {
  const TemporaryDirectory folder;
  const Outcome browser =
      ask(folder, history_html(nights_of_one_day({"01:00:00", "01:00:20", "01:03:00"}), {}),
          "(({scales}) => [scales.y.min, scales.yReference.min >= 0, scales.yReference.max < 1, "
          "scales.x.ticks.map(tick => tick.label).join(',')].join('|'))(Chart.getChart(document.querySelector("
          "'canvas')))");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "0|true|true|01-01 01:00:00,01-01 01:00:20,01-01 01:03:00");
}

TEST(PageAxes, AFigureAndItsReferenceHaveOneRelativeRangeInARealBrowser) {
  const TemporaryDirectory folder;
  std::vector<Night> nights = nights_of_one_day({"01:00:00", "01:00:20", "01:03:00"});
  nights.front().measurements[0].runs[0].figures[0].value = 9;
  const Outcome browser =
      ask(folder, history_html(nights, {}),
          "(({y, yReference}) => [y.min > 0, yReference.min > 0, Math.abs(y.min / y.max - yReference.min / "
          "yReference.max) < 1e-9].join('|'))(Chart.getChart(document.querySelector('canvas')).scales)");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "true|true|true") << "the same change is as high in both, and none begins at 0 alone";
}

TEST(PageAxes, ARestOfTheServiceThatIsNothingIsNotBelowZero) {
  const TemporaryDirectory folder;
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.back();
  point.latency.service.mean = Millis(0.5), point.latency.response.mean = Millis(1);
  NfsFigures& nfs = point.nfs.emplace();
  nfs.rpcs_per_op = 1, nfs.queue = Millis(0.1), nfs.round_trip = Millis(7), nfs.connections = 1, nfs.rpc_slots = 1;
  nfs.mounts.resize(1);
  const Outcome browser =
      ask(folder, html_text({result}),
          "(({data, scales}) => [data.datasets.find(set => set.label.includes('the rest')).data[0], "
          "scales.y.min].join('|'))(Chart.getChart(document.querySelector('canvas')))");
  if (browser.status == 127) EDAGEN_SKIP("chromium is not installed");
  EXPECT_EQ(browser.out, "0|0") << "0.5 - (0.5 - 0.1) - 0.1 is below 0 as computers calculate";
}

TEST(PageAxes, TheRestOfTheServiceIsInTheHostsWhereSeveralMadeTheLoad) {
  Result result = sample_result(single_point_curve());
  PointFigures& point = result.load_points.back();
  NfsFigures& nfs = point.nfs.emplace();
  nfs.connections = 1, nfs.rpc_slots = 1;
  nfs.mounts.resize(1);
  EXPECT_NE(html_text({result}).find("service: the rest, in this host"), std::string::npos);
  point.hosts.resize(2);
  EXPECT_NE(html_text({result}).find("service: the rest, in the hosts"), std::string::npos);
  EXPECT_EQ(html_text({result}).find("in this host"), std::string::npos);
}

}  // namespace
}  // namespace edagen
