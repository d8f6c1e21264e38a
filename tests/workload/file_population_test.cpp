#include "edagen/file_population.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(FilePopulation, FileSizesAreAPureFunctionOfSeedAndIndex) {
  ProcSpec spec;
  spec.dataset.data_files = 1000;
  spec.dataset.file_size = SizeDistribution::uniform(1, 1000);
  const FilePopulation a(spec, spec.dataset, 1), b(spec, spec.dataset, 1), c(spec, spec.dataset, 2);
  int equal = 0;
  double total = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(a.file_size(i), b.file_size(i));
    equal += a.file_size(i) == c.file_size(i) ? 1 : 0;
    total += static_cast<double>(a.file_size(i));
  }
  EXPECT_LT(equal, 20);
  EXPECT_NEAR(total / 1000, 500, 40);
}

TEST(FilePopulation, LinksAndMadeDirectoriesAreThereOnlyWhenTheMixUsesThem) {
  ProcSpec spec;
  spec.dataset.data_files = 1;
  EXPECT_EQ(FilePopulation(spec, spec.dataset, 1).count(NameClass::symlink), 0u);
  spec.weights[static_cast<std::size_t>(OpKind::readlink)] = 1;
  spec.weights[static_cast<std::size_t>(OpKind::rmdir)] = 1;
  EXPECT_EQ(FilePopulation(spec, spec.dataset, 1).count(NameClass::symlink), initial_links);
  EXPECT_EQ(FilePopulation(spec, spec.dataset, 1).count(NameClass::made_dir), initial_made_dirs);
}

}  // namespace
}  // namespace edagen
