// Comparisons of tunings on real NFS mounts, in the throwaway Linux of scripts/nfs-lab. Asserts on RPC counts, which
// are exact on any machine, never on time.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/document_schema.hpp"
#include "support/lab_run.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace edagen::testing {
namespace {

using nlohmann::json;

TEST(NfsLabTunings, TuningsAreRankedAsTheirRpcCountsImply) {
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"noac","options":"vers=3,nolock,noac"},
      {"name":"trusting","options":"vers=3,nolock,nocto,actimeo=600","sysctls":{"vm.dirty_writeback_centisecs":"1000"}}]})");
  const Lab lab = in_lab({"--mounts", "0", "--rtt", "1ms"},
                         words_of("edagen compare --export 127.0.1.5:/export --tunings " + tunings +
                                  " --phase functional --procs 2 --rate 60 --warmup 500ms --duration 2s "
                                  "--dataset-scale 0.005 --repeat 2 --staleness --staleness-duration 3s --json -"));
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json comparison = json::parse(lab.outcome.out, nullptr, false);
  ASSERT_FALSE(comparison.is_discarded()) << lab.outcome.err;
  const json &noac = comparison["variants"][0], &trusting = comparison["variants"][1];
  EXPECT_GT(noac["mean_rpcs_per_op"].get<double>(), 3 * trusting["mean_rpcs_per_op"].get<double>());
  // The price: without caching nothing is stale once it was closed, with it much is.
  for (const char* const kind : {"attributes", "data", "lookups"}) {
    EXPECT_EQ(noac["staleness"][kind]["stale"], 0) << kind;
  }
  for (const char* const kind : {"attributes", "data"})  // lookups depend on whether the directory was looked at before
    EXPECT_GT(trusting["staleness"][kind]["stale"].get<int>(), 0) << kind;
}

TEST(NfsLabTunings, ASignalEndsAComparisonWithNothingLeftMounted) {
  const Lab lab =
      in_lab({"--mounts", "0"}, {"bash", "-c",
                                 edagen_path() +
                                     " compare --export 127.0.1.1:/export --phase functional "
                                     "--procs 1 --rate 20 --dataset-scale 0.01 --duration 100s --tunings " +
                                     source_path("tests/cli/nconnect.json") +
                                     " & for i in $(seq 300); do grep -q edagen-compare /proc/mounts && break; "
                                     "sleep .1; done; sleep 1; grep -c edagen-compare /proc/mounts; kill -INT $!; "
                                     "wait $!; "
                                     "echo status $?; "
                                     "grep -c edagen-compare /proc/mounts; ls /run | grep -c edagen-compare"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.out.find("status 130\n0\n0\n"), std::string::npos) << lab.outcome.out << lab.outcome.err;
  EXPECT_TRUE(lab.outcome.out.starts_with("1\n")) << lab.outcome.out;
}

TEST(NfsLabTunings, WhatAKilledComparisonHasLeftIsUndoneByTheNext) {
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"a","options":"vers=3,nolock"},
      {"name":"b","options":"vers=3,nolock","sysctls":{"vm.dirty_ratio":"33","net.core.rmem_max":"400000"}}]})");
  const std::string compare = edagen_path() + " compare --export 127.0.1.1:/export --tunings " + tunings +
                              " --phase functional --procs 1 --rate 50 --warmup 0s --dataset-scale 0.0001";
  const std::string values =
      "cat /proc/sys/vm/dirty_ratio /proc/sys/net/core/rmem_max; grep -c edagen-compare "
      "/proc/mounts; ls /run | grep -c edagen-compare; ";
  const Lab lab =
      in_lab({"--mounts", "0"}, {"bash", "-c",
                                 values + compare +
                                     " --repeat 1 --duration 3s >/dev/null 2>&1 & p=$!; while kill -0 $p && [ $(cat "
                                     "/proc/sys/vm/dirty_ratio) != 33 ]; do sleep .1; done; kill -9 $p; wait $p; " +
                                     compare + " --repeat 1 --duration 1s >/dev/null; " + values});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const std::size_t half = lab.outcome.out.size() / 2;
  EXPECT_EQ(lab.outcome.out.substr(0, half), lab.outcome.out.substr(half)) << lab.outcome.err;
  EXPECT_NE(lab.outcome.err.find("vm.dirty_ratio is 33 and was "), std::string::npos) << lab.outcome.err;
}

