// Runs on nfs:// by several hosts and by nights, and over the addresses that a URL can name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/ganesha_lab.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

TEST(GaneshaReach, RanksOfMpiAreOneRunWhoseDatasetIsRemoved) {
  EDAGEN_NEEDS_GANESHA();
  if (!std::filesystem::exists("/usr/bin/mpirun.openmpi") ||
      !std::filesystem::exists(build_path("edagen-modules/edagen-mpi-openmpi.so")))
    EDAGEN_SKIP("Open MPI is not installed: scripts/install-deps --test");
  const Outcome outcome = in_ganesha_lab({}, R"(
    mpirun.openmpi --oversubscribe --allow-run-as-root --mca oob_tcp_if_include lo --mca btl tcp,self \
      --mca btl_tcp_if_include lo -n 2 $E --phase functional ${small/--clients 2/--clients 4} --procs 2 --rate 100 \
      --spin off -q --target $T --json /run/r.json >/dev/null; cat /run/r.json; ls -A $GANESHA_FILES >&2
    $E clean --target $T)");
  const json result = json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(result["status"], "complete");
  EXPECT_EQ(result["target"]["kind"], "nfs");
  const json& point = result["load_points"][0];
  EXPECT_TRUE(point["errors"].empty()) << point["errors"];
  ASSERT_EQ(point["clients"].size(), 4u);
  for (const json& client : point["clients"]) EXPECT_GT(client["operations"].get<double>(), 0) << point["clients"];
  ASSERT_EQ(point["hosts"].size(), 2u);
  for (const json& host : point["hosts"]) {
    EXPECT_EQ(host["clients"], 2) << host;
    EXPECT_GT(host["nfs"]["requests"].get<double>(), 0) << host;
  }
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

TEST(GaneshaReach, NightsRunOnAnExportAndUseItsDatasetAgain) {
  EDAGEN_NEEDS_GANESHA();
  const TemporaryDirectory folder;
  const json measurement = {
      {"name", "export"},
      {"run",
       {"run", "--phase", "functional", "--target", "nfs://127.0.1.1/vfs", "--clients", "2", "--rate", "100",
        "--warmup", "0", "--duration", "500ms", "--dataset-scale", "0.01", "--spin", "off"}}};
  const std::string config = folder.write(
      "nightly.json",
      json{{"schema", "edagen.nightly/1"}, {"history", "history"}, {"measurements", {measurement}}, {"max_runs", 1}}
          .dump());
  const Outcome outcome =
      in_ganesha_lab({}, "$E nightly --config " + config + " --dry-run; for night in 1 2; do $E nightly --config " +
                             config + "; done; $E history " + (folder / "history") + "; $E clean --target $T");
  EXPECT_NE(outcome.out.find("nfs://127.0.1.1/vfs"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("reused"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("dataset removed"), std::string::npos) << outcome.err;
  const std::string nights = text_of(folder / "history/nights.jsonl");
  EXPECT_EQ(std::ranges::count(nights, '\n'), 2) << nights << outcome.out << outcome.err;
  EXPECT_NE(nights.find("\"export\""), std::string::npos) << nights;
}

TEST(GaneshaReach, AServerIsReachedByAnAddressOfIpv6) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    for url in 'nfs://[::1]/vfs' 'nfs://[::1]:2049/vfs?mountport=20048'; do
      $E --phase functional $small --rate 100 --target "$url" --json /run/r.json -q >/dev/null; echo "status $?" >&2
      cat /run/r.json; $E clean --target "$url"
    done)");
  std::istringstream lines(outcome.out);
  int results = 0;
  for (json result; lines >> std::ws && !lines.eof(); ++results) {
    ASSERT_NO_THROW(lines >> result) << outcome.err;
    EXPECT_NE(result["target"]["mounts"][0]["options"].get<std::string>().find("addr=::1"), std::string::npos);
    EXPECT_TRUE(result["load_points"][0]["errors"].empty());
    EXPECT_GT(result["load_points"][0]["operations"].get<double>(), 50);
  }
  EXPECT_EQ(results, 2) << outcome.out << outcome.err;
}

TEST(GaneshaReach, TheLimitOfOpenFilesIsRaisedForTheDatasetAndTheConnections) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(
      {}, R"(ulimit -Sn 80; $E --phase functional $small --rate 100 --target "$T?nconnect=64" -q --json -)");
  const json result = json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.out << outcome.err;
  EXPECT_EQ(result["load_points"][0]["nfs"]["mounts"][0]["connections"].size(), 128u) << outcome.err;
}

TEST(GaneshaReach, ClientsTakeTheirSourceAddressesInTurn) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    $E --phase functional --clients 3 --dataset-scale 0.01 --progress never --duration 10m --rate 60 \
      --target "$T?source=127.0.5.1,127.0.5.2&nconnect=2" -q 2>/run/err & run=$!
    for i in $(seq 600); do
      [[ $(ss -Htn state established "dport = :2049" | grep -c '127\.0\.5\.2:') -ge 2 ]] && break; sleep 0.1
    done
    ss -Htn state established 'dport = :2049' | awk '{ sub(/:[0-9]*$/, "", $3); print $3 }' | sort | uniq -c
    kill -INT $run; wait $run; cat /run/err >&2; $E clean --target $T)");
  std::map<std::string, int> connections;
  std::istringstream lines(outcome.out);
  std::string address;
  for (int count = 0; lines >> count >> address;) connections[address] = count;
  EXPECT_EQ(connections.size(), 2u) << outcome.out << outcome.err;
  EXPECT_EQ(connections["127.0.5.2"], 2) << "of the second client: " << outcome.out;
  EXPECT_GE(connections["127.0.5.1"], 4) << "of the first and third, and those that keep the dataset: " << outcome.out;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen::testing
