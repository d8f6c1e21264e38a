// That the dashboard (docs/grafana) asks for what is served.
#include <gtest/gtest.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "live/metrics_text.hpp"
#include "support/paths.hpp"
#include "support/sample_result.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

/// Of a search in which all kinds of metrics have a value.
std::string served() {
  LiveRun run({});
  run.observe(LoadBegan{sample_header()});
  run.observe(PointBegan{1200.0, "block"});
  AtTarget answer;
  answer.target = 2ms;
  run.observe(AnswerEstimated{answer});
  IntervalStats stats(1);
  stats.clients.resize(1);
  const OpResult failed{ESTALE, 0, 0};
  stats.ops.record(OpKind::stat, {1500us, 900us, 600us}, failed);
  stats.clients[0].counts.count(failed);
  run.observe(IntervalEnded{true, Interval{.start = 0s, .length = 1s, .operations = 1}, stats});
  return metrics_text(run.state(), MetricsFormat::prometheus);
}

std::set<std::string> all_matches(const std::string& text, const std::string& expression) {
  const std::regex regex(expression);
  std::set<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) found.insert((*at)[1]);
  return found;
}

TEST(Dashboard, AsksForMetricsLabelsAndBoundsThatAreServed) {
  const json dashboard = json::parse(std::ifstream(source_path("docs/grafana/edagen.json")));
  std::vector<std::string> queries;
  for (const json& panel : dashboard["panels"])
    for (const json& target : panel["targets"]) queries.push_back(target["expr"]);
  for (const json& variable : dashboard["templating"]["list"])
    if (variable["type"] == "query") queries.push_back(variable["query"]["query"]);
  ASSERT_GT(queries.size(), 20u);
  const std::string text = served();
  const std::set<std::string> names = all_matches("\n" + text, R"(\n(\w+)[ {])"),
                              labels = all_matches(text, R"([{,](\w+)=")"),
                              bounds = all_matches(text, R"#(le="(.*?)")#");
  for (const std::string& query : queries) {
    const std::set<std::string> asked = all_matches(query, R"(\b(edagen_\w+))");
    EXPECT_FALSE(asked.empty()) << query;
    for (const std::string& name : asked) EXPECT_TRUE(names.contains(name)) << name << " in " << query;
    for (const std::string& label : all_matches(query, R"(by \((\w+)\))"))
      EXPECT_TRUE(labels.contains(label)) << label << " in " << query;
    for (const std::string& bound : all_matches(query, R"#(le="(.*?)")#"))
      EXPECT_TRUE(bounds.contains(bound)) << bound << " in " << query;
  }
}

}  // namespace
}  // namespace edagen::testing
