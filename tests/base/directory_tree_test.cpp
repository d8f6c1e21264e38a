#include "base/directory_tree.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <vector>

#include "base/descriptor.hpp"
#include "support/skip.hpp"
#include "support/stall_fs.hpp"

namespace edagen::testing {
namespace {

TEST(DirectoryTree, ADirectoryWhoseFilesWereRemovedWhileTheyWereOpenIsRemoved) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const Descriptor mount(::open(fs.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::mkdirat(mount.get(), "d", 0755), 0);
  std::vector<Descriptor> before;  // FUSE tells of a dozen closed files at a time
  for (int i = 0; i < 40; ++i)
    before.emplace_back(::openat(mount.get(), ("f" + std::to_string(i)).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  Descriptor removed(::openat(mount.get(), "d/f", O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  ASSERT_EQ(::unlinkat(mount.get(), "d/f", 0), 0);
  fs.order("close 200");
  before.clear();
  removed.close();
  EXPECT_TRUE(remove_emptied(mount.get(), "d"));
  fs.order("none");
}

}  // namespace
}  // namespace edagen::testing
