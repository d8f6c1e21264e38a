// The datasets of a comparison: which are removed, and which stay when another run has taken them or a host is lost.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "dataset/dataset_layout.hpp"
#include "edagen/error.hpp"
#include "fakes/fake_network.hpp"
#include "fakes/session_fixture.hpp"

namespace edagen {
namespace {

using testing::kept_on;
using testing::TemporaryDirectory;

class ComparisonDatasetsTest : public testing::SessionTest {};

TEST_F(ComparisonDatasetsTest, TheDatasetsOfAllVariantsWouldStayUntilTheyAreRemoved) {
  const TemporaryDirectory a, b;
  ComparisonPlan plan;
  plan.repeats = 2;
  plan.variants = {{"a", a.path(), kept_on(a.path(), {})}, {"b", b.path(), kept_on(b.path(), {})}};
  for (Variant& variant : plan.variants) {
    variant.plan.keep_dataset = false;
    variant.plan.dataset_scale = 0.0001;
  }
  std::vector<DatasetLeft> now;
  std::vector<std::size_t> after_runs, in_windows;
  Session(on([&](const LeftoversChanged& its) { now = its.datasets; },
             [&](const PointMeasured&) { in_windows.push_back(now.size()); },
             [&](const VariantMeasured&) { after_runs.push_back(now.size()); }),
          {})
      .run(plan);
  EXPECT_EQ(in_windows, (std::vector<std::size_t>{1, 2, 2, 2})) << "each is named once";
  EXPECT_EQ(after_runs, (std::vector<std::size_t>{1, 2, 2, 2}));
  EXPECT_TRUE(now.empty());
  EXPECT_FALSE(std::filesystem::exists(a / dataset_directory));
}

TEST_F(ComparisonDatasetsTest, ADatasetThatAnotherRunHasTakenStaysWhicheverVariantHasMadeItByWhateverName) {
  const TemporaryDirectory base;
  std::filesystem::create_directory(base / "a");
  std::filesystem::create_directory_symlink(base / "a", base / "b");
  ComparisonPlan plan;
  for (const std::string name : {"a", "b"}) {
    plan.variants.push_back({name, base / name, kept_on(base / name, {})});
    plan.variants.back().plan.keep_dataset = false;
    plan.variants.back().plan.dataset_scale = 0.0001;
  }
  int points = 0;
  Session session(on([&](const PointMeasured&) {
                    if (++points == 2) base.write("a/edagen.data/edagen.lock", "");
                  }),
                  {});
  const ComparisonResult comparison = session.run(plan);
  ASSERT_TRUE(comparison.failure);
  EXPECT_TRUE(comparison.failure->ends_with("/edagen.data: another process had its lock meanwhile"))
      << *comparison.failure;
  EXPECT_TRUE(std::filesystem::exists(base / "a/edagen.data")) << "the dataset is the other run's";
}

/// Two volumes, each with a directory of its own on each of so many hosts.
ComparisonPlan on_directories_of_hosts(const TemporaryDirectory& base, std::uint64_t hosts) {
  ComparisonPlan plan;
  for (const std::string volume : {"a", "b"}) {
    for (std::uint64_t rank = 0; rank < hosts; ++rank)
      std::filesystem::create_directory(base / (volume + std::to_string(rank)));
    plan.variants.push_back({volume, volume, kept_on(base / (volume + "{rank}"), {})});
    plan.variants.back().plan.keep_dataset = false;
    plan.variants.back().plan.clients = hosts;
    plan.variants.back().plan.dataset_scale = 0.0001;
  }
  plan.repeats = 1;
  return plan;
}

TEST_F(ComparisonDatasetsTest, DatasetsThatEachHostHasAloneAreRemovedBeforeTheComparisonEnds) {
  const TemporaryDirectory base;
  const std::vector<std::string> directories = {base / "a0", base / "a1", base / "b0", base / "b1"};
  const ComparisonPlan plan = on_directories_of_hosts(base, 2);
  testing::FakeNetwork network(2);
  testing::on_hosts(network, [&](Hosts& hosts) {
    Session session(ignore_events, {}, std::chrono::seconds(30), &hosts);
    if (!hosts.leads()) return session.follow({plan.variants[0].plan, plan.variants[1].plan});
    EXPECT_EQ(session.run(plan).status, Status::complete);
    EXPECT_FALSE(session.cleanup_incomplete());
    for (const std::string& directory : directories) EXPECT_TRUE(std::filesystem::is_empty(directory)) << directory;
  });
}

TEST_F(ComparisonDatasetsTest, WhenTheLeaderFailsInALaterRunDatasetsOfAllHostsStayAndNoHostIsAskedAnythingElse) {
  const TemporaryDirectory base;
  const ComparisonPlan plan = on_directories_of_hosts(base, 2);
  std::vector<std::string> left;
  int built = 0;
  const EventSink leader = on(
      [&](const DatasetBuilt&) {
        if (++built == 2) throw run_error("b", "is full");
      },
      [&](const DatasetLeft& its) { left.insert(left.end(), its.mounts.begin(), its.mounts.end()); });
  testing::FakeNetwork network(2);
  const testing::Ends ends = testing::on_hosts(network, [&](Hosts& hosts) {
    Session session(hosts.leads() ? leader : EventSink(ignore_events), {}, std::chrono::seconds(30), &hosts);
    if (hosts.leads()) session.run(plan);
    else session.follow({plan.variants[0].plan, plan.variants[1].plan});
  });
  EXPECT_EQ(ends[0].errors, std::vector<std::string>{"b: is full"}) << "the other host has no error of its own";
  EXPECT_NE(std::ranges::find(left, base / "a0"), left.end()) << "this is named";
  for (const std::string name : {"a0", "a1"}) EXPECT_FALSE(std::filesystem::is_empty(base / name)) << name;
}

TEST_F(ComparisonDatasetsTest, WhenAHostIsLostDuringTheRemovalTheDatasetsThatAreStillThereStay) {
  const TemporaryDirectory base;
  const ComparisonPlan plan = on_directories_of_hosts(base, 3);
  testing::FakeNetwork network(3);
  const auto work = [&](Hosts& hosts) {
    std::size_t before = 0;
    const EventSink leader = on([&](const LeftoversChanged& now) {
      const bool a_is_removed = before == 2 && now.datasets.size() == 1;
      before = now.datasets.size();
      if (!a_is_removed) return;
      network.break_way_to(2);
      while (!hosts.failure()) hosts.rest();
    });
    Session session(hosts.leads() ? leader : EventSink(ignore_events), {}, std::chrono::seconds(30), &hosts);
    if (hosts.leads()) session.run(plan);
    else session.follow({plan.variants[0].plan, plan.variants[1].plan});
  };
  testing::on_hosts(network, work, std::chrono::seconds(5));
  for (const std::string rank : {"0", "1", "2"}) {
    EXPECT_TRUE(std::filesystem::is_empty(base / ("a" + rank))) << rank;
    EXPECT_FALSE(std::filesystem::is_empty(base / ("b" + rank))) << rank;
  }
}

}  // namespace
}  // namespace edagen
