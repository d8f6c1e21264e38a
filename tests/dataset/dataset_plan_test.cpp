#include "dataset/dataset_plan.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

DatasetScale budget(double bytes) {
  DatasetScale scale;
  scale.budget_bytes = bytes;
  return scale;
}

TEST(DatasetPlan, AnAmpleBudgetGivesTheWorkloadsOwnSize) {
  const WorkloadSpec mixed = load_workload("eda_mixed");
  const DatasetPlan plan = plan_dataset(mixed, 1, 5, {0}, 1, budget(1e15));
  EXPECT_FALSE(plan.scaled_down());
  EXPECT_NEAR(plan.totals().bytes / GiB, 11, 0.3);  // FACTS: 11 GiB per job set
  EXPECT_EQ(plan.kinds[0].data_files, 1200u);
}

TEST(DatasetPlan, ATightBudgetIsKeptAndSharedFairly) {
  const WorkloadSpec mixed = load_workload("eda_mixed");
  const DatasetPlan plan = plan_dataset(mixed, 10, 5, {0}, 1, budget(512.0 * MiB));
  EXPECT_TRUE(plan.scaled_down());
  EXPECT_LT(plan.totals().bytes, 530.0 * MiB);
  EXPECT_GT(plan.totals().bytes, 400.0 * MiB);
  EXPECT_GT(plan.kinds[0].data_files, 400u);
  EXPECT_GE(plan.kinds[1].data_files, 4u);
}

TEST(DatasetPlan, ClientsGoRoundTheMounts) {
  const WorkloadSpec functional = load_workload("eda_functional");
  const DatasetPlan plan = plan_dataset(functional, 5, 2, {0, 1}, 1, budget(1e12));
  ASSERT_EQ(plan.procs.size(), 10u);
  EXPECT_EQ(plan.procs[0].mount, 0u);
  EXPECT_EQ(plan.procs[2].mount, 1u);
  EXPECT_EQ(plan.procs[4].mount, 0u);
  EXPECT_EQ(plan.totals_on(0).files + plan.totals_on(1).files, plan.totals().files);
}

TEST(DatasetPlan, TheFingerprintTellsDifferentFilesApart) {
  const WorkloadSpec workload = load_workload("eda_functional");
  const auto print = [&](std::uint64_t clients, std::uint64_t seed, double factor) {
    DatasetScale scale;
    scale.factor = factor;
    return plan_dataset(workload, clients, 5, {0}, seed, scale).fingerprint;
  };
  EXPECT_EQ(print(1, 1, 0.1), print(1, 1, 0.1));
  EXPECT_NE(print(1, 1, 0.1), print(2, 1, 0.1));
  EXPECT_NE(print(1, 1, 0.1), print(1, 2, 0.1));
  EXPECT_NE(print(1, 1, 0.1), print(1, 1, 0.2));
}

TEST(DatasetPlan, WorkloadsWithEqualFilesShareThem) {
  const auto print = [](const char* name) {
    return plan_dataset(load_workload(name), 1, 4, {0}, 1, budget(1e12)).fingerprint;
  };
  EXPECT_EQ(print("fio/8k-randread"), print("fio/256k-write"));
  EXPECT_NE(print("fio/8k-randread"), print("fio/1m-read"));
  EXPECT_NE(print("eda_functional"), print("eda_physical"));
  WorkloadSpec compressible = load_workload("fio/8k-randread");
  compressible.proc_kinds[0].compressible_percent = 50;
  EXPECT_NE(plan_dataset(compressible, 1, 4, {0}, 1, budget(1e12)).fingerprint, print("fio/8k-randread"));
}

TEST(DatasetPlan, OneFileSizeForAllReplacesTheWorkloads) {
  const WorkloadSpec workload = load_workload("eda_physical");
  DatasetScale scale;
  scale.factor = 1;
  scale.file_size = MiB;
  EXPECT_DOUBLE_EQ(plan_dataset(workload, 1, 1, {0}, 1, scale).totals().bytes, 550.0 * MiB);
}

TEST(DatasetPlan, FilesSmallerThanEveryReadOrWriteAreRefused) {
  const WorkloadSpec workload = load_workload("fio/8k-randread");
  DatasetScale scale;
  scale.factor = 1;
  scale.file_size = 8 * KiB;
  EXPECT_NO_THROW(plan_dataset(workload, 1, 1, {0}, 1, scale));
  scale.file_size = 8 * KiB - 1;
  const std::string error = testing::error_of([&] { plan_dataset(workload, 1, 1, {0}, 1, scale); });
  EXPECT_NE(error.find("is less than the smallest read of"), std::string::npos) << error;
}

TEST(DatasetPlan, ASizeThatWasAskedForIsKeptHoweverSmallTheDataset) {
  const WorkloadSpec workload = load_workload("eda_functional");
  DatasetScale scale;
  scale.file_size = 4 * MiB;
  for (const auto& [factor, budget_bytes] :
       {std::pair<std::optional<double>, double>{0.0005, 0}, {std::nullopt, 1e6}}) {
    scale.factor = factor;
    scale.budget_bytes = budget_bytes;
    const DatasetPlan plan = plan_dataset(workload, 1, 1, {0}, 1, scale);
    EXPECT_EQ(plan.kinds[0].file_size.min(), 4 * MiB);
    EXPECT_EQ(plan.kinds[0].data_files, 4u);
  }
}

