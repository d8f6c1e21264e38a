// Metrics of real runs, as Prometheus' own programs see them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "support/http.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
using namespace std::chrono_literals;

/// A port that nobody listens on now.
unsigned short free_port() {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(at);
  EXPECT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), size), 0);
  EXPECT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  return ntohs(at.sin_port);
}

std::vector<std::string> run_on(const TemporaryDirectory& mount, const std::vector<std::string>& more) {
  std::filesystem::create_directory(mount / "a");
  std::filesystem::create_directory(mount / "b");
  return edagen_words(together({"--phase", "functional", "--mount", mount / "a", "--mount", mount / "b", "--clients",
                                "3", "--rate", "300", "--dataset-scale", "0.02", "--warmup", "1s"},
                               more));
}

/// Of all samples of a metric, the values together.
double sum_of(const std::string& text, const std::string& metric) {
  double sum = 0;
  for (const std::string& line : lines_of(text))
    if (line.starts_with(metric + "{") || line.starts_with(metric + " "))
      sum += std::stod(line.substr(line.rfind(' ')));
  return sum;
}

void expect_promtool_to_pass(const std::string& file) {
  const Outcome check = shell("promtool check metrics < " + file);
  EXPECT_EQ(check.status, 0) << check.out << check.err << text_of(file);
}

/// Waits until `is` says so, for a minute at most.
template <class Is>
bool waited_until(Is is) {
  for (int i = 0; i < 600; ++i) {
    if (is()) return true;
    std::this_thread::sleep_for(100ms);
  }
  return false;
}

TEST(Metrics, AFileOfThemIsAlwaysWholeAndEndsWithWhatTheJournalCounted) {
  if (!is_installed("promtool")) EDAGEN_SKIP("promtool is not installed");
  const TemporaryDirectory mount, here;
  const std::string file = here / "edagen.prom";
  Program run(run_on(mount, {"--duration", "4s", "--metrics-file", file, "--journal", here / "j.jsonl", "-q"}));
  int looks = 0;
  double running = 0;
  ASSERT_TRUE(waited_until([&] {
    const std::string text = text_of(file);
    if (text.empty()) return false;
    EXPECT_NE(text.find("\nedagen_ops_outstanding_total "), std::string::npos) << text;
    running = std::max(running, sum_of(text, "edagen_running"));
    return ++looks > 20 && sum_of(text, "edagen_ops_total") > 0;
  }));
  EXPECT_EQ(running, 1);
  const Outcome outcome = run.wait();
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err;
  expect_promtool_to_pass(file);
  const std::string text = text_of(file);
  double operations = 0, bytes = 0;
  for (const std::string& text_line : lines_of(text_of(here / "j.jsonl"))) {
    const json line = json::parse(text_line);
    if (line["type"] != "interval") continue;
    for (const auto& [kind, op] : line["ops"].items()) {
      operations += op["operations"].get<double>();
      bytes += op["bytes"].get<double>();
    }
  }
  EXPECT_GT(operations, 500);
  EXPECT_EQ(sum_of(text, "edagen_ops_total"), operations);
  EXPECT_EQ(sum_of(text, "edagen_client_ops_total"), operations);
  EXPECT_EQ(sum_of(text, "edagen_client_bytes_total"), bytes);
  EXPECT_EQ(sum_of(text, "edagen_read_bytes_total") + sum_of(text, "edagen_written_bytes_total"), bytes);
  EXPECT_EQ(sum_of(text, "edagen_running"), 0);
  EXPECT_NE(text.find("client=\"1\",mount=\"" + mount.path() + "/b\""), std::string::npos) << text;
}

TEST(Metrics, PromtoolPassesWhatIsServedWhileTheRunGoesOnAmidGarbageAndSilentConnections) {
  if (!is_installed("promtool")) EDAGEN_SKIP("promtool is not installed");
  const TemporaryDirectory mount, here;
  const unsigned short port = free_port();
  Program run(run_on(mount, {"--duration", "3s", "--metrics", std::to_string(port), "--json", here / "r.json"}));
  ASSERT_TRUE(run.wait_for_stderr(fmt::format("metrics are at http://127.0.0.1:{}/metrics", port)));
  std::vector<Descriptor> silent;
  for (int i = 0; i < 100; ++i) {
    silent.push_back(connected(port));
    if (i % 2 == 0) send_text(silent.back(), "\x16\x03\x01 this is no request\r\n");
  }
  std::string text;
  ASSERT_TRUE(waited_until([&] {
    text = body_of(asked(port, "GET /metrics"));
    return sum_of(text, "edagen_ops_total") > 0;
  }));
  here.write("scraped", text);
  expect_promtool_to_pass(here / "scraped");
  const Outcome outcome = run.wait();
  EXPECT_TRUE(outcome.status == 0 || outcome.status == 5) << outcome.err;
  const json result = json::parse(text_of(here / "r.json"));
  EXPECT_EQ(result["status"], "complete");
  EXPECT_GT(result["load_points"][0]["operations"].get<double>(), 450) << "of 900 that were due";
}

