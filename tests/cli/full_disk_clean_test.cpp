// What makes room on a volume needs none.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

TEST(FullDisk, CleanRemovesADatasetFromAFullVolume) {
  const TemporaryDirectory folder;
  const std::string mount = folder / "disk";
  const SmallDisk disk(mount, 4096);
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  const Outcome run = edagen({"run", "--phase", "functional", "--procs", "1", "--rate", "50", "--warmup", "0s",
                              "--duration", "100ms", "--dataset-scale", "0.0001", "--mount", mount, "--keep-dataset"});
  ASSERT_TRUE(std::filesystem::exists(mount + "/edagen.data/edagen.lock")) << run.err;
  disk.fill();
  const Outcome outcome = edagen({"clean", "--mount", mount});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("dataset removed"), std::string::npos) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(mount + "/edagen.data"));
}

}  // namespace
}  // namespace edagen::testing
