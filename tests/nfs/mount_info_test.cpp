#include "nfs/mount_info.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(MountInfo, LinesOfTheKernelAreRead) {
  const auto mounts = parse_mountinfo(
      "36 35 0:52 / /mnt/my\\040volume rw,noatime shared:1 master:2 - nfs4 server:/export rw,vers=4.1,nconnect=4\n"
      "22 1 254:0 / / rw - ext4 /dev/vda rw\n"
      "garbage\n");
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[0].mount_point, "/mnt/my volume");
  EXPECT_EQ(mounts[0].source, "server:/export");
  EXPECT_EQ(mounts[0].options, "rw,noatime,vers=4.1,nconnect=4") << "rw stands in both lists";
  EXPECT_TRUE(mounts[0].is_nfs());
  EXPECT_FALSE(mounts[1].is_nfs());
  EXPECT_EQ(mounts[1].device, "254:0");
}

TEST(MountInfo, AnOptionThatTheMountAndItsFileSystemHaveStandsThereOnce) {
  const auto options = [](const std::string& mount, const std::string& file_system) {
    return parse_mountinfo("22 1 254:0 / / " + mount + " - ext4 /dev/vda " + file_system + "\n").at(0).options;
  };
  EXPECT_EQ(options("rw,relatime", "rw"), "rw,relatime");
  EXPECT_EQ(options("ro,relatime", "rw,stripe=8"), "ro,relatime,rw,stripe=8") << "a bind mount may be read-only";
  EXPECT_EQ(options("rw", "rw,a=1,a=2"), "rw,a=1,a=2");
}

TEST(MountInfo, ATextThatIsNoMountinfoHoldsNoMounts) {
  for (const char* const text : {"", "\n", "garbage\n", "/dev/vda / ext4 rw 0 0\n",
                                 "Filename\tType\n/swap file 1 2 3\n", "36 35\n", "36 35 0:52"})
    EXPECT_TRUE(parse_mountinfo(text).empty()) << text;
}

TEST(MountInfo, LocksAreLocalWithNolockOrLocalLock) {
  const auto local = [](const std::string& fstype, const std::string& options) {
    return MountInfo{"", "/", fstype, "s:/e", options}.local_locks();
  };
  EXPECT_TRUE(local("nfs", "rw,nolock"));
  EXPECT_TRUE(local("nfs4", "rw,local_lock=all"));
  EXPECT_TRUE(local("nfs", "local_lock=flock,rw"));
  EXPECT_FALSE(local("nfs", "rw,local_lock=none"));
  EXPECT_FALSE(local("nfs", "rw,local_lock=posix"));
  EXPECT_FALSE(local("ext4", "rw,nolock"));
}

std::string refusal(const std::vector<std::string>& directories) {
  try {
    check_mounts(directories);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    return error.what();
  }
  return "";
}

TEST(CheckMounts, ADirectoryIsFoundWithItsFileSystem) {
  const testing::TemporaryDirectory folder;
  const auto mounts = check_mounts({folder.path()});
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_FALSE(mounts[0].info.fstype.empty());
  EXPECT_FALSE(mounts[0].volume.empty());
}

TEST(CheckMounts, WhatCannotBeUsedIsNamed) {
  const testing::TemporaryDirectory folder;
  const std::string file = folder.write("file", "x");
  EXPECT_EQ(refusal({folder / "gone"}), "mount " + (folder / "gone") + ": No such file or directory");
  EXPECT_EQ(refusal({file}), "mount " + file + ": is not a directory");
  std::filesystem::create_directory_symlink(folder.path(), folder / "link");
  EXPECT_EQ(refusal({folder.path(), folder / "link"}),
            "mount " + (folder / "link") + ": is the same directory as " + folder.path());
}

}  // namespace
}  // namespace edagen
