// The program on real NFS mounts, in the throwaway Linux of scripts/nfs-lab. Asserts on RPC counts, which are exact on
// any machine, never on time. Sanitizers' memory maps do not fit into that Linux: plain builds only.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/document_schema.hpp"
#include "support/lab_run.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace edagen::testing {
namespace {

using nlohmann::json;

/// The functional phase for 3 s on NFS; the counters of the window.
Lab functional(const std::string& options, const std::string& mounts = "2") {
  return in_lab({"--mounts", mounts, "--options", options},
                {"edagen", "--phase", "functional", "--clients", mounts, "--procs", "3", "--rate", "150", "--warmup",
                 "1s", "--duration", "3s", "--dataset-scale", "0.02", "--json", "-"});
}

json nfs_of(const Lab& lab) {
  const json result = json::parse(lab.outcome.out, nullptr, false);
  if (result.is_discarded()) {
    ADD_FAILURE() << lab.outcome.err;
    return {};
  }
  EXPECT_NO_THROW(check_document<Result>(result));
  EXPECT_EQ(result["target"]["kind"], "nfs");
  EXPECT_TRUE(result["load_points"][0]["errors"].empty());
  return result["load_points"][0]["nfs"];
}

double rpcs(const json& nfs, const char* kind) {
  double count = 0;
  for (const json& mount : nfs["mounts"])
    if (mount["rpcs"].contains(kind)) count += mount["rpcs"][kind]["requests"].get<double>();
  return count;
}

TEST(NfsLab, StartsOnAProcessorWithAmxAndOnlyWithItsLibrary) {
  const TemporaryDirectory folder;  // where the console is kept
  const std::string refused = "nfs-lab did not start: userspace - ptrace set fp regs failed, errno = 14\n";
  const Lab bare = in_lab({}, {"true"}, {{"CXX", "false"}, {"TMPDIR", folder.path()}});
  if (!bare.started() && bare.outcome.err.find(refused) == std::string::npos)
    EDAGEN_SKIP("User-Mode Linux does not run here: " << bare.outcome.err);

  // It runs here, or would but for AMX, so that from here on nothing but the library can keep it from starting.
  const std::string compiler = "c++ -include " + source_path("tests/fakes/amx_kernel.hpp");
  const Lab unrepaired = in_lab({}, {"true"}, {{"CXX", compiler + " -DUNREPAIRED"}, {"TMPDIR", folder.path()}});
  EXPECT_TRUE(unrepaired.outcome.err.starts_with(refused)) << unrepaired.outcome.err;
  const Lab repaired = in_lab({}, {"cat", "/proc/mounts"}, {{"CXX", compiler}, {"TMPDIR", folder.path()}});
  EXPECT_EQ(repaired.outcome.status, 0) << repaired.outcome.err;
  EXPECT_NE(repaired.outcome.out.find(" /mnt/nfs0 nfs "), std::string::npos) << repaired.outcome.out;
}

TEST(NfsLab, FilesWithRelativePathsStayWhereTheLabWasStarted) {
  const TemporaryDirectory folder;
  const std::string there = "cd '" + folder.path() + "' && '" + source_path("scripts/nfs-lab") + "' --mounts ";
  const Lab lab = {Program({"bash", "-c", there + "0 -- bash -c 'pwd; echo kept > kept.txt'"}).wait()};
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.out, std::filesystem::canonical(folder.path()).string() + "\n") << lab.outcome.err;
  EXPECT_TRUE(std::filesystem::exists(folder / "kept.txt"));
}

TEST(NfsLab, EdagenHasTheLabsMountsWhereverACommandRunsIt) {
  const Lab lab = {Program({source_path("scripts/nfs-lab"), "--mounts", "2", "--", "bash", "-c",
                            "edagen --phase functional --clients 2 --dry-run; edagen clean"},
                           {{"EDAGEN_BINARY", edagen_path()}})
                       .wait()};
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  for (const char* const mount : {"/mnt/nfs0", "/mnt/nfs1"})
    EXPECT_NE(lab.outcome.out.find(mount), std::string::npos) << lab.outcome.out << lab.outcome.err;
}

