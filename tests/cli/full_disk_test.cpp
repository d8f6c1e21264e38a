// Volumes and files that have no room.
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/stall_fs.hpp"
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

TEST(FullDisk, AnOutputOfTwoNamesOnAServerThatRefusesItWhenItIsClosedIsNamed) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const std::filesystem::path source = std::filesystem::path(fs.path()).parent_path() / "source";
  std::ofstream(source / "r.json") << "{}";
  std::filesystem::create_hard_link(source / "r.json", source / "other.json");
  fs.order("fail " + std::to_string(ENOSPC) +
           " flush");  // as NFS: what is in the page cache has been taken by write(2)
  const Outcome outcome = edagen({"--phase", "functional", "--target", "sim:mm1", "--rate", "300", "--warmup", "0s",
                                  "--duration", "10s", "--json", fs.path() + "/r.json"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("/r.json: No space left on device"), std::string::npos) << outcome.err;
}

TEST(FullDisk, BeyondTheLimitOfFileSizesEachCommandNamesTheOutputThatItCannotWrite) {
  const TemporaryDirectory here;
  for (const char* const seed : {"1", "2"})
    edagen({"--phase", "functional", "--target", "sim:mm1", "--rate", "300", "--warmup", "0s", "--duration", "10s",
            "--seed", seed, "--json", here / std::string(seed) + ".json"});
  const std::string config =
      here.write("n.json",
                 R"({"schema": "edagen.nightly/1", "history": "h", "max_runs": 1, "measurements": [{"name": "m", "run":
      ["run", "--phase", "functional", "--target", "sim:mm1", "--rate", "300", "--duration", "10s"]}]})");
  edagen({"nightly", "--config", config});
  here.write("j.fio", "[a]\nrw=randread\nbs=4k\nsize=1m\n");
  for (const char* const words :
       {"report 1.json --html x", "report 1.json --csv x", "check 1.json 2.json --json x",
        "check --history h --junit x", "history h --html x", "workloads import-fio j.fio --output x"}) {
    const std::string command =
        "cd " + here.path() + "; set -o pipefail; (ulimit -f 0; exec " + edagen_path() + " " + words + ") 2>&1 | cat";
    const Outcome outcome = Program({"bash", "-c", command}).wait();
    EXPECT_EQ(outcome.status, 1) << words << outcome.out;
    EXPECT_NE(outcome.out.find(" x: File too large"), std::string::npos) << words << "\n" << outcome.out;
  }
}

}  // namespace
}  // namespace edagen::testing
