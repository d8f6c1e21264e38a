#include "session/plan_warnings.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(CacheWarning, ADatasetThatFitsInMemoryIsSaidToShowTheSpeedOfMemoryInALine) {
  const std::string text = cache_warning(2 * GiB, 8 * GiB, {});
  EXPECT_TRUE(text.starts_with("the dataset (2 GiB per host) fits in the free memory of this host and")) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(CacheWarning, NothingIsSaidWhereStorageIsMeasured) {
  EXPECT_EQ(cache_warning(8 * GiB, 2 * GiB, {}), "") << "it does not fit";
  EXPECT_EQ(cache_warning(2 * GiB, 0, {}), "") << "what is free is not known";
  EXPECT_EQ(cache_warning(0, 8 * GiB, {}), "") << "there is nothing to read";
  IoFigures direct, dropped;
  direct.direct = true;
  dropped.drop_caches = true;
  for (const IoFigures& io : {direct, dropped}) EXPECT_EQ(cache_warning(2 * GiB, 8 * GiB, io), "");
}

TEST(CacheWarning, WhatCanBeCachedIsWhatTheKernelCallsAvailable) {
  EXPECT_EQ(free_memory_of("MemTotal:       24687528 kB\nMemFree:          1024 kB\nMemAvailable:   2048 kB\n"),
            2 * MiB);
  EXPECT_EQ(free_memory_of("MemTotal: 1 kB\n"), 0) << "of an old kernel";
  EXPECT_EQ(free_memory_of("MemAvailable:"), 0);
  EXPECT_GT(free_memory(), 0);
}

TEST(MixWarning, AKindWithoutProcsIsNamed) {
  const WorkloadSpec mixed = load_workload("eda_mixed");  // 3 functional and 2 physical procs per job set
  EXPECT_EQ(mix_warning(mixed, 1),
            "eda_physical has no proc: 1 proc per client is no whole job set of 5, so that the mix is not that of "
            "eda_mixed");
  for (const std::uint64_t procs : {2u, 3u})
    EXPECT_NE(mix_warning(mixed, procs).find("eda_physical has no proc"), std::string::npos) << procs;
}

TEST(MixWarning, SharesThatAreFarOffAreNamed) {
  const WorkloadSpec mixed = load_workload("eda_mixed");
  EXPECT_NE(mix_warning(mixed, 4).find("eda_physical makes 20 % of the ops, not 33 %"), std::string::npos)
      << mix_warning(mixed, 4);
  EXPECT_EQ(mix_warning(mixed, 49), "") << "within 5 points";
}

TEST(MixWarning, WholeJobSetsAndWorkloadsOfOneKindHaveTheirMix) {
  for (const std::uint64_t procs : {5u, 50u}) EXPECT_EQ(mix_warning(load_workload("eda_mixed"), procs), "");
  for (const std::uint64_t procs : {1u, 2u, 7u}) EXPECT_EQ(mix_warning(load_workload("eda_functional"), procs), "");
}

}  // namespace
}  // namespace edagen
