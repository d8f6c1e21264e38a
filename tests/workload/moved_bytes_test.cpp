#include "workload/moved_bytes.hpp"

#include <gtest/gtest.h>

#include "dataset/dataset_builder.hpp"
#include "support/quiet_watch.hpp"
#include "support/temporary_directory.hpp"
#include "target/posix_target.hpp"
#include "workload/op_stream.hpp"

namespace edagen {
namespace {

double of(const WorkloadSpec& workload, OpKind kind) {
  return moved_bytes(workload).per_op[static_cast<std::size_t>(kind)] / KiB;
}

TEST(MovedBytes, AreThoseOfThePublishedTablesWhereTheirFilesHoldThem) {
  const WorkloadSpec front = load_workload("eda_functional_published"), back = load_workload("eda_physical_published");
  EXPECT_NEAR(of(back, OpKind::read_seq), 56.2, 0.6);
  EXPECT_NEAR(of(back, OpKind::write_seq), 74.4, 0.8);
  EXPECT_NEAR(of(front, OpKind::read_file), 16, 1e-6);
  EXPECT_EQ(of(front, OpKind::stat), 0);
  EXPECT_EQ(of(front, OpKind::chmod), 0);
  // The tables have 11.3 and 3.4, with transfers that are larger than the files.
  EXPECT_NEAR(of(front, OpKind::read_rand), 9.6, 0.1);
  EXPECT_NEAR(of(front, OpKind::write_rand), 3.2, 0.1);
  WorkloadSpec roomy = front;
  roomy.proc_kinds[0].dataset.file_size = SizeDistribution::fixed(32 * KiB);
  EXPECT_NEAR(of(roomy, OpKind::read_rand), 11.3, 0.1);
  EXPECT_NEAR(of(roomy, OpKind::write_rand), 3.4, 0.05);
}

TEST(MovedBytes, OfABlendAreWeightedByTheRatesOfItsProcs) {
  EXPECT_NEAR(moved_bytes(load_workload("eda_mixed")).of_all / KiB, 16.13, 0.03 * 16.13);
  EXPECT_NEAR(moved_bytes(load_workload("eda_mixed_published")).of_all / KiB, 24.3, 0.3);
}

/// A small dataset of one proc in a directory, and what is moved there by system calls.
TEST(MovedBytes, AreWhatARealFileSystemMoves) {
  for (const char* const name : {"eda_functional_published", "eda_functional", "eda_physical_published"}) {
    WorkloadSpec workload = load_workload(name);
    ProcSpec& kind = workload.proc_kinds[0];
    kind.dataset.data_files = kind.dataset.file_size.mean() > MiB ? 2 : 20;
    kind.dataset.empty_files = 20;
    kind.dataset.directories = 4;
    kind.commit_percent = kind.direct_percent = 0;
    kind.procs_per_job_set = 1;
    DatasetScale whole;
    whole.factor = 1;
    const DatasetPlan plan = plan_dataset(workload, 1, 1, {0}, 1, whole);
    const testing::TemporaryDirectory mount;
    testing::QuietWatch watch;
    DatasetBuilder dataset(plan, {{mount.path(), "v"}}, false);
    dataset.build(2, {}, watch, [](const BuildProgress&) {});
    const DatasetRoot& root = dataset.roots().front();
    PosixTarget target(
        {{mount.path(), root.path(), root.descriptor(), "c0000/p00", &kind, plan.procs[0].files, false}});
    const auto worker = target.make_worker();
    const OpMix mix(kind.weights);
    OpStream ops(kind, mix, plan.procs[0].files, plan.procs[0].seed);
    double bytes = 0;
    // The first ops move what success_of() says, so that it can be asked of many more, which takes no time.
    constexpr int count = 20'000, carried_out = 4'000;
    for (int i = 0; i < count; ++i) {
      const Op op = ops.next();
      const OpResult expected = success_of(op);
      bytes += static_cast<double>(expected.bytes_read + expected.bytes_written);
      if (i >= carried_out) continue;
      const OpResult result = worker->carry_out(0, op);
      ASSERT_EQ(result.error, 0) << name << " " << to_string(op.kind);
      ASSERT_EQ(result.bytes_read, expected.bytes_read) << name << " " << to_string(op.kind);
      ASSERT_EQ(result.bytes_written, expected.bytes_written) << name << " " << to_string(op.kind);
    }
    EXPECT_NEAR(bytes / count, moved_bytes(workload).of_all, 0.05 * bytes / count) << name;
  }
}

}  // namespace
}  // namespace edagen
