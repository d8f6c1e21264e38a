// The dashboard (docs/grafana), as Grafana takes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

const std::string dashboard_file = source_path("docs/grafana/edagen.json");

TEST(Dashboard, HasWhatGrafanaNeedsAndIsInstalled) {
  const json dashboard = json::parse(text_of(dashboard_file));
  EXPECT_FALSE(dashboard["title"].get<std::string>().empty());
  EXPECT_GE(dashboard["schemaVersion"].get<int>(), 36);
  EXPECT_FALSE(dashboard.contains("id"));  // Grafana gives it
  std::vector<int> ids;
  for (const json& panel : dashboard["panels"]) {
    ids.push_back(panel["id"]);
    EXPECT_EQ(panel["datasource"]["uid"], "${datasource}");
    const json& place = panel["gridPos"];
    EXPECT_LE(place["x"].get<int>() + place["w"].get<int>(), 24);
    EXPECT_GT(place["h"].get<int>(), 0);
    EXPECT_FALSE(panel["targets"].empty());
  }
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end());
  const TemporaryDirectory prefix;
  const Outcome install = Program({"cmake", "--install", build_path(""), "--prefix", prefix.path()}).wait();
  ASSERT_EQ(install.status, 0) << install.err;
  EXPECT_EQ(text_of(prefix / "share/edagen/grafana/edagen.json"), text_of(dashboard_file));
}

TEST(Dashboard, HasNothingThatGrafanasOwnModelsDoNotKnowOrKnowAsSomethingElse) {
  const TemporaryDirectory here;
  const std::string python = here / "venv/bin/python3";
  const Outcome made = shell("python3 -m venv " + (here / "venv") + " && " + python +
                             " -m pip install --quiet 'grafana-foundation-sdk==1769699998!10.1.0' 2>&1");
  if (made.status != 0) EDAGEN_SKIP("grafana-foundation-sdk cannot be installed: " + made.out + made.err);
  const auto misfits_of = [&](const std::string& file) {
    const Outcome outcome = Program({python, source_path("tests/support/fits_grafana.py"), file}).wait();
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(misfits_of(dashboard_file), "");
  json spoilt = json::parse(text_of(dashboard_file));
  spoilt["panels"][6]["options"]["legend"]["displayMode"] = "tables";
  spoilt["panels"][6]["options"]["legends"] = true;
  spoilt["panels"][6]["fieldConfig"]["defaults"]["custom"]["lineWidth"] = "1";
  const std::string misfits = misfits_of(here.write("spoilt.json", spoilt.dump()));
  for (const char* const part : {"legend.display_mode", "legends: is not known", "line_width"})
    EXPECT_NE(misfits.find(part), std::string::npos) << part << "\n" << misfits;
}

}  // namespace
}  // namespace edagen::testing
