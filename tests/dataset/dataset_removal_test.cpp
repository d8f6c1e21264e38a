#include "dataset/dataset_removal.hpp"

#include <gtest/gtest.h>

#include "dataset/dataset_names.hpp"
#include "support/error_of.hpp"
#include "support/small_dataset.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using Kind = NameInDataset::Kind;

class DatasetRemovalTest : public ::testing::Test {
 protected:
  void make_directory_above(const std::string& name) { fs::create_directories(fs::path(data_ + name).parent_path()); }
  /// Neither files nor links but `stays` and what lies in it, and the marker.
  void expect_to_have_left(const std::string& stays) {
    for (const auto& entry : fs::recursive_directory_iterator(data_)) {
      const std::string name = entry.path().string().substr(data_.size());
      const bool is_above = entry.is_directory() && stays.starts_with(name + "/");
      EXPECT_TRUE(is_above || name.starts_with(stays) || name.starts_with("/edagen.")) << name;
    }
    EXPECT_TRUE(fs::exists(data_ + "/edagen.dataset.json"));
  }
  void expect_all_gone_without(const std::string& foreign) {
    fs::remove_all(data_ + foreign);
    EXPECT_TRUE(dataset_.remove());
    EXPECT_FALSE(fs::exists(data_));
  }
  std::string error_of_removal() {
    return testing::error_of([&] { dataset_.remove(); }, Error::Kind::run);
  }

  testing::SmallDataset dataset_;
  const std::string& data_ = dataset_.data;
};

TEST_F(DatasetRemovalTest, LeavesWhatEdagenHasNotMadeAndNamesIt) {
  for (const std::string foreign :
       {"/thesis.top", "/c12", "/c0009", "/c0009/thesis", "/c0009/p00/d000/thesis", "/c0000/thesis", "/c0000/p02",
        "/c0000/p01/thesis", "/c0000/p01/f000001", "/c0001/p01/d001/thesis", "/c0001/p01/d001/m000777/f000001",
        "/c0001/p01/d001/d000", "/.nfs-backup", "/c0001/p01/d001/.nfs-backup", "/c0001/edagen.lock"}) {
    SCOPED_TRACE(foreign);
    dataset_.build();
    make_directory_above(foreign);
    dataset_.mount.write("edagen.data" + foreign, "years of work");
    EXPECT_EQ(error_of_removal(), data_ + foreign +
                                      ": was not made by edagen and stays (move it away; edagen clean then removes the "
                                      "rest of the dataset)");
    EXPECT_EQ(fs::file_size(data_ + foreign), 13u);
    expect_to_have_left(foreign);
    expect_all_gone_without(foreign);
  }
}

TEST_F(DatasetRemovalTest, LeavesLinksAndDirectoriesThatEdagenDoesNotMakeThereAndFollowsNone) {
  const testing::TemporaryDirectory elsewhere;
  elsewhere.write("precious", "x");
  for (const std::string link : {"/c9999", "/c0000/p02", "/c0000/p00/d777", "/c0000/p00/d000/m000777", "/link"}) {
    SCOPED_TRACE(link);
    dataset_.build();
    fs::create_directory_symlink(elsewhere.path(), data_ + link);
    EXPECT_NE(error_of_removal().find(link + ": was not made by edagen"), std::string::npos);
    EXPECT_TRUE(fs::is_symlink(data_ + link));
    EXPECT_TRUE(fs::exists(elsewhere / "precious"));
    expect_to_have_left(link);
    expect_all_gone_without(link);
  }
  for (const std::string directory : {"/photos", "/c0000/p00/d000/f000777", "/c0000/p00/d000/s000777", "/.nfs0001"}) {
    SCOPED_TRACE(directory);
    dataset_.build();
    fs::create_directory(data_ + directory);
    dataset_.mount.write("edagen.data" + directory + "/f000001", "x");
    EXPECT_NE(error_of_removal().find(directory + ": was not made by edagen"), std::string::npos);
    EXPECT_TRUE(fs::exists(data_ + directory + "/f000001"));
    expect_to_have_left(directory);
    expect_all_gone_without(directory);
  }
}

TEST_F(DatasetRemovalTest, TakesTheLinksOfADatasetAndFollowsNone) {
  dataset_.build();
  const testing::TemporaryDirectory elsewhere;
  elsewhere.write("precious", "x");
  fs::create_directory_symlink(elsewhere.path(), data_ + "/c0000/p00/d000/s000777");
  dataset_.mount.write("edagen.data/c0000/p00/d000/.nfs0000000000a10001", "of a removed file");
  EXPECT_TRUE(dataset_.remove());
  EXPECT_FALSE(fs::exists(data_));
  EXPECT_TRUE(fs::exists(elsewhere / "precious"));
  EXPECT_FALSE(dataset_.remove());
}

TEST_F(DatasetRemovalTest, NamesTheFirstOfManyAndHowManyMoreThereAre) {
  dataset_.build();
  for (const char* const name : {"c0001/p01/z", "c0000/p01/d000/b", "c0000/p01/d000/a", "x"})
    dataset_.mount.write(std::string("edagen.data/") + name, "x");
  EXPECT_TRUE(error_of_removal().starts_with(
      data_ + "/c0000/p01/d000/a: was not made by edagen and stays, like 3 more (move it away"))
      << error_of_removal();
}

TEST_F(DatasetRemovalTest, OfOneDatasetThatHasForeignFilesKeepsNoOther) {
  const testing::TemporaryDirectory second;
  const DatasetPlan plan = plan_dataset(dataset_.workload, 2, 2, {0, 1}, 2, dataset_.scale);
  DatasetBuilder builder(plan, {dataset_.place(), {second.path(), "w"}}, false);
  builder.build(2, {}, dataset_.watch, [](const BuildProgress&) {});
  ASSERT_TRUE(fs::exists(second / "edagen.data"));
  dataset_.mount.write("edagen.data/thesis", "x");
  EXPECT_NE(testing::error_of([&] { builder.remove(2, dataset_.watch); }, Error::Kind::run).find("/thesis: was not"),
            std::string::npos);
  EXPECT_TRUE(fs::is_empty(second.path()));
  expect_to_have_left("/thesis");
}

TEST(NameInDataset, OfADirectoryIsOneAboveTheFilesAlone) {
  EXPECT_EQ(name_in_dataset("d001", level_in_proc, level_of_files).kind, Kind::directory);
  EXPECT_EQ(name_in_dataset("d001", level_of_files, level_of_files).kind, Kind::foreign) << "files are deepest here";
  EXPECT_EQ(name_in_dataset("d001", level_of_files, any_depth).kind, Kind::directory);
  EXPECT_EQ(name_in_dataset("f000001", level_in_proc, any_depth).kind, Kind::foreign);
  EXPECT_EQ(name_in_dataset("f000001", level_of_files, any_depth).kind, Kind::file);
}

}  // namespace
}  // namespace edagen
