// Nothing that is not the dataset's is used, changed or removed, whatever stands in its place.
#include "dataset/dataset_root.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

#include "dataset/dataset_removal.hpp"
#include "support/bind_mount.hpp"
#include "support/error_of.hpp"
#include "support/skip.hpp"
#include "support/small_dataset.hpp"
#include "support/stall_fs.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::error_of;
using testing::text_of;

class DatasetRootTest : public ::testing::Test {
 protected:
  DatasetRootTest() { foreign_.write("thesis.txt", "years of work"); }
  void TearDown() override { EXPECT_EQ(text_of(foreign_ / "thesis.txt"), "years of work"); }

  /// Neither used nor removed, with this as the reason.
  void expect_refused(const std::string& why) {
    EXPECT_NE(error_of([&] { dataset_.build(true); }).find(why), std::string::npos)
        << error_of([&] { dataset_.build(true); });
    EXPECT_NE(error_of([&] { dataset_.remove(); }).find(why), std::string::npos)
        << error_of([&] { dataset_.remove(); });
  }
  std::string marker() const { return dataset_.data + "/edagen.dataset.json"; }

  testing::TemporaryDirectory foreign_;
  testing::SmallDataset dataset_;
  ForeignLeft left_;
};

TEST_F(DatasetRootTest, ADatasetOfAnotherUserIsNeitherUsedNorRemoved) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can give files away");
  dataset_.build();
  ASSERT_EQ(::chown(dataset_.data.c_str(), 65534, 65534), 0);
  expect_refused("belongs to user 65534, not to user 0");
  EXPECT_TRUE(fs::exists(dataset_.data + "/c0001/p01"));
}

TEST_F(DatasetRootTest, AnEmptyDirectoryOfAnotherUserIsNotUsed) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can give files away");
  fs::create_directory(dataset_.data);
  ASSERT_EQ(::chown(dataset_.data.c_str(), 65534, 65534), 0);
  expect_refused("belongs to user 65534");
  EXPECT_TRUE(fs::is_empty(dataset_.data));
}

TEST_F(DatasetRootTest, AMarkerOfAnotherUserIsNotBelieved) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can give files away");
  dataset_.build();
  ASSERT_EQ(::chown(marker().c_str(), 65534, 65534), 0);
  expect_refused("edagen.dataset.json: belongs to user 65534");
}

TEST_F(DatasetRootTest, ADatasetThatOthersMayWriteIsNeitherUsedNorRemoved) {
  dataset_.build();
  ::chmod(dataset_.data.c_str(), 0777);
  expect_refused("may be written by others (mode 0777)");
  ::chmod(dataset_.data.c_str(), 0755);
  ::chmod(marker().c_str(), 0664);
  expect_refused("may be written by others (mode 0664)");
}

TEST_F(DatasetRootTest, ADirectoryInsideThatOthersMayWriteIsNotUsed) {
  dataset_.build();
  ::chmod((dataset_.data + "/c0000/p00/d001").c_str(), 0777);
  EXPECT_NE(error_of([&] { dataset_.build(true); }, Error::Kind::run).find("d001: may be written by others"),
            std::string::npos);
}

TEST_F(DatasetRootTest, ADirectoryOfAClientOrAProcThatOthersMayWriteIsNotUsed) {
  dataset_.build();
  for (const char* const name : {"/c0000", "/c0001", "/c0000/p00", "/c0001/p01"}) {
    for (const mode_t mode : {0777, 0775}) {
      ::chmod((dataset_.data + name).c_str(), mode);
      const std::string what = error_of([&] { dataset_.build(true); }, Error::Kind::run);
      EXPECT_NE(what.find(std::string(name) + ": may be written by others"), std::string::npos) << what;
    }
    ::chmod((dataset_.data + name).c_str(), 0755);
  }
  EXPECT_EQ(error_of([&] { dataset_.build(true); }), "");
}

TEST_F(DatasetRootTest, ADirectoryOfAClientOrAProcOfAnotherUserIsNotUsed) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can give files away");
  dataset_.build();
  for (const char* const name : {"/c0000", "/c0001/p00", "/c0000/p00/d000"}) {
    ASSERT_EQ(::chown((dataset_.data + name).c_str(), 65534, 65534), 0);
    const std::string what = error_of([&] { dataset_.build(true); }, Error::Kind::run);
    EXPECT_NE(what.find(std::string(name) + ": belongs to user 65534"), std::string::npos) << what;
    ASSERT_EQ(::chown((dataset_.data + name).c_str(), 0, 0), 0);
  }
}