std::string refusal(const WorkloadSpec& workload, std::uint64_t clients, std::uint64_t procs, double factor) {
  DatasetScale scale;
  scale.factor = factor;
  return testing::error_of([&] { plan_dataset(workload, clients, procs, {0}, 1, scale); });
}

TEST(DatasetPlan, ASmallDatasetHasNoLargerFilesThanTheWorkload) {
  const WorkloadSpec workload = load_workload("eda_functional");
  DatasetScale scale;
  for (const double factor : {0.01, 0.002, 0.0001}) {
    scale.factor = factor;
    EXPECT_EQ(plan_dataset(workload, 1, 1, {0}, 1, scale).kinds[0].file_size.max(), 16 * KiB) << factor;
  }
  scale.factor.reset();
  scale.budget_bytes = 20e3;
  EXPECT_DOUBLE_EQ(plan_dataset(workload, 1, 1, {0}, 1, scale).totals().bytes, 4 * 16.0 * KiB);
}

TEST(DatasetPlan, FilesThatWouldBeScaledBelowEveryReadAreRefused) {
  EXPECT_TRUE(refusal(load_workload("fio/1m-read"), 1, 1, 0.00001)
                  .starts_with("file size: 64 KiB is less than the smallest read of 1m-read, 1 MiB"));
  EXPECT_EQ(refusal(load_workload("fio/1m-read"), 1, 1, 0.001), "");
}

TEST(DatasetPlan, WhatNoMachineCouldHoldIsRefusedWithItsLimit) {
  WorkloadSpec workload = load_workload("eda_functional");
  EXPECT_TRUE(refusal(workload, 100'000, 500'000, 1)
                  .starts_with("clients: 100,000 clients x 500,000 procs are 50,000,000,000 procs, at most 1,000,000"));
  EXPECT_TRUE(
      refusal(workload, 100, 5, 1e6).starts_with("dataset scale: 1,200,000,000,000 files, at most 10,000,000,000"));
  workload = load_workload("fio/4k-randread");
  EXPECT_TRUE(refusal(workload, 1000, 4, 1e6).starts_with("dataset scale: ")) << refusal(workload, 1000, 4, 1e6);
  workload.proc_kinds[0].io.depth = 1024;
  EXPECT_TRUE(
      refusal(workload, 10'000, 1, 0.001).starts_with("I/O depth: 10,240,000 ops in flight, at most 10,000,000"));
  workload.proc_kinds[0].dataset.file_size = SizeDistribution::lognormal(Bytes{1} << 44, 10, 1, Bytes{1} << 44);
  workload.proc_kinds[0].dataset.data_files = 1'000'000;
  EXPECT_TRUE(refusal(workload, 1, 1, 1).starts_with("dataset scale: "));
}

WorkloadSpec sharing(SharedBy by) {
  WorkloadSpec workload = load_workload("eda_functional");
  workload.proc_kinds[0].shared_files.by = by;
  return workload;
}

TEST(DatasetPlan, SharedFilesCountOnceForAllWhoShareThem) {
  const auto bytes = [](SharedBy by) {
    return plan_dataset(sharing(by), 4, 5, {0, 1}, 1, {.factor = 1, .file_size = {}}).totals().bytes;
  };
  EXPECT_DOUBLE_EQ(bytes(SharedBy::client), bytes(SharedBy::none) / 5);
  EXPECT_DOUBLE_EQ(bytes(SharedBy::all), bytes(SharedBy::none) / 10) << "a set on each of two directories";
}

TEST(DatasetPlan, AllClientsShareAcrossMountsOfOneDirectoryAndNotOfDifferentOnes) {
  const WorkloadSpec workload = sharing(SharedBy::all);
  const DatasetScale whole{.factor = 1, .file_size = {}};
  const DatasetPlan one = plan_dataset(workload, 2, 2, MountedDirectories{0, 0}, 1, whole);
  const DatasetPlan two = plan_dataset(workload, 2, 2, MountedDirectories{0, 1}, 1, whole);
  EXPECT_EQ(one.procs[3].directory, "c0000/p00");
  EXPECT_EQ(one.procs[3].mount, 1u) << "by the mount of its own client";
  EXPECT_EQ(one.procs[3].files.place().number, 3u);
  EXPECT_EQ(one.procs[3].files.place().sharers, 4u);
  EXPECT_EQ(two.procs[3].directory, "c0001/p00");
  EXPECT_EQ(two.procs[3].files.place().sharers, 2u);
  EXPECT_NE(one.fingerprint, two.fingerprint);
  EXPECT_EQ(one.totals_on(1).bytes, 0);
}

TEST(DatasetPlan, KindsOfABlendShareASetOfOneName) {
  WorkloadSpec workload = sharing(SharedBy::client);
  workload.proc_kinds[0].procs_per_job_set = 1;
  workload.proc_kinds.push_back(workload.proc_kinds[0]);
  const auto sharers = [&] {
    return plan_dataset(workload, 1, 4, {0}, 1, budget(1e12)).procs[3].files.place().sharers;
  };
  EXPECT_EQ(sharers(), 2u) << "a set for each kind";
  for (ProcSpec& kind : workload.proc_kinds) kind.shared_files.set = "a";
  EXPECT_EQ(sharers(), 4u);
}

}  // namespace
}  // namespace edagen