TEST(NfsLab, OnePathServesBothVersionsWithLocksAtOnceAndTransfersOfAMebibyte) {
  const std::string mounts =
      "for v in 3 4.1; do mkdir /mnt/v$v; mount -t nfs 127.0.1.1:/export /mnt/v$v -o vers=$v,nosharecache; "
      "echo $v > /mnt/v$v/file; timeout 45 flock /mnt/v$v/file echo locked; "
      "grep -c \"/mnt/v$v .*rsize=1048576,wsize=1048576\" /proc/mounts; done; cat /mnt/v3/file";
  const Lab lab = in_lab({"--mounts", "0"}, {"bash", "-c", mounts});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.out, "locked\n1\nlocked\n1\n4.1\n") << lab.outcome.err;
}

TEST(NfsLab, NoctoAndALongActimeoSaveNearlyAllGetattrs) {
  const Lab defaults = functional("vers=3");
  if (!defaults.started()) EDAGEN_SKIP("the NFS lab does not start: " << defaults.outcome.err);
  const Lab trusting = functional("vers=3,nconnect=4,nocto,actimeo=600");
  const json before = nfs_of(defaults), after = nfs_of(trusting);
  EXPECT_GT(rpcs(before, "GETATTR"), 50);
  EXPECT_LT(rpcs(after, "GETATTR"), 0.1 * rpcs(before, "GETATTR"));
  const std::string advice = before["findings"].dump();  // none where a busy host has paused the lab
  EXPECT_TRUE(advice.find("try nocto,actimeo=600") != std::string::npos ||
              advice.find("was paused") != std::string::npos)
      << advice;
  EXPECT_EQ(after["findings"].dump().find("try nocto"), std::string::npos);

  // nconnect=4: four connections of each mount, and requests on every one.
  ASSERT_EQ(after["mounts"].size(), 2u);
  for (const json& mount : after["mounts"]) {
    ASSERT_EQ(mount["connections"].size(), 4u);
    for (const json& connection : mount["connections"]) EXPECT_GT(connection["requests"].get<double>(), 0);
  }
  EXPECT_EQ(before["mounts"][0]["connections"].size(), 1u);
  const json mount = json::parse(trusting.outcome.out)["target"]["mounts"][0];
  EXPECT_EQ(mount["connections"], 4);
  EXPECT_EQ(mount["nfs_version"], "3");
}

