#include "hosts/mpi_launch.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/error_of.hpp"

namespace edagen {
namespace {

std::optional<MpiLaunch> launched(const std::map<std::string, std::string>& variables) {
  return mpi_launch([&](const char* name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    return found == variables.end() ? std::nullopt : std::optional(found->second);
  });
}

TEST(MpiLaunch, WithoutALauncherTheProcessIsAlone) {
  EXPECT_FALSE(launched({}));
  EXPECT_FALSE(launched({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "0"}}));
}

TEST(MpiLaunch, AnAllocationOfManyTasksIsNoLaunch) {
  EXPECT_FALSE(launched({{"SLURM_NTASKS", "10"}, {"SLURM_PROCID", "0"}}));
  EXPECT_FALSE(launched({{"LSB_DJOB_NUMPROC", "10"}}));
  EXPECT_FALSE(launched({{"PBS_NP", "10"}}));
  EXPECT_FALSE(launched({{"SLURM_NTASKS", "10"}, {"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}));
}

TEST(MpiLaunch, KnowsTheLaunchersOfBothLibraries) {
  const auto open_mpi = launched({{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "3"}, {"PMIX_RANK", "3"}});
  ASSERT_TRUE(open_mpi);
  EXPECT_EQ(open_mpi->size, 4);
  EXPECT_EQ(open_mpi->rank, 3);
  EXPECT_EQ(open_mpi->libraries, std::vector<std::string>{"openmpi"});
  const auto hydra = launched({{"PMI_SIZE", "8"}, {"PMI_RANK", "2"}});
  ASSERT_TRUE(hydra);
  EXPECT_EQ(hydra->size, 8);
  EXPECT_EQ(hydra->libraries.front(), "mpich");
  const auto slurm = launched({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"SLURM_PROCID", "1"}});
  ASSERT_TRUE(slurm);
  EXPECT_EQ(slurm->size, 2);
  EXPECT_EQ(slurm->libraries.front(), "openmpi");
}

TEST(MpiLaunch, ManyTasksThatCannotFindEachOtherAreRefused) {
  const auto plain = launched({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "2"}});
  ASSERT_TRUE(plain);
  EXPECT_THROW(mpi_module_for(*plain, {"/nowhere"}), Error);
}

TEST(MpiLaunch, WithoutTheModuleItSaysWhatIsMissing) {
  const auto hydra = launched({{"OMPI_COMM_WORLD_SIZE", "8"}});
  const std::string error = testing::error_of([&] { mpi_module_for(*hydra, {"/nowhere"}); });
  EXPECT_NE(error.find("built without openmpi"), std::string::npos) << error;
}

TEST(MpiLaunch, OfALauncherThatDoesNotSayHowManyTheLibrarysWorldCounts) {
  const auto first = launched({{"PMIX_RANK", "0"}}), third = launched({{"PMIX_RANK", "2"}});
  ASSERT_TRUE(first && third);
  EXPECT_EQ(third->rank, 2);
  EXPECT_NO_THROW(check_world(*first, 1)) << "alone";
  EXPECT_NO_THROW(check_world(*third, 4));
  EXPECT_THROW(check_world(*third, 1), Error);
}

TEST(MpiLaunch, AWorldOfAnotherSizeIsRefused) {
  const auto launch = launched({{"OMPI_COMM_WORLD_SIZE", "8"}});
  EXPECT_NO_THROW(check_world(*launch, 8));
  EXPECT_THROW(check_world(*launch, 1), Error);
}

}  // namespace
}  // namespace edagen
