#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

#include "fakes/session_fixture.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;
using testing::FakeTarget;
using testing::plan_on;
using testing::SessionTest;
using testing::TemporaryDirectory;

/// Procs that remove, rewrite, replace and lock the few files that they share.
WorkloadSpec contending(SharedBy by) {
  WorkloadSpec workload = load_workload("eda_functional");
  ProcSpec& kind = workload.proc_kinds[0];
  kind.shared_files.by = by;
  kind.dataset.data_files = 80;
  kind.dataset.empty_files = 40;
  kind.dataset.directories = 3;
  kind.unlink_nonempty_percent = 50;
  kind.rename_over_percent = 50;
  for (const OpKind busy : {OpKind::unlink, OpKind::rename, OpKind::create, OpKind::write_file, OpKind::lock,
                            OpKind::copyfile, OpKind::mmap_read})
    kind.weights[static_cast<std::size_t>(busy)] = 10;
  return workload;
}

class SharedFilesRun : public SessionTest {
 protected:
  Result run(WorkloadSpec workload, std::vector<std::string> mounts) {
    RunPlan plan = plan_on(nullptr);
    plan.workload = std::move(workload);
    plan.volume = MountDirectories{std::move(mounts)};
    plan.clients = 2;
    plan.procs_per_client = 4;
    plan.dataset_scale = 1;
    LoadSeries series;
    series.load.duration = 300ms;
    plan.measurement = series;
    return session_.run(plan);
  }
  TemporaryDirectory volume_;
};

TEST_F(SharedFilesRun, NoOpFailsByDesignAndTheDatasetGoes) {
  for (const SharedBy by : {SharedBy::client, SharedBy::all}) {
    const Result result = run(contending(by), {volume_.path()});
    ASSERT_EQ(result.load_points.size(), 1u);
    const PointFigures& point = result.load_points[0];
    EXPECT_GT(point.operations, 100u);
    EXPECT_TRUE(point.errors.empty()) << point.errors.begin()->first;
    EXPECT_EQ(result.dataset.files, by == SharedBy::client ? 2 * (80 + 4 * 40u) : 80 + 8 * 40u);
    EXPECT_TRUE(std::filesystem::is_empty(volume_.path()));
  }
}

TEST_F(SharedFilesRun, AllShareAcrossTwoMountsOfDirectoriesOfTheirOwn) {
  const TemporaryDirectory other;
  const Result result = run(contending(SharedBy::all), {volume_.path(), other.path()});
  EXPECT_TRUE(result.load_points.at(0).errors.empty());
  EXPECT_EQ(result.dataset.files, 2 * (80 + 4 * 40u)) << "a set in each directory";
}

TEST_F(SharedFilesRun, QueuesShareAFile) {
  WorkloadSpec workload = load_workload("fio/4k-randrw");
  ProcSpec& kind = workload.proc_kinds[0];
  kind.shared_files.by = SharedBy::all;
  kind.dataset.file_size = SizeDistribution::fixed(8 * MiB);
  kind.io.depth = 8;
  kind.io.direct = false;
  const Result result = run(workload, {volume_.path()});
  EXPECT_TRUE(result.load_points.at(0).errors.empty());
  EXPECT_EQ(result.load_points.at(0).lost_races, 0u) << "nothing is removed or rewritten";
  EXPECT_EQ(result.dataset.files, kind.dataset.data_files);
}

TEST_F(SharedFilesRun, OpsThatLoseARaceCountAsDoneAndOthersAsErrors) {
  std::atomic<std::uint64_t> lost{0};
  const auto target = std::make_shared<FakeTarget>([&](auto, const Op& op) {
    OpResult result;
    if (op.kind == OpKind::read_file) {
      result.error = ENOENT;
      ++lost;
    }
    return result;
  });
  RunPlan plan = plan_on(target);
  plan.workload.proc_kinds[0].shared_files.by = SharedBy::client;
  const Result result = session_.run(plan);
  const PointFigures& point = result.load_points.at(0);
  EXPECT_TRUE(point.errors.empty());
  EXPECT_GT(point.lost_races, 0u);
  EXPECT_LE(point.lost_races, lost.load());
  EXPECT_EQ(point.lost_races, point.ops.at(OpKind::read_file).lost_races);
  EXPECT_EQ(point.lost_races, point.ops.at(OpKind::read_file).operations);

  plan.workload.proc_kinds[0].shared_files.by = SharedBy::none;
  plan.max_errors = 1'000'000'000;
  const Result alone = session_.run(plan);
  EXPECT_EQ(alone.load_points.at(0).lost_races, 0u);
  EXPECT_GT(alone.load_points.at(0).errors.at("ENOENT"), 0u);
}

TEST_F(SharedFilesRun, ASimulatedVolumeHasAnswersWithSharedFiles) {
  RunPlan plan = testing::simulated();
  plan.workload = contending(SharedBy::all);
  plan.clients = 3;
  const Result result = session_.run(plan);
  EXPECT_NEAR(result.load_points.at(0).achieved_ops_per_sec, 1000, 50);
  EXPECT_NE(watcher_.plan.find("80 x 16 KiB that 15 procs share, and 40 empty files per proc"), std::string::npos)
      << watcher_.plan;
}

}  // namespace
}  // namespace edagen