/// What Prometheus answers to a query.
json queried(unsigned short port, const std::string& query) {
  std::string escaped;
  for (const char c : query) escaped += fmt::format("%{:02x}", static_cast<unsigned char>(c));
  const std::string answer = asked(port, "GET /api/v1/query?query=" + escaped, "Connection: close\r\n");
  const json parsed = json::parse(body_of(answer), nullptr, false);
  return parsed.is_discarded() ? json{{"status", answer}} : parsed;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

TEST(Metrics, APrometheusScrapesASearchAndAnswersEachQueryOfTheDashboard) {
  if (!is_installed("prometheus")) EDAGEN_SKIP("prometheus is not installed");
  const TemporaryDirectory mount, here;
  const unsigned short port = free_port();
  std::vector<std::string> words = run_on(mount, {});
  words = {words.front(), "curve",     "--phase",         "functional",
           "--mount",     mount / "a", "--mount",         mount / "b",
           "--clients",   "3",         "--dataset-scale", "0.02",
           "--max-rate",  "2000",      "--search-time",   "10m",
           "--precision", "0.01",      "--metrics",       std::to_string(port)};
  Program run(words);
  here.write("prometheus.yml", fmt::format("scrape_configs:\n  - job_name: edagen\n    scrape_interval: 500ms\n"
                                           "    scrape_timeout: 500ms\n    static_configs:\n"
                                           "      - targets: [\"127.0.0.1:{}\"]\n",
                                           port));
  const unsigned short own_port = free_port();
  Program prometheus({"prometheus", "--config.file=" + here / "prometheus.yml", "--storage.tsdb.path=" + here / "data",
                      fmt::format("--web.listen-address=127.0.0.1:{}", own_port), "--log.level=error"});
  ASSERT_TRUE(waited_until([&] {
    const json answer = queried(own_port, "sum(rate(edagen_ops_total[10s])) and sum(edagen_estimate_ops_per_second)");
    return answer["status"] == "success" && !answer["data"]["result"].empty();
  })) << queried(own_port, "up").dump();
  // A busy machine may answer one of them late.
  EXPECT_EQ(queried(own_port, "max_over_time(up{job=\"edagen\"}[10s])")["data"]["result"][0]["value"][1], "1");
  const json dashboard = json::parse(text_of(source_path("docs/grafana/edagen.json")));
  std::size_t queries = 0;
  for (const json& panel : dashboard["panels"])
    for (const json& target : panel["targets"]) {
      const std::string query = replaced(replaced(target["expr"], "$__rate_interval", "10s"), "$instance", ".*");
      const json answer = queried(own_port, query);
      ASSERT_EQ(answer["status"], "success") << query << answer.dump();
      EXPECT_FALSE(answer["data"]["result"].empty()) << query;
      ++queries;
    }
  EXPECT_GT(queries, 20u);
  run.signal(SIGINT);
  EXPECT_EQ(run.wait().status, 130);
}

TEST(MetricsBadInput, IsOneLineAndTouchesNothing) {
  const TemporaryDirectory mount;
  std::filesystem::create_directory(mount / "a");
  const unsigned short taken = free_port();
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_port = htons(taken);
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)), 0);
  ASSERT_EQ(::listen(socket.get(), 1), 0);
  const std::vector<std::vector<std::string>> all = {{"--metrics", "example.com:1"},
                                                     {"--metrics", "127.0.0.1:99999"},
                                                     {"--metrics", std::to_string(taken)},
                                                     {"--metrics-file", "-"},
                                                     {"--metrics-file", mount / "nowhere/edagen.prom"},
                                                     {"--metrics-file", mount / "a/edagen.data/edagen.prom"},
                                                     {"--interval-csv", mount / "x", "--hdr-log", mount / "x"},
                                                     {"--interval-csv", "-", "--json", "-"},
                                                     {"--hdr-log", mount / "a/edagen.data/log"}};
  for (std::vector<std::string> words : all) {
    const std::string name = words[0] + " " + words[1];
    words.insert(words.end(), {"--phase", "functional", "--mount", mount / "a"});
    const Outcome refused = edagen(words);
    EXPECT_EQ(refused.status, 2) << name << refused.err;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << name << refused.err;
    EXPECT_TRUE(std::filesystem::is_empty(mount / "a")) << name;
    EXPECT_FALSE(std::filesystem::exists(mount / "x")) << name;
  }
}

}  // namespace
}  // namespace edagen::testing
