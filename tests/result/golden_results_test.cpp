// The same plan on a simulated volume gives the same result document in every version: what a run, a curve and a
// comparison said is kept in tests/result/golden, but for host, version, dates and times of the real clock.
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/curve_options.hpp"
#include "cli/series_options.hpp"
#include "edagen/session.hpp"
#include "result/result_json.hpp"
#include "support/golden.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

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

class GoldenResult : public ::testing::Test {
 protected:
  GoldenResult() { ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1); }
  ~GoldenResult() override { ::unsetenv("XDG_STATE_HOME"); }

  template <class Plan>
  void expect_as_kept(const std::string& name, const Plan& plan) {
    testing::expect_as_kept("result/golden/" + name + ".json",
                            document_of(Session(ignore_events, std::stop_token()).run(plan)),
                            "The same plan gives another result than before.");
  }

 private:
  testing::TemporaryDirectory state_;
};

TEST_F(GoldenResult, OfARunIsThatOfEveryVersion) { expect_as_kept("run", mixed_load_on("regular")); }

TEST_F(GoldenResult, OfAComparisonIsThatOfEveryVersion) { expect_as_kept("comparison", comparison_of_volumes()); }

}  // namespace
}  // namespace edagen
