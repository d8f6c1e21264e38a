#include "dataset/dataset_builder.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/error_of.hpp"
#include "support/small_dataset.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;

class DatasetBuilderTest : public ::testing::Test {
 protected:
  std::string refusal(bool reuse) {
    return testing::error_of([&] { dataset_.builder(reuse); });
  }
  /// Every path below the dataset with its size (files) or -1.
  std::map<std::string, std::int64_t> content() const {
    std::map<std::string, std::int64_t> found;
    for (const auto& entry : fs::recursive_directory_iterator(data_))
      if (!entry.path().filename().string().starts_with("edagen."))
        found[entry.path().lexically_relative(data_).string()] =
            entry.is_symlink() || !entry.is_regular_file() ? -1 : static_cast<std::int64_t>(entry.file_size());
    return found;
  }

  testing::SmallDataset dataset_;
  const std::string& data_ = dataset_.data;
};

/// The leader of two hosts, with the first of two clients.
class OneOfTwoHosts final : public BuildTogether {
 public:
  bool leads() const override { return true; }
  bool has(const PlannedProc& proc) const override { return proc.client == 0; }
  std::string leaders(const std::string& id) override { return id; }
  bool all(bool yes) override { return yes; }
};

TEST_F(DatasetBuilderTest, TheProgressOfOneOfSeveralHostsIsOfTheFilesThatItMakes) {
  OneOfTwoHosts together;
  BuildProgress last;
  DatasetBuilder builder(dataset_.plan, {dataset_.place()}, false, &together);
  builder.build(2, {}, dataset_.watch, [&](const BuildProgress& progress) { last = progress; });
  EXPECT_DOUBLE_EQ(last.bytes, dataset_.plan.totals().bytes / 2);
  EXPECT_DOUBLE_EQ(last.share(), 1);
}

TEST_F(DatasetBuilderTest, TheFilesOfThePlanAreMade) {
  const BuildResult result = dataset_.build();
  EXPECT_FALSE(result.reused);
  EXPECT_EQ(result.files_made + 2 * 2 * 2 * initial_links, dataset_.plan.totals().files);
  std::uint64_t files = 0, directories = 0;
  double bytes = 0;
  for (const auto& [path, size] : content()) {
    struct stat info {};
    ::lstat((data_ + "/" + path).c_str(), &info);
    (S_ISDIR(info.st_mode) ? directories : files) += 1;
    if (size > 0 && path.find("/f") != std::string::npos) bytes += static_cast<double>(size);
  }
  EXPECT_EQ(files, dataset_.plan.totals().files);
  EXPECT_EQ(directories, dataset_.plan.totals().directories + 2);  // and one for each client
  EXPECT_DOUBLE_EQ(bytes, dataset_.plan.totals().bytes);
}

TEST_F(DatasetBuilderTest, ACompleteDatasetIsRefusedUnlessItMayBeReused) {
  dataset_.build();
  EXPECT_NE(refusal(false).find("--reuse-dataset"), std::string::npos) << refusal(false);
  EXPECT_EQ(refusal(true), "");
}

TEST_F(DatasetBuilderTest, ReuseRestoresWhatARunHasChangedAndNothingElse) {
  dataset_.build();
  const auto before = content();
  fs::remove(data_ + "/c0000/p00/d000/f000000");
  fs::resize_file(data_ + "/c0000/p01/d001/f000001", 5);
  fs::resize_file(data_ + "/c0001/p00/d002/e000002", 77);
  fs::rename(data_ + "/c0001/p01/d003/e000003", data_ + "/c0001/p01/d001/e009999");
  fs::create_directory(data_ + "/c0001/p01/d001/m000777");
  fs::create_symlink("f000001", data_ + "/c0001/p01/d001/s000777");
  const BuildResult result = dataset_.build(true);
  EXPECT_TRUE(result.reused);
  EXPECT_EQ(result.files_made, 4u);
  EXPECT_EQ(content(), before);
}

TEST_F(DatasetBuilderTest, ReuseMakesAFileWithAHoleAnew) {
  dataset_.build();
  const std::string file = data_ + "/c0000/p00/d000/f000000";
  const std::uintmax_t size = fs::file_size(file);
  fs::resize_file(file, 0);
  fs::resize_file(file, size);
  EXPECT_EQ(dataset_.build(true).files_made, 1u);
  EXPECT_EQ(dataset_.build(true).files_made, 0u);
}

TEST_F(DatasetBuilderTest, AnInterruptedBuildIsGoneOnWith) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(dataset_.build(false, stop.get_token()).interrupted);
  EXPECT_EQ(refusal(false), "");
  EXPECT_TRUE(dataset_.builder().resumes());
  EXPECT_FALSE(dataset_.build().interrupted);
  EXPECT_EQ(refusal(true), "");
}

TEST_F(DatasetBuilderTest, ADatasetOfAnotherShapeIsRefused) {
  dataset_.build();
  dataset_.scale.factor = 0.03;
  dataset_.plan_anew();
  EXPECT_NE(refusal(true).find("holds other files"), std::string::npos);
}

TEST_F(DatasetBuilderTest, AForeignDirectoryIsNeitherUsedNorRemoved) {
  fs::create_directory(data_);
  dataset_.mount.write("edagen.data/precious", "x");
  EXPECT_NE(refusal(true).find("no marker"), std::string::npos);
  EXPECT_THROW(dataset_.remove(), Error);
  EXPECT_TRUE(fs::exists(data_ + "/precious"));
}

