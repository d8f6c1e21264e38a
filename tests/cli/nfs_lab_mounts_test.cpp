// Mount tables as they are in production, on a real NFS client: automounters, stacked mounts, session trunking and
// volumes that others write to.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "support/lab_run.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace edagen::testing {
namespace {

using nlohmann::json;

/// A script in the lab.
Lab lab_with_mounts(const std::string& mounts, const std::string& script) {
  return in_lab({"--mounts", mounts}, {"bash", "-c", script});
}

std::string run_to(const std::string& mount, const std::string& output) {
  return edagen_path() +
         " --phase functional --procs 2 --rate 60 --warmup 500ms --duration 3s --dataset-scale 0.01 --spin off "
         "--progress never -q --mount " +
         mount + " --json " + output;
}

json result_in(const std::string& path) { return json::parse(std::ifstream(path), nullptr, false); }

TEST(NfsLabMounts, AnAutomountedVolumeHasAnNfsViewAndOptionsThatAreTheSameAfterARestart) {
  const TemporaryDirectory folder;
  const auto automounted = [&](const std::string& output) {
    return "python3 " + source_path("tests/cli/automounter.py") + " --nfs 127.0.1.2:/export vers=3,nolock /mnt/auto " +
           run_to("/mnt/auto", output) + " >/dev/null; ";
  };
  const Lab lab = lab_with_mounts("0", "modprobe autofs4; mkdir -p /mnt/auto; " + automounted(folder / "1.json") +
                                           automounted(folder / "2.json") + "true");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json first = result_in(folder / "1.json"), second = result_in(folder / "2.json");
  ASSERT_FALSE(first.is_discarded() || second.is_discarded()) << lab.outcome.err;
  EXPECT_EQ(first["target"]["kind"], "nfs");
  EXPECT_EQ(first["target"]["mounts"][0]["source"], "127.0.1.2:/export");
  EXPECT_GT(first["load_points"][0]["nfs"]["rpcs_per_op"].get<double>(), 0);
  EXPECT_EQ(first["plan"]["mount /mnt/auto"], second["plan"]["mount /mnt/auto"]);
}

TEST(NfsLabMounts, OfTwoMountsOnOneDirectoryTheUpperOneIsMeasured) {
  const TemporaryDirectory folder;
  const std::string mount = "mount -t nfs 127.0.1.1:/export /mnt/s -o vers=3,nosharecache,nolock";
  const Lab lab = lab_with_mounts(
      "0", "mkdir -p /mnt/s; " + mount + "; for i in $(seq 300); do : >/mnt/s/f$i; done; rm -f /mnt/s/f*; " + mount +
               ",noac; " + edagen_path() + " mounts; " + run_to("/mnt/s", folder / "r.json") + " >/dev/null; true");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.out.find("hides 1 mount on the same directory"), std::string::npos)
      << lab.outcome.out << lab.outcome.err;
  const json result = result_in(folder / "r.json");
  ASSERT_FALSE(result.is_discarded()) << lab.outcome.err;
  EXPECT_NE(result["target"]["mounts"][0]["options"].get<std::string>().find("noac"), std::string::npos);
  const json& nfs = result["load_points"][0]["nfs"];
  ASSERT_EQ(nfs["mounts"].size(), 1u);
  EXPECT_GT(nfs["rpcs_per_op"].get<double>(), 2) << "nothing is cached";
}

TEST(NfsLabMounts, SessionTrunkingIsNoFailedNconnect) {
  const Lab lab =
      lab_with_mounts("0", std::string("mkdir -p /mnt/a /mnt/b; for i in 1 2; do mount -t nfs -o "
                                       "vers=4.1,nconnect=2,max_connect=4,nosharecache 127.0.1.$i:/export "
                                       "/mnt/$(echo ab | cut -c $i); done; grep -c xprt: /proc/self/mountstats; ") +
                               edagen_path() + " mounts");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_TRUE(lab.outcome.out.starts_with("6\n"))
      << "2 connections to the first address and 1 to the second: " << lab.outcome.out;
  EXPECT_EQ(lab.outcome.out.find("was asked for"), std::string::npos) << lab.outcome.out;
}

/// The bytes of each dataset that is planned.
std::vector<double> planned_sizes(const std::string& text) {
  static const std::regex size(R"(  dataset .*? ([0-9.]+) ([KMG])iB)");
  std::vector<double> all;
  for (std::sregex_iterator at(text.begin(), text.end(), size), end; at != end; ++at)
    all.push_back(std::stod((*at)[1]) * ((*at)[2] == "K" ? 1 : (*at)[2] == "M" ? 1024 : 1024 * 1024));
  return all;
}

TEST(NfsLabMounts, TheDatasetOfTenMountsOfOneVolumeIsTheSameWhileOthersWriteToIt) {
  std::string directories;
  for (int i = 0; i < 10; ++i) directories += " --mount /mnt/nfs" + std::to_string(i);
  const std::string plan =
      edagen_path() + " --phase mixed --clients 10 --dry-run" + directories + " | grep '^  dataset '; ";
  const Lab lab =
      lab_with_mounts("10", plan + "(while :; do head -c 8M /dev/zero >>/mnt/export/x; : >/mnt/export/x; done) & " +
                                plan + plan + plan + plan + "kill $!");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const std::vector<double> sizes = planned_sizes(lab.outcome.out);
  ASSERT_EQ(sizes.size(), 5u) << lab.outcome.out << lab.outcome.err;
  for (const double busy : sizes) EXPECT_NEAR(busy / sizes.front(), 1, 0.3) << lab.outcome.out;
}

}  // namespace
}  // namespace edagen::testing

#endif
