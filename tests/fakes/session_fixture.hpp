// A session in its own state directory, a watcher of its events, and plans for it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "edagen/session.hpp"
#include "fakes/fake_target.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {

/// Ops of a fake target, in a closed loop of a tenth of a second.
inline RunPlan plan_on(std::shared_ptr<FakeTarget> target) {
  struct Shared final : Target {
    explicit Shared(std::shared_ptr<FakeTarget> its_target) : target(std::move(its_target)) {}
    std::unique_ptr<TargetWorker> make_worker() override { return target->make_worker(); }
    std::shared_ptr<FakeTarget> target;
  };
  RunPlan plan;
  plan.workload = load_workload("eda_functional");
  plan.volume = OwnTarget{"fake", [target](const auto&) { return std::make_unique<Shared>(target); }};
  LoadSeries series;
  series.load.duration = std::chrono::milliseconds(100);
  series.load.interval = std::chrono::milliseconds(50);
  plan.measurement = series;
  return plan;
}

inline RunPlan simulated() {
  RunPlan plan = plan_on(nullptr);
  plan.volume = load_volume("regular");
  LoadSeries series;
  series.load.rate = OpenLoop{1000};
  series.load.duration = std::chrono::seconds(2);
  plan.measurement = series;
  return plan;
}

inline std::size_t journals_in(const std::string& state) {
  std::error_code none;
  const std::filesystem::directory_iterator files(state + "/edagen", none), end;
  return static_cast<std::size_t>(std::distance(none ? end : files, end));
}

/// A run on a directory that keeps its dataset.
inline RunPlan kept_on(const std::string& directory, std::optional<double> budget) {
  RunPlan plan = plan_on(nullptr);
  plan.volume = MountDirectories{{directory}};
  plan.dataset_budget = budget;
  plan.keep_dataset = true;
  LoadSeries series;
  series.load.rate = OpenLoop{100};
  series.load.duration = std::chrono::milliseconds(100);
  plan.measurement = series;
  return plan;
}

class SessionTest : public ::testing::Test {
 protected:
  SessionTest() { ::setenv("XDG_STATE_HOME", state_.path().c_str(), 1); }
  ~SessionTest() override { ::unsetenv("XDG_STATE_HOME"); }

  struct Watcher {
    operator EventSink() {
      return on([this](const PlanChecked& its) { plan = its.text; },
                [this](const PointMeasured& its) {
                  ++points;
                  if (stop && points >= stop_after) stop->request_stop();
                  operations += its.point.operations;
                },
                [this](const RunFinished&) { ++results; }, [this](const ComparisonFinished&) { ++results; },
                [this](const VariantMeasured&) { ++variant_runs; });
    }
    std::string plan;
    std::stop_source* stop = nullptr;
    int stop_after = 1, points = 0, results = 0, variant_runs = 0;
    std::uint64_t operations = 0;
  };

  TemporaryDirectory state_;
  std::stop_source stop_;
  Watcher watcher_;
  Session session_{watcher_, stop_.get_token()};
};

}  // namespace edagen::testing
