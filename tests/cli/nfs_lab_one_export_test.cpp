// Several mounts of one NFS export, each an NFS client of its own that caches what the others change.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace edagen::testing {
namespace {

using nlohmann::json;

/// A script in the lab, with four mounts of one export and caches that last.
Outcome lab_with_long_caches(const std::string& script) {
  return Program({source_path("scripts/nfs-lab"), "--mounts", "4", "--options", "vers=3,nocto,actimeo=600", "--",
                  "bash", "-c", script},
                 {{"EDAGEN_BINARY", edagen_path()}})
      .wait();
}

std::string run_of(const std::string& options) {
  return edagen_path() +
         " --clients 4 --procs 2 --rate 60 --warmup 500ms --duration 2s --progress never "
         "--mount /mnt/nfs0 --mount /mnt/nfs1 --mount /mnt/nfs2 --mount /mnt/nfs3 " +
         options;
}

bool lab_started(const Outcome& lab) { return lab.err.find("nfs-lab did not start") == std::string::npos; }

TEST(NfsLabOneExport, TheDatasetIsRemovedThoughEachMountCachesWhatTheOthersHaveReplaced) {
  // Without its pages, a client must read the marker again.
  const Outcome lab = lab_with_long_caches(
      run_of("--phase functional --dataset-scale 0.01 --before-point 'echo 1 >/proc/sys/vm/drop_caches'") +
      " >/dev/null; ls -A /mnt/export; echo left; " + run_of("--phase functional --dataset-scale 0.01 --keep-dataset") +
      " >/dev/null; " + "echo 1 >/proc/sys/vm/drop_caches; " + edagen_path() +
      " clean --mount /mnt/nfs1 --mount /mnt/nfs0 --mount /mnt/nfs2; ls -A /mnt/export");
  if (!lab_started(lab)) EDAGEN_SKIP("the NFS lab does not start: " << lab.err);
  EXPECT_EQ(lab.err.find("Stale"), std::string::npos) << lab.err;
  EXPECT_EQ(lab.err.find("by somebody else"), std::string::npos) << lab.err;
  EXPECT_EQ(lab.out.find("left\n"), 0u) << lab.out;
  EXPECT_EQ(lab.out.find("edagen.data\n"), std::string::npos) << lab.out;
}

TEST(NfsLabOneExport, ProcsOfFourClientsShareFilesThatTheyReplace) {
  const TemporaryDirectory folder;
  folder.write("w.json", R"({"schema": "edagen.workload/1", "extends": "eda_functional", "name": "shared",
                             "shared_files": "all", "unlink_nonempty_percent": 50})");
  const Outcome lab = lab_with_long_caches(run_of("--workload " + (folder / "w.json") + " --dataset-scale 0.1") +
                                           " -q --json " + (folder / "r.json") + " >/dev/null; ls -A /mnt/export");
  if (!lab_started(lab)) EDAGEN_SKIP("the NFS lab does not start: " << lab.err);
  const json result = json::parse(std::ifstream(folder / "r.json"), nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << lab.err;
  EXPECT_EQ(result["load_points"][0]["errors"], json::object());
  EXPECT_EQ(result["dataset"]["files"], 120 + 8 * 120) << "one set of data files, and empty files of each proc";
  EXPECT_EQ(lab.out, "");
}

}  // namespace
}  // namespace edagen::testing

#endif
