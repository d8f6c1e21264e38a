// The same plan on a simulated volume gives the same result document in every version: what a run, a curve and a
// comparison said is kept in tests/result/golden, but for host, version, dates and times of the real clock.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/curve_options.hpp"
#include "cli/series_options.hpp"
#include "edagen/session.hpp"
#include "result/result_json.hpp"
#include "support/paths.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

RunPlan load_on(const std::string& model, LoadOptions load) {
  load.model = model;
  load.warmup = std::chrono::milliseconds(500);
  load.duration = std::chrono::seconds(2);
  RunPlan plan = load.plan({"edagen"});
  plan.measurement = SeriesOptions().series(load, plan);
  return plan;
}

RunPlan mixed_load_on(const std::string& model) {
  LoadOptions load;
  load.phase = "mixed";
  load.base.clients = 2;
  load.rate = OpenLoop{1000};
  return load_on(model, load);
}

ComparisonPlan comparison_of_volumes() {
  ComparisonPlan plan;
  plan.command = {"edagen"};
  plan.variants = {{"regular", "sim:regular", mixed_load_on("regular")},
                   {"large", "sim:large", mixed_load_on("large")}};
  plan.repeats = 2;
  return plan;
}

/// What depends on where and when it was made.
void clear_origin(auto& result) {
  result.host = {};
  result.edagen_version = "0";
  result.started_at = "2026-01-01T00:00:00Z";
  result.finished_at = result.started_at;
}

std::string document_of(Result result) {
  clear_origin(result);
  result.plan.erase("host");
  result.plan.erase("edagen version");
  result.dataset.build = Seconds(0);
  return json_text(result);
}

std::string document_of(ComparisonResult result) {
  clear_origin(result);
  return json_text(result);
}

std::string content(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The first line that is another one.
std::string difference(const std::string& golden, const std::string& now) {
  std::istringstream lines(golden), lines_now(now);
  std::string line = "(none)", line_now = "(none)";
  for (int number = 1;; ++number) {
    if (!std::getline(lines, line)) line = "(none)";
    if (!std::getline(lines_now, line_now)) line_now = "(none)";
    if (line != line_now || line == "(none)")
      return fmt::format("line {0} was: {1}\nline {0} is:  {2}", number, line, line_now);
  }
}

class GoldenResult : public ::testing::Test {
 protected:
  GoldenResult() { ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1); }
  ~GoldenResult() override { ::unsetenv("XDG_STATE_HOME"); }

  template <class Plan>
  void expect_as_kept(const char* name, const Plan& plan) {
    const std::string now = document_of(Session(ignore_events, std::stop_token()).run(plan));
    const fs::path path = testing::source_path(std::string("tests/result/golden/") + name + ".json");
    if (std::getenv("EDAGEN_WRITE_GOLDEN") != nullptr) {
      fs::create_directories(path.parent_path());
      std::ofstream(path) << now;
      FAIL() << path << " is written anew; run again without EDAGEN_WRITE_GOLDEN";
    }
    ASSERT_TRUE(fs::exists(path)) << path << " is missing: run this test with EDAGEN_WRITE_GOLDEN=1 to write it";
    const std::string golden = content(path);
    if (golden != now)
      FAIL() << path << "\n"
             << difference(golden, now) << "\nThe same plan gives another result than before. If that is meant, run "
             << "this test with EDAGEN_WRITE_GOLDEN=1 and say so in CHANGELOG.md.";
  }

 private:
  testing::TemporaryDirectory state_;
};

TEST_F(GoldenResult, OfARunIsThatOfEveryVersion) { expect_as_kept("run", mixed_load_on("regular")); }

TEST_F(GoldenResult, OfAComparisonIsThatOfEveryVersion) { expect_as_kept("comparison", comparison_of_volumes()); }

}  // namespace
}  // namespace edagen
