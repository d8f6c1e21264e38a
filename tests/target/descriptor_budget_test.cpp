#include "target/descriptor_budget.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

namespace edagen {
namespace {

/// 10,000 procs of one random and one sequential file and 100 directories each.
DescriptorNeeds many_procs() {
  DescriptorNeeds needs;
  needs.procs = 10'000;
  needs.serial_files = 20'000;
  needs.directories = 65'536;
  needs.most_directories = 101;
  needs.workers = 4096;
  return needs;
}

std::size_t used(const DescriptorBudget& budget, const DescriptorNeeds& needs) {
  return 64 + 128 + 3 * budget.most_workers + (budget.keeps_files ? needs.serial_files : 0) + needs.queued_ops +
         budget.files_per_queue * needs.queues + budget.directories_per_proc * needs.procs;
}

TEST(DescriptorBudget, KeepsEverythingWhereThereIsRoom) {
  const DescriptorNeeds needs = many_procs();
  const DescriptorBudget budget = DescriptorBudget::share(needs.total(), needs);
  EXPECT_TRUE(budget.keeps_files);
  EXPECT_EQ(budget.most_workers, 4096u);
  EXPECT_EQ(budget.directories_per_proc, 6u);
}

TEST(DescriptorBudget, KeepsFilesRatherThanDirectories) {
  const DescriptorBudget budget = DescriptorBudget::share(30'000, many_procs());
  EXPECT_TRUE(budget.keeps_files);
  EXPECT_EQ(budget.directories_per_proc, 0u);
  EXPECT_GT(budget.most_workers, 1000u);
}

TEST(DescriptorBudget, NeverPromisesMoreThanThereIs) {
  DescriptorNeeds needs = many_procs();
  for (const std::size_t queues : {0u, 10u, 300u}) {
    needs.queues = queues;
    needs.queued_ops = 4 * queues;
    for (std::size_t available = 1500; available < 200'000; available += 977)
      EXPECT_LE(used(DescriptorBudget::share(available, needs), needs), available)
          << available << ", " << queues << " queues";
  }
}

TEST(DescriptorBudget, AFewHundredDescriptorsServeTenThousandProcs) {
  const DescriptorBudget budget = DescriptorBudget::share(500, many_procs());
  EXPECT_FALSE(budget.keeps_files);
  EXPECT_GE(budget.most_workers, 8u);
}

TEST(DescriptorNeeds, AreThoseOfAllProcsAndOfNoMoreWorkersThanProcs) {
  ProcSpec serial, queued;
  serial.weights[static_cast<std::size_t>(OpKind::read_rand)] = 1;
  serial.weights[static_cast<std::size_t>(OpKind::write_seq)] = 1;
  queued.io.depth = 32;
  DatasetSpec few, many;
  few.data_files = 10, few.directories = 4;
  many.data_files = 100, many.directories = 2;
  DescriptorNeeds needs;
  needs.add(serial, few, 2);
  EXPECT_EQ(needs.workers, 1u);
  needs.add(queued, few, 2);
  needs.add(queued, many, 2);
  EXPECT_EQ(needs.procs, 3u);
  EXPECT_EQ(needs.workers, 2u);
  EXPECT_EQ(needs.serial_files, 2u);
  EXPECT_EQ(needs.directories, 13u);
  EXPECT_EQ(needs.most_directories, 5u);
  EXPECT_EQ(needs.queues, 2u);
  EXPECT_EQ(needs.queued_ops, 42u);
}

TEST(DescriptorBudget, OpsAtDepthThatCannotBeOpenAtOnceAreRefused) {
  DescriptorNeeds needs = many_procs();
  needs.queues = 100;
  needs.queued_ops = 3200;
  EXPECT_THROW(DescriptorBudget::share(3000, needs), Error);
  EXPECT_LT(DescriptorBudget::share(4000, needs).files_per_queue, 8u);
  EXPECT_EQ(DescriptorBudget::share(100'000, needs).files_per_queue, 64u);
}

}  // namespace
}  // namespace edagen
