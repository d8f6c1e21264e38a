#include "dataset/dataset_layout.hpp"

#include <gtest/gtest.h>

#include <set>

namespace edagen {
namespace {

DatasetSpec spec(std::uint64_t directories, int depth) {
  DatasetSpec dataset;
  dataset.data_files = 100;
  dataset.directories = directories;
  dataset.depth = depth;
  return dataset;
}

TEST(DatasetLayout, NamesAreArithmetic) {
  const NameWriter names(spec(240, 1));
  EXPECT_EQ(names.path({NameClass::data, 123}), "d123/f000123");
  EXPECT_EQ(names.path({NameClass::empty, 241}), "d001/e000241");
  EXPECT_EQ(names.path({NameClass::dataset_dir, 17}), "d017");
  EXPECT_EQ(names.path({NameClass::symlink, 105}), "d005/s000105");  // beside f000005
  EXPECT_EQ(names.path({}), ".");
  EXPECT_EQ(proc_directory(3, 1), "c0003/p01");
}

TEST(DatasetLayout, DepthSpreadsTheDirectoriesOverLevels) {
  const NameWriter names(spec(1000, 3));
  std::set<std::string> paths;
  for (std::uint64_t i = 0; i < 1000; ++i) paths.insert(names.path({NameClass::dataset_dir, i}));
  EXPECT_EQ(paths.size(), 1000u);
  EXPECT_EQ(*paths.begin(), "d000/d000/d000");
  EXPECT_EQ(*paths.rbegin(), "d009/d009/d009");
}

TEST(DatasetLayout, LeavesAreReadBack) {
  const NameWriter names(spec(7, 1));
  for (const NameClass cls :
       {NameClass::data, NameClass::empty, NameClass::made_dir, NameClass::symlink, NameClass::hard_link})
    for (const std::uint64_t index : {0u, 7u, 123456789u}) {
      char leaf[NameWriter::longest];
      char* const end = names.write_leaf({cls, index}, leaf);
      EXPECT_EQ(NameWriter::parse_leaf({leaf, end}), (NameRef{cls, index}));
    }
  for (const char* const foreign : {"x000001", "f1", "f00001x", "core", "d001"})
    EXPECT_EQ(NameWriter::parse_leaf(foreign).cls, NameClass::none) << foreign;
}

}  // namespace
}  // namespace edagen