TEST_F(DatasetBuilderTest, TooLittleSpaceIsRefusedByHowMuch) {
  dataset_.scale.factor = 1e6;
  dataset_.plan_anew();
  const std::string what = refusal(false);
  EXPECT_NE(what.find("the dataset needs"), std::string::npos) << what;
  EXPECT_NE(what.find("too few"), std::string::npos) << what;
  EXPECT_FALSE(fs::exists(data_));
}

TEST_F(DatasetBuilderTest, ASymlinkInPlaceOfTheDatasetIsNotEntered) {
  const testing::TemporaryDirectory elsewhere;
  fs::create_directory_symlink(elsewhere.path(), data_);
  EXPECT_NE(refusal(true), "");
  EXPECT_THROW(dataset_.remove(), Error);
}

TEST_F(DatasetBuilderTest, AForeignFileAnywhereInADatasetIsNamedAndNothingIsTouched) {
  dataset_.build();
  fs::remove(data_ + "/c0000/p00/d000/f000000");
  const auto expect_refused = [&](const std::string& foreign) {
    const auto with_it = content();
    const bool complete = dataset_.builder(true).reuses();
    const std::string error = testing::error_of([&] { dataset_.build(true); });
    EXPECT_TRUE(error.starts_with(data_ + foreign + ": is not")) << error;
    EXPECT_EQ(content(), with_it);
    EXPECT_EQ(dataset_.builder(true).reuses(), complete) << "its marker is as it was";
  };
  for (const bool complete : {true, false}) {  // reused, or gone on with
    for (const std::string foreign :
         {"/thesis.top", "/c12", "/c0009", "/c0009/thesis", "/c0009/p00/d000/thesis", "/c0000/thesis", "/c0000/p02",
          "/c0000/p01/thesis", "/c0000/p01/f000001", "/c0001/p01/d001/thesis", "/c0001/p01/d001/m000777/f000001",
          "/c0001/p01/d001/d000", "/.nfs-backup", "/c0001/p01/d001/.nfs-backup"}) {
      SCOPED_TRACE(foreign);
      fs::create_directories(fs::path(data_ + foreign).parent_path());
      dataset_.mount.write("edagen.data" + foreign, "years of work");
      expect_refused(foreign);
      fs::remove(data_ + foreign);
      fs::remove_all(data_ + "/c0009");  // no client's
    }
    for (const std::string foreign : {"/c0001/p01/d001/f000777", "/c0001/p01/d001/.nfs2026", "/.nfs2026"}) {
      SCOPED_TRACE(foreign);
      fs::create_directories(data_ + foreign + "/thesis");
      expect_refused(foreign);
      fs::remove_all(data_ + foreign);
    }
    if (!complete) break;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_TRUE(dataset_.build(true, stop.get_token()).interrupted);
    EXPECT_FALSE(dataset_.builder(true).reuses());
  }
  for (const char* const at : {"", "/c0000", "/c0000/p01", "/c0001/p01/d001"})
    dataset_.mount.write(std::string("edagen.data") + at + "/.nfs0000000000000001", "");
  EXPECT_EQ(dataset_.build(true).files_made, 1u) << "what a client has left of an open file that was removed is none";
}

TEST_F(DatasetBuilderTest, DirectoriesOfFilesLieAsDeepAsThePlanSays) {
  for (ProcSpec& kind : dataset_.workload.proc_kinds) kind.dataset.depth = 2;
  dataset_.plan_anew();
  dataset_.build();
  EXPECT_EQ(dataset_.build(true).files_made, 0u);
  for (const std::string foreign : {"/c0000/p00/d000/thesis", "/c0000/p00/d000/d000/d000"}) {
    dataset_.mount.write("edagen.data" + foreign, "years of work");
    EXPECT_THROW(dataset_.build(true), Error);
    EXPECT_TRUE(fs::exists(data_ + foreign));
    fs::remove(data_ + foreign);
  }
}

TEST_F(DatasetBuilderTest, SharedFilesAreMadeOnceWithTheOwnNamesOfEachProcAndRestored) {
  dataset_.workload.proc_kinds[0].shared_files.by = SharedBy::client;
  dataset_.plan_anew();
  dataset_.build();
  const auto made = content();
  EXPECT_EQ(made.count("c0001/p00"), 1u);
  EXPECT_EQ(made.count("c0000/p01"), 0u) << "it works in the directory of the first";
  EXPECT_EQ(
      std::ranges::count_if(made, [&](const auto& entry) { return !fs::is_directory(data_ + "/" + entry.first); }),
      static_cast<std::ptrdiff_t>(dataset_.plan.totals().files));

  const FilePopulation& second = dataset_.plan.procs[1].files;
  const NameWriter names(second.dataset());
  const std::string lost = data_ + "/c0000/p00/" + names.path(second.shared_name({NameClass::empty, 0})),
                    surplus = data_ + "/c0000/p00/" + names.path({NameClass::empty, 123'456'000});
  ASSERT_TRUE(fs::remove(lost));
  std::ofstream(surplus) << "";
  EXPECT_EQ(dataset_.build(true).files_made, 1u);
  EXPECT_EQ(content(), made);
  EXPECT_TRUE(dataset_.remove());
  EXPECT_FALSE(fs::exists(data_));
}

}  // namespace
}  // namespace edagen