TEST(NfsLab, WhatMountPointsShareIsCountedOnce) {
  const std::string run = edagen_path() +
                          " --phase functional --clients 2 --procs 2 --rate 60 --warmup 500ms --duration 2s "
                          "--dataset-scale 0.01 --mount /mnt/a --mount /mnt/b --progress never -q --json ";
  const std::string mounts = "mkdir -p /mnt/a /mnt/b; M='mount -t nfs 127.0.1.1:/export -o vers=3,nolock'; ";
  const TemporaryDirectory folder;
  const Lab lab =
      in_lab({"--mounts", "0"}, {"bash", "-c",
                                 mounts + "$M /mnt/a; $M /mnt/b; " + run + (folder / "shared.json") +
                                     "; umount /mnt/a /mnt/b; $M,nosharecache /mnt/a; $M,nosharecache /mnt/b; " + run +
                                     (folder / "own.json") + "; true"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  // On a busy machine, more ops that were due end after the window, of which the counters have RPCs.
  double late = 0;
  const auto nfs = [&](const char* file) {
    const json result = json::parse(std::ifstream(folder / file), nullptr, false);
    EXPECT_FALSE(result.is_discarded()) << lab.outcome.err;
    const json point = result["load_points"][0];
    late = std::max(late, 60 * 2 / point["operations"].get<double>() - 1);
    return point["nfs"];
  };
  const json shared = nfs("shared.json"), own = nfs("own.json");
  ASSERT_EQ(shared["mounts"].size(), 1u) << "one superblock";
  EXPECT_EQ(shared["mounts"][0]["also_mounted_on"], json({"/mnt/b"}));
  ASSERT_EQ(own["mounts"].size(), 2u);
  EXPECT_EQ(own["mounts"][0]["connections"][0]["source_port"], own["mounts"][1]["connections"][0]["source_port"]);
  for (const json& each : {shared, own}) {
    EXPECT_EQ(each["connections"], 1);
    EXPECT_EQ(each["rpc_slots"], 128);
    EXPECT_LT(each["rpcs_per_op"].get<double>(), 3 * (1 + late));
  }
  // The same ops, and about as many RPCs: counted twice they would be twice as many.
  EXPECT_NEAR(shared["rpcs_per_op"].get<double>() / own["rpcs_per_op"].get<double>(), 1, 0.4 + late);
}

TEST(NfsLab, DirectReadsAtDepthAreOneReadRpcEachWithSeveralInFlight) {
  const Lab lab =
      in_lab({"--mounts", "1", "--options", "vers=3", "--rtt", "2ms"},
             {"edagen", "--workload", "fio/8k-randread", "--mount", "/mnt/nfs0", "--procs", "1", "--io-depth", "8",
              "--file-size", "4MiB", "--warmup", "200ms", "--duration", "2s", "--json", "-"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json point = json::parse(lab.outcome.out)["load_points"][0];
  const double operations = point["operations"];
  EXPECT_GT(operations, 100);
  double reads = 0, bytes = 0;
  for (const json& mount : point["nfs"]["mounts"])
    reads += mount["rpcs"]["READ"]["requests"].get<double>(),
        bytes += mount["rpcs"]["READ"]["bytes_received"].get<double>();
  // The client's counters are read some milliseconds off the window's ends, on a busy machine some hundred, and count
  // in milliseconds. RPCs that a pause holds up count with all of their time in the window that they end in.
  EXPECT_NEAR(reads / operations, 1, 0.15);
  EXPECT_GT(bytes, 8192 * std::min(reads, operations));
  EXPECT_GT(point["nfs"]["rpcs_in_flight"].get<double>(), 2);
  EXPECT_LT(point["nfs"]["rpcs_in_flight"].get<double>(), 12);
}

TEST(NfsLab, AnOpenAsksForAttributesOnceAndACloseForNothing) {
  const TemporaryDirectory folder;
  const std::string opens = folder.write("opens.json", R"({"schema":"edagen.workload/1","name":"opens","phase":"custom",
      "ops_per_sec_per_proc":60,"op_mix":{"open":1,"close":1,"read_seq":1},"dataset":{"data_files":4}})");
  const Lab lab = in_lab({"--mounts", "1", "--options", "vers=3"},
                         {"edagen", "--workload", opens, "--procs", "1", "--duration", "4s", "--json", "-"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json nfs = nfs_of(lab);
  const json point = json::parse(lab.outcome.out)["load_points"][0];
  const double open = point["ops"]["open"]["operations"], getattrs = rpcs(nfs, "GETATTR");
  // On a busy machine, more ops that were due end after the window.
  const double late = std::max(0.0, 60 * 4 - point["operations"].get<double>());
  EXPECT_GT(open, 20);
  EXPECT_GE(getattrs, 0.95 * open - 2);
  EXPECT_LE(getattrs, 1.05 * open + 2 + late);
}

TEST(NfsLab, Version41HasOpKindsOfItsOwn) {
  const Lab lab = functional("vers=4.1", "1");
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json nfs = nfs_of(lab);
  EXPECT_EQ(nfs["mounts"][0]["version"], "4.1");
  EXPECT_GT(rpcs(nfs, "OPEN") + rpcs(nfs, "OPEN_NOATTR"), 10);
  EXPECT_GT(rpcs(nfs, "CLOSE"), 10);
  EXPECT_EQ(nfs["rpc_slots"], 64);
}

TEST(NfsLab, TheMountsCommandShowsAndWarns) {
  const Lab lab = in_lab({"--mounts", "2", "--options", "vers=3,rsize=32768,noac"}, {"edagen", "mounts"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.status, 0) << lab.outcome.err;
  for (const char* const part :
       {"/mnt/nfs1", "127.0.1.2:/export", "! /mnt/nfs0, /mnt/nfs1: rsize=32768 is below 64 KiB",
        "! /mnt/nfs0, /mnt/nfs1: attributes are not cached", "published EDA results (-v lists them)"})
    EXPECT_NE(lab.outcome.out.find(part), std::string::npos) << part << "\n" << lab.outcome.out;
}

std::string small_run(const std::string& more) {
  return edagen_path() +
         " --phase functional --procs 2 --rate 40 --warmup 0s --dataset-scale 0.0001 --progress never -q " + more;
}

/// A short run and what came of it, for scripts. The lab's one processor makes many a run generator_limited, and a
/// pause may take all of its window.
std::string short_run(const std::string& more) {
  return small_run(more) +
         " >/run/out; s=$?; ! grep -q 'INVALID: nothing_measured' /run/out || s=5; echo status $((s == 5 ? 0 : s)); ";
}

TEST(NfsLab, WhereTheServerTurnsRootIntoAnotherUserItsOwnDatasetsAreUsedAndForeignOnesAreNot) {
  const Lab lab = in_lab(
      {"--mounts", "1"},
      {"bash", "-c",
       "exportfs -o rw,root_squash,fsid=1,insecure,async,crossmnt 127.0.0.0/8:/export; chmod 1777 /mnt/export; " +
           short_run("--mount /mnt/nfs0 --duration 500ms --keep-dataset") + "stat -c %u /mnt/nfs0/edagen.data; " +
           short_run("--mount /mnt/nfs0 --duration 500ms --reuse-dataset") +
           "chown -R 1000 /mnt/export/edagen.data; rm /mnt/export/edagen.data/edagen.lock; echo 3 "
           ">/proc/sys/vm/drop_caches; sleep 4; " +
           short_run("--mount /mnt/nfs0 --duration 500ms --reuse-dataset") +
           "chown -R 65534 /mnt/export/edagen.data; echo 3 >/proc/sys/vm/drop_caches; sleep 4; " + edagen_path() +
           " clean --mount /mnt/nfs0; ls -A /mnt/export"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.out, "status 0\n65534\nstatus 0\nstatus 2\n") << lab.outcome.err;
  EXPECT_NE(lab.outcome.err.find("belongs to user 1000, not to user 65534"), std::string::npos) << lab.outcome.err;
}

/// Begins a run that lasts until `end_of_run`, and waits until it measures: it has locked its dataset.
std::string run_until_locked(const std::string& more) {
  return small_run("--mount /mnt/nfs0 --duration 10m --journal /run/journal >/dev/null " + more) +
         " & for i in $(seq 900); do grep -qs '\"measure\"' /run/journal && break; sleep .1; done; ";
}

const std::string end_of_run = "kill -INT $!; wait $!; echo ended $?; ls -A /mnt/export";

TEST(NfsLab, ADatasetIsForOneRunWhateverMountItIsReachedBy) {
  for (const std::string options : {"vers=3", "vers=4.1"}) {
    SCOPED_TRACE(options);
    const Lab lab =
        in_lab({"--mounts", "2", "--options", options},
               {"bash", "-c",
                run_until_locked("2>/dev/null") + short_run("--mount /mnt/nfs1 --duration 500ms --reuse-dataset") +
                    edagen_path() + " clean --mount /mnt/nfs1; echo clean $?; " + end_of_run});
    if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
    EXPECT_EQ(lab.outcome.out, "status 2\nclean 2\nended 130\n") << lab.outcome.err;
    EXPECT_NE(lab.outcome.err.find("is in use by edagen, process "), std::string::npos) << lab.outcome.err;
  }
}

TEST(NfsLab, ADatasetWhoseLockAnotherHostHasTakenMeanwhileStays) {
  const Lab lab =
      in_lab({"--mounts", "2"}, {"bash", "-c",
                                 run_until_locked("") +
                                     "echo '{\"host\":\"elsewhere\",\"boot\":\"b\",\"since\":\"s\",\"pid\":7,"
                                     "\"started\":1}' >/mnt/nfs1/edagen.data/edagen.lock; " +
                                     end_of_run});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.out, "ended 130\nedagen.data\n") << lab.outcome.err;
  EXPECT_NE(lab.outcome.err.find("is used by process 7 on elsewhere by now"), std::string::npos) << lab.outcome.err;
}

TEST(NfsLab, OneSilentServerOfSixtyFourIsNamedAndTheRunGoesOnOnTheOthers) {
  EDAGEN_SLOW_TEST();
  const TemporaryDirectory folder;
  const Lab lab = in_lab({"--mounts", "64", "--memory", "2G"},
                         {source_path("tests/cli/silent_server.sh"), edagen_path(), folder / "r.json"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.err.find("(mount /mnt/nfs5)"), std::string::npos) << lab.outcome.err;
  const json result = json::parse(std::ifstream(folder / "r.json"));
  const json& point = result["load_points"][0];
  EXPECT_EQ(result["status"], "complete");
  EXPECT_EQ(point["nfs"]["mounts"].size(), 64u);
  EXPECT_TRUE(point["errors"].empty());
  EXPECT_GT(point["latency_ms"]["response"]["max"].get<double>(), 10'000);
  EXPECT_LT(point["latency_ms"]["response"]["p95"].get<double>(), 1'000);
}

TEST(NfsLab, RanksMountTheServerAndAreOneRunWhoseRpcsAreOfTheLeadersMount) {
  const std::string launcher =
      "mpirun.openmpi --oversubscribe --allow-run-as-root --mca oob_tcp_if_include lo --mca btl "
      "tcp,self --mca btl_tcp_if_include lo -n 2 ";
  if (!std::filesystem::exists("/usr/bin/mpirun.openmpi") ||
      !std::filesystem::exists(build_path("edagen-modules/edagen-mpi-openmpi.so")))
    EDAGEN_SKIP("Open MPI is not installed: scripts/install-deps --test");
  const TemporaryDirectory folder;
  const Lab lab = in_lab({"--mounts", "2"},
                         {"bash", "-c",
                          launcher + edagen_path() +
                              " --phase functional --clients 2 --procs 2 --rate 60 --warmup 500ms --duration 3s "
                              "--dataset-scale 0.01 --spin off --progress never -q --mount /mnt/nfs{rank} --json " +
                              (folder / "r.json") + " >/dev/null; ls -A /mnt/export"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.out, "") << "the dataset is removed";
  const json result = json::parse(std::ifstream(folder / "r.json"), nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << lab.outcome.err;
  EXPECT_EQ(result["status"], "complete");
  EXPECT_EQ(result["target"]["kind"], "nfs");
  const json& point = result["load_points"][0];
  EXPECT_TRUE(point["errors"].empty());
  ASSERT_EQ(point["hosts"].size(), 2u);
  for (const json& host : point["hosts"]) {
    EXPECT_GT(host["operations"].get<int>(), 0);
    ASSERT_FALSE(host["nfs"].is_null()) << host;
    EXPECT_GT(host["nfs"]["requests"].get<double>(), 0) << host;
  }
}

}  // namespace
}  // namespace edagen::testing

#endif