TEST(NfsLabTunings, ATuningWhoseServerStopsLeavesNoSysctlsAndTheNextComparisonUnmountsIt) {
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"a","options":"vers=3,nolock","sysctls":{"vm.dirty_ratio":"33"}},{"name":"b","options":"vers=3,nolock"}]})");
  const std::string compare = edagen_path() + " compare --export 127.0.1.1:/export --tunings " + tunings +
                              " --phase functional --procs 1 --rate 50 --warmup 0s --dataset-scale 0.01 --repeat 1 "
                              "--progress always --stuck-after 5s --duration ";
  const Lab lab =
      in_lab({"--mounts", "0"},
             {"bash", "-c",
              compare +
                  "6s >/dev/null 2>/run/err & until grep -q measuring: /run/err || ! kill -0 $!; do sleep .1; done; "
                  "sleep 1; echo 0 >/proc/fs/nfsd/threads; until grep -q 'stays mounted' /run/err || ! kill -0 $!; do "
                  "sleep .1; done; cat /run/err >&2; cat /proc/sys/vm/dirty_ratio; grep -c "
                  "edagen-compare /proc/mounts; echo 2 >/proc/fs/nfsd/threads; " +
                  compare +
                  "1s >/dev/null 2>/run/next; grep -c 'was left by a comparison that was killed' /run/next; wait $!; "
                  "echo status $?; grep -c edagen-compare /proc/mounts"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_EQ(lab.outcome.out, "20\n1\n1\nstatus 5\n0\n") << lab.outcome.err;
}

/// compare on 127.0.1.1:/export with these tunings, for scripts.
std::string short_comparison(const std::string& tunings, const std::string& more = "") {
  return edagen_path() +
         " compare --export 127.0.1.1:/export --phase functional --procs 1 --rate 20 --dataset-scale 0.01 --warmup "
         "0s "
         "--duration 1s --repeat 2 --tunings " +
         tunings + " " + more +
         "; echo status $?; grep -c edagen-compare /proc/mounts; ls /run | grep -c edagen-compare; ";
}

TEST(NfsLabTunings, ATuningThatIsRefusedIsARowWithTheReasonAndTheOthersGoOn) {
  // The mount that is there has one connection to its server's address; all later ones inherit it.
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"eight","options":"vers=3,nolock,nconnect=8"},
      {"name":"plain","options":"vers=3,nolock"},
      {"name":"denied","options":"vers=3,nolock,sec=krb5"},
      {"name":"small","options":"vers=3,nolock,rsize=4096"},
      {"name":"dropped","options":"vers=4.1,nolock"},
      {"name":"rdma","options":"vers=3,nolock","sysctls":{"sunrpc.rdma_max_inline_read":"8192"}}]})");
  const Lab lab =
      in_lab({"--mounts", "1"}, {"bash", "-c",
                                 short_comparison(tunings, "--json " + (folder / "c.json") + " --csv " +
                                                               (folder / "c.csv") + " --html " + (folder / "c.html"))});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.out.find("status 5\n0\n0\n"), std::string::npos) << lab.outcome.out << lab.outcome.err;
  const json comparison = json::parse(std::ifstream(folder / "c.json"), nullptr, false);
  ASSERT_FALSE(comparison.is_discarded()) << lab.outcome.err;
  EXPECT_NO_THROW(check_document<ComparisonResult>(comparison));
  const json& variants = comparison["variants"];
  EXPECT_EQ(variants[0]["refused"], "did not take effect: nconnect=8 (there is 1 connection)");
  EXPECT_TRUE(variants[0]["runs"].empty());
  EXPECT_TRUE(variants[1]["refused"].is_null());
  EXPECT_EQ(variants[1]["runs"].size(), 2u);
  EXPECT_NE(variants[2]["refused"].dump().find("mount 127.0.1.1:/export: mount.nfs: "), std::string::npos)
      << variants[2]["refused"];
  EXPECT_EQ(variants[4]["refused"], "did not take effect: nolock (locks go to the server)");
  EXPECT_EQ(variants[5]["refused"], "this kernel has no sunrpc.rdma_max_inline_read");
  EXPECT_EQ(variants[3]["runs"].size(), 2u);
  EXPECT_FALSE(variants[3]["against_first"].is_null()) << "against plain, the first that was measured";
  EXPECT_NE(lab.outcome.out.find("eight: refused: did not take effect"), std::string::npos) << lab.outcome.out;
  const std::string csv = text_of(folder / "c.csv");
  EXPECT_NE(csv.find("refused: did not take effect"), std::string::npos) << csv;
}

