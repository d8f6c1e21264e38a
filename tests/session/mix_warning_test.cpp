#include "session/mix_warning.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

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