TEST_F(DatasetRootTest, WhatIsNoMarkerIsRefusedAndNeverWaitedFor) {
  dataset_.build();
  const std::string good = text_of(marker());
  const auto with = [&](const std::function<void()>& make, const std::string& why) {
    SCOPED_TRACE(why);
    fs::remove(marker());
    make();
    expect_refused(why);
  };
  with([&] { fs::create_symlink(foreign_ / "thesis.txt", marker()); }, "is a symbolic link");
  with([&] { ::mkfifo(marker().c_str(), 0644); }, "is not a regular file");
  with([&] { fs::create_directory(marker()); }, "is not a regular file");
  with([&] { fs::create_hard_link(foreign_ / "thesis.txt", marker()); }, "has another name");
  for (const std::string& text :
       {std::string(), std::string("5"), std::string("{\"schema\":5,\"id\":[]}"),
        std::string("{\"schema\":\"edagen.dataset/1\",\"id\":{},\"fingerprint\":1}"), std::string(60'000, '['),
        std::string(1'000'000, ' ') + good, "{\"a\":" + std::string(9'000, '[') + "}"})
    with([&] { dataset_.mount.write("edagen.data/edagen.dataset.json", text); }, "is not a marker of edagen's");
  fs::remove(marker());
  dataset_.mount.write("edagen.data/edagen.dataset.json", good);
  EXPECT_TRUE(dataset_.remove());
}

TEST_F(DatasetRootTest, ADirectoryThatAppearsAfterTheCheckIsLeftAlone) {
  DatasetBuilder builder = dataset_.builder();
  fs::create_directory(dataset_.data);
  dataset_.mount.write("edagen.data/precious", "x");
  EXPECT_NE(error_of([&] { dataset_.build(builder); }).find("is not empty and has no marker"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(dataset_.data), {}), 1) << "precious alone, and no lock";
}

TEST_F(DatasetRootTest, ADatasetWhoseMarkerHasGoneGetsNoNewFile) {
  dataset_.build();
  DatasetBuilder builder = dataset_.builder(true);
  for (const char* const name : {"/edagen.dataset.json", "/edagen.lock"}) fs::remove(dataset_.data + name);
  EXPECT_NE(error_of([&] { dataset_.build(builder); }), "");
  EXPECT_NE(error_of([&] { builder.roots().front().remove(2, dataset_.watch, left_); }), "");
  EXPECT_FALSE(fs::exists(dataset_.data + "/edagen.lock"));
}

TEST_F(DatasetRootTest, ALockCanBeOpenedByItsUserAloneAlsoOneOfAnEarlierVersion) {
  const auto mode = [&] { return fs::status(dataset_.data + "/edagen.lock").permissions(); };
  dataset_.build();
  EXPECT_EQ(mode(), fs::perms(0600));
  ::chmod((dataset_.data + "/edagen.lock").c_str(), 0644);
  dataset_.build(true);
  EXPECT_EQ(mode(), fs::perms(0600));
}

TEST_F(DatasetRootTest, ADatasetThatAppearsAfterTheCheckIsLeftAlone) {
  DatasetBuilder builder = dataset_.builder();
  dataset_.build();
  const std::string before = text_of(marker());
  EXPECT_NE(error_of([&] { dataset_.build(builder); }).find("has been replaced or changed"), std::string::npos);
  EXPECT_EQ(text_of(marker()), before);
}

TEST_F(DatasetRootTest, WhatTakesThePlaceOfAnOpenDatasetIsNotTouched) {
  dataset_.build();
  DatasetBuilder builder = dataset_.builder(true);
  fs::rename(dataset_.data, dataset_.mount / "moved");
  fs::create_directory(dataset_.data);
  dataset_.mount.write("edagen.data/precious", "x");
  dataset_.build(builder);  // in the one that was checked
  EXPECT_EQ(text_of(dataset_.data + "/precious"), "x");
  const std::string what =
      error_of([&] { builder.roots().front().remove(2, dataset_.watch, left_); }, Error::Kind::run);
  EXPECT_NE(what.find("was moved"), std::string::npos) << what;
  EXPECT_EQ(text_of(dataset_.data + "/precious"), "x");
  EXPECT_TRUE(fs::is_empty(dataset_.mount / "moved"));
}

TEST_F(DatasetRootTest, ADatasetWhoseIdHasChangedIsNotRemoved) {
  dataset_.build();
  DatasetBuilder builder = dataset_.builder(true);
  dataset_.build(builder);
  const std::string text = text_of(marker());
  const auto at = text.find("\"id\": \"") + 7;
  fs::remove(marker());
  dataset_.mount.write("edagen.data/edagen.dataset.json", text.substr(0, at) + "other" + text.substr(at + 5));
  const std::string what =
      error_of([&] { builder.roots().front().remove(2, dataset_.watch, left_); }, Error::Kind::run);
  EXPECT_NE(what.find("another dataset by now"), std::string::npos) << what;
  EXPECT_TRUE(fs::exists(dataset_.data + "/c0001/p01"));
}

TEST_F(DatasetRootTest, ADatasetWhoseLockAnotherProcessHasTakenIsNotRemoved) {
  dataset_.build();
  DatasetBuilder builder = dataset_.builder(true);
  dataset_.build(builder);
  dataset_.mount.write("edagen.data/edagen.lock",
                       R"({"host": "elsewhere", "boot": "b", "since": "s", "pid": 1, "started": 1})");
  const std::string what =
      error_of([&] { builder.roots().front().remove(2, dataset_.watch, left_); }, Error::Kind::run);
  EXPECT_NE(what.find("is used by process 1 on elsewhere"), std::string::npos) << what;
  EXPECT_TRUE(fs::exists(dataset_.data + "/c0001/p01"));
}

TEST_F(DatasetRootTest, ABindMountInsideIsNotEmptied) {
  dataset_.build();
  for (const char* const at : {"/c0000/p00/d000/m000777", "/c0000/p00", "/c0000"}) {
    SCOPED_TRACE(at);
    fs::create_directory(dataset_.data + at);
    const testing::BindMount bound(foreign_.path(), dataset_.data + at);
    if (!bound.mounted()) EDAGEN_SKIP("mounting is not allowed");
    const std::string what = error_of([&] { dataset_.remove(); }, Error::Kind::run);
    EXPECT_NE(what.find("has something else mounted on it"), std::string::npos) << what;
    EXPECT_TRUE(fs::exists(foreign_ / "thesis.txt"));
    fs::create_directories(dataset_.data + "/c0000/p00/d000");
  }
  EXPECT_TRUE(dataset_.remove());
}

TEST_F(DatasetRootTest, ABindMountInsideIsNotBuiltInto) {
  dataset_.build();
  const testing::BindMount bound(foreign_.path(), dataset_.data + "/c0000/p00");
  if (!bound.mounted()) EDAGEN_SKIP("mounting is not allowed");
  const std::string what = error_of([&] { dataset_.build(true); });
  EXPECT_NE(what.find("has something else mounted on it"), std::string::npos) << what;
  EXPECT_EQ(std::distance(fs::directory_iterator(foreign_.path()), {}), 1);
}

TEST_F(DatasetRootTest, LinksInThePlaceOfDirectoriesAreNotFollowed) {
  dataset_.build();
  for (const char* const at : {"/c0000", "/c0001/p00", "/c0001/p01/d001"}) {
    SCOPED_TRACE(at);
    fs::create_directories(foreign_ / "p00/d000");
    fs::remove_all(dataset_.data + at);
    fs::create_directory_symlink(foreign_.path(), dataset_.data + at);
    EXPECT_NE(error_of([&] { dataset_.build(true); }).find("symbolic link"), std::string::npos);
    EXPECT_TRUE(fs::is_empty(foreign_ / "p00/d000"));
    fs::remove(dataset_.data + at);
    dataset_.build(true);
  }
}

TEST_F(DatasetRootTest, AFileWithANameElsewhereIsMadeAnewAndTheOtherOneKept) {
  dataset_.build();
  const std::string file = dataset_.data + "/c0000/p00/d000/f000000";
  fs::resize_file(foreign_ / "thesis.txt", fs::file_size(file));
  const std::string before = text_of(foreign_ / "thesis.txt");
  fs::remove(file);
  fs::create_hard_link(foreign_ / "thesis.txt", file);
  EXPECT_EQ(dataset_.build(true).files_made, 1u) << "and the dataset's own hard links are no reason";
  EXPECT_EQ(fs::hard_link_count(file), 2u);  // with the dataset's own link
  EXPECT_EQ(text_of(foreign_ / "thesis.txt"), before);
  fs::resize_file(foreign_ / "thesis.txt", 13);
}

TEST_F(DatasetRootTest, ALinkInThePlaceOfANewMarkerIsNotWrittenTo) {
  dataset_.build();
  fs::create_hard_link(foreign_ / "thesis.txt", dataset_.data + "/edagen.dataset.json.new");
  dataset_.build(true);
  EXPECT_EQ(fs::hard_link_count(foreign_ / "thesis.txt"), 1u);
}

TEST_F(DatasetRootTest, WhatAKilledRunHasLeftIsBuiltOnOrRemoved) {
  const auto leave = [&](const std::vector<std::string>& names) {
    fs::create_directory(dataset_.data);
    for (const std::string& name : names) dataset_.mount.write("edagen.data/" + name, "{");
  };
  const std::vector<std::vector<std::string>> all = {
      {}, {"edagen.lock"}, {"edagen.lock", "edagen.dataset.json.new"}, {"edagen.dataset.json.new"}};
  for (const auto& names : all) {
    leave(names);
    EXPECT_TRUE(dataset_.remove());
    EXPECT_FALSE(fs::exists(dataset_.data));
    leave(names);
    EXPECT_FALSE(dataset_.build().reused);
    EXPECT_TRUE(dataset_.remove());
  }
}

TEST_F(DatasetRootTest, ADirectoryThatCannotBeListedIsNotTakenForAnEmptyOne) {
  const testing::StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs::create_directory(fs.path() + "/edagen.data");
  std::ofstream(fs.path() + "/edagen.data/precious") << "x";
  fs.order("fail 5 readdir");
  const DatasetPlace place{fs.path(), "v"};
  const auto use = [&] {
    DatasetBuilder(dataset_.plan, {place}, false).build(1, {}, dataset_.watch, [](const BuildProgress&) {});
  };
  EXPECT_NE(error_of(use, Error::Kind::run).find("cannot be listed: Input/output error"), std::string::npos);
  EXPECT_NE(error_of([&] { remove_dataset(place, 1, dataset_.watch); }, Error::Kind::run).find("cannot be listed"),
            std::string::npos);
  fs.order("none");
  EXPECT_TRUE(fs::exists(fs.path() + "/edagen.data/precious"));
}

TEST_F(DatasetRootTest, ADatasetThatCannotBeListedKeepsItsMarker) {
  const testing::StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  dataset_.workload = load_workload("eda_functional");  // without links, which it does not have
  dataset_.plan_anew();
  const DatasetPlace place{fs.path(), "v"};
  DatasetBuilder(dataset_.plan, {place}, false).build(2, {}, dataset_.watch, [](const BuildProgress&) {});
  fs.order("fail 5 readdir");
  EXPECT_NE(error_of([&] { remove_dataset(place, 1, dataset_.watch); }, Error::Kind::run).find("cannot be listed"),
            std::string::npos);
  fs.order("none");
  EXPECT_TRUE(fs::exists(fs.path() + "/edagen.data/edagen.dataset.json"));
  EXPECT_TRUE(remove_dataset(place, 1, dataset_.watch));
}

TEST_F(DatasetRootTest, SeveralMountsOfOneDirectoryAreOneDataset) {
  const testing::TemporaryDirectory again;
  const testing::BindMount bound(dataset_.mount.path(), again.path());
  if (!bound.mounted()) EDAGEN_SKIP("mounting is not allowed");
  DatasetPlan plan = plan_dataset(dataset_.workload, 2, 2, {0, 1}, 1, dataset_.scale);
  DatasetBuilder builder(plan, {dataset_.place(), {again.path(), "v"}}, false);
  builder.build(2, {}, dataset_.watch, [](const BuildProgress&) {});
  EXPECT_TRUE(fs::exists(dataset_.data + "/c0000/p01"));
  EXPECT_TRUE(fs::exists(dataset_.data + "/c0001/p01"));
  for (DatasetRoot& root : builder.roots()) root.remove(2, dataset_.watch, left_);
  EXPECT_FALSE(fs::exists(dataset_.data));
}

}  // namespace
}  // namespace edagen