TEST(NfsLabTunings, WithoutNconnectATuningBesideOneWithItHasOneConnectionOrIsRefused) {
  // The mount that is there has four connections to its server's address; all later ones inherit them.
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"plain","options":"vers=3,nolock"},
      {"name":"four","options":"vers=3,nolock,nconnect=4"}]})");
  const Lab lab = in_lab({"--mounts", "1", "--options", "vers=3,nconnect=4"},
                         {"bash", "-c", short_comparison(tunings, "--json " + (folder / "c.json"))});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json comparison = json::parse(std::ifstream(folder / "c.json"), nullptr, false);
  ASSERT_FALSE(comparison.is_discarded()) << lab.outcome.err;
  EXPECT_EQ(comparison["variants"][0]["refused"], "did not take effect: nconnect=1 (there are 4 connections)");
  EXPECT_TRUE(comparison["variants"][1]["refused"].is_null());
}

TEST(NfsLabTunings, AMountThatFailsIsToldInTheWordsOfMountAndLeavesNothing) {
  const Lab lab = in_lab({"--mounts", "0"}, {"bash", "-c",
                                             edagen_path() +
                                                 " compare --export 127.0.1.1:/none "
                                                 "--phase functional --rate 10 --dataset-scale 0.01 --tunings " +
                                                 source_path("tests/cli/nconnect.json") +
                                                 "; echo status $?; ls /run | grep -c edagen-compare"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.err.find("mount 127.0.1.1:/none: mount.nfs: access denied by server"), std::string::npos)
      << lab.outcome.err;
  EXPECT_NE(lab.outcome.out.find("status 1\n0\n"), std::string::npos) << "nothing was measured: " << lab.outcome.out;
}

TEST(NfsLabTunings, AServerThatNobodyKnowsEndsTheComparisonAtItsFirstTuning) {
  const Lab lab =
      in_lab({"--mounts", "0"},
             {"bash", "-c",
              "echo 'hosts: files' >/run/names; mount --bind /run/names /etc/nsswitch.conf; " + edagen_path() +
                  " compare --export nobody.invalid:/x --tunings eda --phase functional --rate 10; "
                  "echo status $?; ls /run | grep -c edagen-compare"});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.out.find("status 1\n0\n"), std::string::npos) << lab.outcome.out << lab.outcome.err;
  const std::size_t at = lab.outcome.err.find("Failed to resolve server nobody.invalid");
  ASSERT_NE(at, std::string::npos) << lab.outcome.err;
  EXPECT_EQ(lab.outcome.err.find("Failed to resolve", at + 1), std::string::npos) << lab.outcome.err;
}

