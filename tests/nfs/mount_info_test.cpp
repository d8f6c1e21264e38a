#include "nfs/mount_info.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"
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

TEST(MountInfo, LocksAreLocalWithNolockOrLocalLockAndOnFileSystemsThatKeepThemInTheKernel) {
  const auto local = [](const std::string& fstype, const std::string& options) {
    return MountInfo{"", "/", fstype, "s:/e", options}.local_locks();
  };
  EXPECT_TRUE(local("nfs", "rw,nolock"));
  EXPECT_TRUE(local("nfs4", "rw,local_lock=all"));
  EXPECT_TRUE(local("nfs", "local_lock=flock,rw"));
  EXPECT_FALSE(local("nfs", "rw,local_lock=none"));
  EXPECT_FALSE(local("nfs", "rw,local_lock=posix"));
  EXPECT_FALSE(local("ext4", "rw,nolock"));
  for (const char* const fstype : {"fuse.sshfs", "fuse", "virtiofs", "9p"}) EXPECT_TRUE(local(fstype, "rw")) << fstype;
}

/// The source of the mount that `path` leads to in a mount table.
std::string source_at(const std::string& path, const std::string& table) {
  const std::vector<MountInfo> mounts = parse_mountinfo(table);
  const MountInfo* const found = mount_at(path, mounts);
  return found == nullptr ? "none" : found->source;
}

const std::string root_mount = "22 1 254:0 / / rw - ext4 /dev/vda rw\n";

TEST(MountAt, APathLiesOnTheMountNearestToIt) {
  const std::string table = root_mount + "30 22 0:50 / /mnt rw - nfs s:/mnt rw\n31 30 0:51 / /mnt/a rw - nfs s:/a rw\n";
  EXPECT_EQ(source_at("/", table), "/dev/vda");
  EXPECT_EQ(source_at("/mntx/a", table), "/dev/vda");
  EXPECT_EQ(source_at("/mnt", table), "s:/mnt");
  EXPECT_EQ(source_at("/mnt/ab", table), "s:/mnt");
  EXPECT_EQ(source_at("/mnt/a/b", table), "s:/a");
}

TEST(MountAt, OfMountsStackedOnOneDirectoryTheUppermostCounts) {
  EXPECT_EQ(source_at("/mnt/a/b", root_mount + "30 22 0:50 / /mnt/a rw - nfs s:/first rw\n"
                                               "31 30 0:51 / /mnt/a rw - nfs s:/second rw\n"
                                               "32 31 0:52 / /mnt/a rw - nfs s:/third rw\n"),
            "s:/third");
  // A mount that was put beneath another one (MOVE_MOUNT_BENEATH) stands after it in the table.
  EXPECT_EQ(source_at("/mnt/a", root_mount + "30 31 0:50 / /mnt/a rw - nfs s:/upper rw\n"
                                             "31 22 0:51 / /mnt/a rw - nfs s:/beneath rw\n"),
            "s:/upper");
  EXPECT_EQ(source_at("/mnt/a", root_mount + "30 22 0:45 / /mnt/a rw - autofs systemd-1 rw,fd=4,pgrp=1\n"
                                             "31 30 0:50 / /mnt/a rw - nfs s:/automounted rw\n"),
            "s:/automounted");
}

TEST(MountAt, AMountFurtherUpHidesThoseThatWereThereBefore) {
  const std::string table =
      root_mount + "30 22 0:50 / /mnt/a rw - nfs s:/hidden rw\n31 22 0:51 / /mnt rw - nfs s:/above rw\n";
  EXPECT_EQ(source_at("/mnt/a", table), "s:/above");
  EXPECT_EQ(source_at("/mnt/a", table + "32 31 0:52 / /mnt/a rw - nfs s:/mounted-again rw\n"), "s:/mounted-again");
}

TEST(MountAt, ATableWithoutTheRootOrWithOddIdsStillLeadsToTheNearestMount) {
  EXPECT_EQ(source_at("/mnt/a", "36 35 0:52 / /mnt/a rw - nfs s:/a rw\n"), "s:/a") << "in a changed root directory";
  EXPECT_EQ(source_at("/mnt/b", "36 35 0:52 / /mnt/a rw - nfs s:/a rw\n"), "none");
  EXPECT_EQ(source_at("/", "1 1 0:2 / / rw - rootfs rootfs rw\n22 1 254:0 / / rw - ext4 /dev/vda rw\n"), "/dev/vda");
  source_at("/", "1 2 0:1 / / rw - ext4 a rw\n2 1 0:2 / / rw - ext4 b rw\n");  // ends
  source_at("/", "1 9 0:1 / / rw - ext4 a rw\n2 1 0:2 / / rw - ext4 b rw\n1 2 0:3 / / rw - ext4 c rw\n");
}

TEST(NfsVolumes, OneFileSystemOfTheServerIsOneVolumeByWhateverAddressPathAndSizeItIsSeen) {
  const NfsFsids fsids = parse_nfs_volumes(
      "NV SERVER   PORT DEV          FSID                              FSC\n"
      "v3 c0000201  801 0:50         1f2e3d4c5b6a7988:0                no \n"
      "v3 c0000202  801 0:51         1f2e3d4c5b6a7988:0                no \n"
      "v4 fd00000000000000000000000000000a  801 0:52         77:1                              yes\n"
      "v4 c0000203\n");
  EXPECT_EQ(fsids.size(), 3u);
  const auto volume = [&](const char* device, const char* source) {
    return volume_of(MountInfo{device, "/mnt", "nfs", source, "rw"}, fsids);
  };
  EXPECT_EQ(volume("0:50", "192.0.2.1:/vol"), volume("0:51", "192.0.2.2:/vol/project"));
  EXPECT_NE(volume("0:50", "192.0.2.1:/vol"), volume("0:52", "[fd00::a]:/vol")) << "two filers with one path";
}

TEST(NfsVolumes, WithoutTheServersIdMountsOfOnePathAreOneVolume) {
  const auto volume = [](const char* device, const char* fstype, const char* source) {
    return volume_of(MountInfo{device, "/mnt", fstype, source, "rw"}, {});
  };
  EXPECT_EQ(volume("0:50", "nfs", "192.0.2.1:/vol"), volume("0:51", "nfs4", "[fd00::1:2]:/vol"));
  EXPECT_EQ(volume("0:50", "nfs", "a:/v:1"), volume("0:51", "nfs", "b:/v:1")) << "a path with a colon";
  EXPECT_EQ(space_of(volume("0:50", "nfs", "a:/v/1")), space_of(volume("0:50", "nfs", "a:/v/2"))) << "bind mounts";
  EXPECT_NE(space_of(volume("254:0", "ext4", "/dev/vda")), space_of(volume("254:1", "ext4", "/dev/vda")));
  EXPECT_NE(volume("0:50", "nfs", "a:/v:1"), volume("0:51", "nfs", "a:/w:1"));
  EXPECT_NE(volume("254:0", "ext4", "/dev/vda"), volume("254:1", "ext4", "/dev/vda"));
  EXPECT_EQ(export_server("[fd00::1]:/vol"), "[fd00::1]");
  EXPECT_EQ(export_server("filer:/v:/w"), "filer");
}

std::string refusal(const std::vector<std::string>& directories) {
  return testing::error_of([&] { check_mounts(directories); });
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
