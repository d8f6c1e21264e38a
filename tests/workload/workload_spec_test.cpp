#include <gtest/gtest.h>

#include <numeric>

#include "edagen/error.hpp"
#include "edagen/workload.hpp"
#include "workload/workload_file.hpp"

namespace edagen {
namespace {

TEST(WorkloadSpec, ReadPercentMovesTheShareOfReadsAndLeavesTheOtherOps) {
  ProcSpec spec = load_workload("eda_functional").proc_kinds[0];
  const double stats = spec.share(OpKind::stat),
               ratio = spec.weight(OpKind::read_rand) / spec.weight(OpKind::read_file);
  const auto reads = [&] { return spec.share(OpKind::read_rand) + spec.share(OpKind::read_file); };
  const auto writes = [&] { return spec.share(OpKind::write_rand) + spec.share(OpKind::write_file); };
  const double both = reads() + writes();
  spec.set_read_percent(75);
  EXPECT_NEAR(reads() / (reads() + writes()), 0.75, 1e-12);
  EXPECT_NEAR(reads() + writes(), both, 1e-12);
  EXPECT_NEAR(spec.share(OpKind::stat), stats, 1e-12);
  EXPECT_NEAR(spec.weight(OpKind::read_rand) / spec.weight(OpKind::read_file), ratio, 1e-12);
}

TEST(WorkloadSpec, AReadPercentWithWhichNamesWouldRunOutIsRefused) {
  ProcSpec spec;
  spec.weights[static_cast<std::size_t>(OpKind::unlink)] = 20;
  spec.weights[static_cast<std::size_t>(OpKind::write_file)] = 20;
  spec.weights[static_cast<std::size_t>(OpKind::read_file)] = 60;
  spec.unlink_nonempty_percent = 100;
  EXPECT_NO_THROW(spec.set_read_percent(50)) << "what is removed is written again";
  EXPECT_THROW(spec.set_read_percent(100), Error);
}

TEST(WorkloadSpec, ReadPercentNeedsTheSideThatIsWanted) {
  ProcSpec spec = load_workload("fio/8k-randread").proc_kinds[0];
  EXPECT_NO_THROW(spec.set_read_percent(100));
  EXPECT_THROW(spec.set_read_percent(50), Error);
}

TEST(WorkloadSpec, TheMixesOfTheEdaWorkloadsAreInPercent) {
  for (const std::string& name : builtin_workload_names()) {
    if (!name.starts_with("eda_")) continue;
    for (const ProcSpec& kind : load_workload(name).proc_kinds)
      EXPECT_DOUBLE_EQ(std::accumulate(kind.weights.begin(), kind.weights.end(), 0.0), 100) << name;
  }
}

TEST(WorkloadSpec, OnlyProcsThatReadAndWriteQueue) {
  for (const auto& [name, queues] : {std::pair{"eda_physical", true}, {"eda_functional", false}, {"fio/64k-rw", true}})
    EXPECT_EQ(load_workload(name).proc_kinds[0].queueable(), queues) << name;
}

}  // namespace
}  // namespace edagen