TEST(NfsLabTunings, LocksThatAreNeverAnsweredAreWaitedForSoLongAndLeaveNothingMounted) {
  // In its grace period a lock manager grants no new lock: NFSv3 without nolock. A mount there may take some seconds,
  // but not ten.
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"locked","options":"vers=3"}, {"name":"plain","options":"vers=3,nolock"}]})");
  const Lab lab = in_lab({"--mounts", "0"},
                         {"bash", "-c", "rpc.nfsd 0; rpc.nfsd 8; " + short_comparison(tunings, "--stuck-after 10s")});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  EXPECT_NE(lab.outcome.out.find("locked: refused: a lock took longer than 10 s"), std::string::npos)
      << lab.outcome.out << lab.outcome.err;
  EXPECT_NE(lab.outcome.out.find("status 5\n0\n0\n"), std::string::npos) << lab.outcome.out << lab.outcome.err;
}

TEST(NfsLabTunings, ATrustingStatStaysStaleWhereAnOpenDoesNot) {
  // With close-to-open each open asks the server; a stat of other files goes by the cache of 30 s.
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"cached","options":"vers=3,nolock,actimeo=30"}, {"name":"uncached","options":"vers=3,nolock,noac"}]})");
  const Lab lab = in_lab(
      {"--mounts", "0"},
      {"bash", "-c", short_comparison(tunings, "--staleness --staleness-duration 4s --json " + (folder / "c.json"))});
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  const json comparison = json::parse(std::ifstream(folder / "c.json"), nullptr, false);
  ASSERT_FALSE(comparison.is_discarded()) << lab.outcome.err;
  const json &cached = comparison["variants"][0]["staleness"], &uncached = comparison["variants"][1]["staleness"];
  EXPECT_GT(cached["attributes"]["stale_share"].get<double>(), 0.5) << cached;
  EXPECT_EQ(cached["attributes"]["unended"], 4) << cached;
  EXPECT_TRUE(cached["attributes"]["stale_for_p50_ms"].is_null()) << cached;
  EXPECT_EQ(cached["data"]["stale"], 0) << cached;
  EXPECT_GT(cached["lookups"]["unended"].get<int>(), 0) << "a name that was missing is remembered so: " << cached;
  EXPECT_EQ(uncached["attributes"]["stale"], 0) << uncached;
}

TEST(NfsLabTunings, EveryRunOfATuningBeginsWithEmptyCachesAlsoTheOneThatMakesTheDataset) {
  const TemporaryDirectory folder;
  const std::string tunings = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":[
      {"name":"a","options":"vers=3,nolock,nocto,actimeo=600"}, {"name":"b","options":"vers=3,nolock"}]})");
  const Lab lab =
      in_lab({"--mounts", "0"}, words_of(edagen_path() + " compare --export 127.0.1.1:/export --tunings " + tunings +
                                         " --workload fio/8k-randread --buffered --procs 1 --io-depth 1 --file-size "
                                         "4MiB --rate 50 --warmup 0s --duration 2s --repeat 2 --results " +
                                         (folder / "r")));
  if (!lab.started()) EDAGEN_SKIP("the NFS lab does not start: " << lab.outcome.err);
  for (const char* const file : {"r/1-a-1.json", "r/2-b-1.json", "r/2-b-2.json", "r/1-a-2.json"}) {
    const json result = json::parse(std::ifstream(folder / file), nullptr, false);
    ASSERT_FALSE(result.is_discarded()) << file << lab.outcome.err;
    const json& rpcs = result["load_points"][0]["nfs"]["mounts"][0]["rpcs"];
    ASSERT_TRUE(rpcs.contains("READ")) << file << ": all of the file was in the client's cache";
    EXPECT_GT(rpcs["READ"]["requests"].get<double>(), 5) << file;
    EXPECT_TRUE(result["plan"]["volume"].get<std::string>().starts_with("127.0.1.1:/export -o ")) << file;
  }
}

}  // namespace
}  // namespace edagen::testing

#endif
