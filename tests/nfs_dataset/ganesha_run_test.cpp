// Runs on nfs:// against a real NFS server, from the dataset to its removal. Asserts on counts, never on time.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "support/document_schema.hpp"
#include "support/ganesha_lab.hpp"
#include "support/program.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;

json result_in(const Outcome& outcome) {
  json result = json::parse(outcome.out, nullptr, false);
  if (result.is_discarded()) {
    ADD_FAILURE() << "status " << outcome.status << "\n" << outcome.err << outcome.out;
    return {};
  }
  EXPECT_NO_THROW(check_document<Result>(result));
  return result;
}

double rpcs(const json& point, const std::string& kind) {
  double count = 0;
  for (const json& mount : point["nfs"]["mounts"])
    if (mount["rpcs"].contains(kind)) count += mount["rpcs"][kind]["requests"].get<double>();
  return count;
}

class GaneshaPhase : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(GaneshaPhase, RunsFromTheDatasetToItsRemoval) {
  EDAGEN_NEEDS_GANESHA();
  const auto [phase, fsal] = GetParam();
  const Outcome outcome =
      in_ganesha_lab({"--fsal", fsal}, std::string("$E --phase ") + phase +
                                           " $small --rate 200 --target $T --json -; $E clean --target $T");
  const json result = result_in(outcome);
  ASSERT_FALSE(result.empty());
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
  EXPECT_EQ(result["target"]["kind"], "nfs");
  EXPECT_EQ(result["io"]["engine"], "nfs");
  const json& mount = result["target"]["mounts"][0];
  EXPECT_EQ(mount["path"], std::string("nfs://127.0.1.1/") + fsal);
  EXPECT_EQ(mount["source"], std::string("127.0.1.1:/") + fsal);
  EXPECT_EQ(mount["nfs_version"], "3");
  EXPECT_NE(mount["options"].get<std::string>().find("nconnect=1"), std::string::npos) << mount;
  const json& point = result["load_points"][0];
  EXPECT_TRUE(point["errors"].empty()) << point["errors"];
  EXPECT_GT(point["operations"].get<double>(), 50);
  EXPECT_GT(rpcs(point, "GETATTR") + rpcs(point, "WRITE") + rpcs(point, "READ"), 20);
  EXPECT_EQ(point["nfs"]["mounts"][0]["connections"].size(), 2u);  // one of each client
}

// MEM answers a rename over an existing name by an error, so that functional loads have errors there.
INSTANTIATE_TEST_SUITE_P(Phases, GaneshaPhase,
                         ::testing::Values(std::tuple("functional", "vfs"), std::tuple("physical", "vfs"),
                                           std::tuple("mixed", "vfs"), std::tuple("physical", "mem")));

TEST(Ganesha, ADryRunLooksAndTouchesNothing) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome =
      in_ganesha_lab({}, "$E --phase mixed $small --target $T?nconnect=2 --dry-run; $E clean --target $T");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("2 clients x 5 procs on 1 export"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("export   nfs://127.0.1.1/vfs?nconnect=2  127.0.1.1 port 2049"), std::string::npos)
      << outcome.out;
  EXPECT_NE(outcome.out.find("cache no data"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

TEST(Ganesha, ClientsAreSpreadOverTheTargets) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(
      {"--addresses", "2"},
      "set -- $GANESHA_TARGETS; $E --phase functional ${small/--clients 2/} --clients 3 --rate 100 --target "
      "$1 --target $2 --json -");
  const json result = result_in(outcome);
  ASSERT_FALSE(result.empty());
  ASSERT_EQ(result["target"]["mounts"].size(), 2u);
  EXPECT_EQ(result["target"]["mounts"][0]["connections"], 2);
  EXPECT_EQ(result["target"]["mounts"][1]["connections"], 1);
  const json& mounts = result["load_points"][0]["nfs"]["mounts"];
  ASSERT_EQ(mounts.size(), 2u);
  EXPECT_EQ(mounts[0]["connections"].size(), 2u);
  EXPECT_EQ(mounts[1]["connections"].size(), 1u);
}

TEST(Ganesha, AKeptDatasetIsReusedAndCleaned) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    run() { $E --phase functional $small --rate 100 --target $T --json "$1" -q "${@:2}" >/dev/null; echo "status $?" >&2; }
    D=$(mktemp -d); run $D/a --keep-dataset; run $D/b; run $D/c --reuse-dataset; $E clean --target $T; $E clean --target $T
    cat $D/c; rm -r $D)");
  const json result = result_in(outcome);
  ASSERT_FALSE(result.empty());
  EXPECT_TRUE(result["dataset"]["reused"].get<bool>());
  EXPECT_NE(
      outcome.err.find("holds a dataset of an earlier run (--reuse-dataset, or edagen clean removes it)\nstatus 2"),
      std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("dataset removed"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

TEST(Ganesha, ARunThatIsStoppedWhileItBuildsIsCompletedByTheNext) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({"--rtt", "5ms"}, R"(
    run() { exec $E --phase mixed --clients 2 --dataset-scale 0.2 --warmup 100ms --duration 500ms --rate 50 --progress never --target $T "$@"; }
    (run) & for i in $(seq 600); do [[ $(find $GANESHA_FILES/edagen.data -name 'f0*' 2>/dev/null | wc -l) -ge 5 ]] && break; sleep 0.1; done
    kill -KILL $!; wait $!; (run); echo "status $?" >&2; $E clean --target $T)");
  EXPECT_NE(outcome.err.find("completing the dataset of an interrupted run"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

TEST(Ganesha, OneDirectoryByTwoAddressesOfItsServerIsComparedInWholeRuns) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({"--addresses", "2"}, R"(
    mkdir -m 777 $GANESHA_FILES/a $GANESHA_FILES/b
    compare() { $E compare --phase functional --rate 50 --dataset-scale 0.01 --dry-run --volume one=$1 --volume two=$2; }
    compare nfs://127.0.1.1/vfs nfs://127.0.1.2/vfs; compare nfs://127.0.1.1/vfs/a nfs://127.0.1.2/vfs/b)");
  EXPECT_NE(outcome.out.find("  whole runs alternate: one and two seem to work in one directory\n"), std::string::npos)
      << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("  slices alternate: all variants can be up at once\n"), std::string::npos)
      << outcome.out << outcome.err;
}

TEST(Ganesha, ASignalWhileTheServerIsSilentEndsABuildAsInterrupted) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({"--rtt", "5ms"}, R"(
    $E --phase mixed --clients 2 --dataset-scale 0.2 --duration 500ms --rate 50 --progress never --target $T & run=$!
    files() { find $GANESHA_FILES/edagen.data -name 'f0*' 2>/dev/null | wc -l; }
    for i in $(seq 600); do [[ $(files) -ge 5 ]] && break; sleep 0.1; done
    kill -STOP $GANESHA_PID; sleep 0.2  # the relay has replies for some milliseconds
    kill -INT $run; sleep 3.5; kill -CONT $GANESHA_PID; wait $run; echo "status $?" >&2
    $E clean --target $T)");
  EXPECT_NE(outcome.err.find("status 130"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("does not answer, and the run is to end"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("the unfinished dataset is kept"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("dataset removed"), std::string::npos) << outcome.err;
}

TEST(Ganesha, ADatasetIsForOneRunAtATime) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    $E --phase functional ${small/--duration 1s/} --duration 10m --rate 50 --target $T 2>/tmp/first-$$ & first=$!
    for i in $(seq 600); do grep -q 'dataset: ' /tmp/first-$$ && break; sleep 0.1; done
    $E --phase functional $small --rate 50 --target $T; echo "second $?" >&2
    $E clean --target $T; echo "clean $?" >&2
    kill -INT $first; wait $first; echo "first $?" >&2; rm /tmp/first-$$
    $E clean --target $T)");
  EXPECT_NE(outcome.err.find("is in use by edagen, process "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find(", last renewed 20"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("second 2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("clean 2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("first 130"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

/// The server keeps no attributes, so that it sees what a test changes in the exported directory.
const std::vector<std::string> forgetful = {"--config", "Attr_Expiration_Time = 0;"};
const std::string export_directory = "X=$GANESHA_FILES; ";

TEST(Ganesha, ARunWhoseLockAnotherRunTakesEndsAtTheNextLookWithWhatItHasMeasured) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(forgetful, export_directory + R"sh(
    $E --phase functional ${small/--duration 1s/} --duration 10m --rate 50 --target $T 2>/tmp/first-$$ & first=$!
    for i in $(seq 600); do grep -q 'dataset: ' /tmp/first-$$ && break; sleep 0.1; done; sleep 2
    echo '{"host":"elsewhere","boot":"b","since":"s","pid":7,"started":1}' >$X/edagen.data/edagen.lock
    for i in $(seq 900); do kill -0 $first 2>/dev/null || break; sleep 0.1; done; kill -INT $first 2>/dev/null
    wait $first; echo "first $?" >&2; cat /tmp/first-$$ >&2; rm /tmp/first-$$; ls $X)sh");
  EXPECT_NE(outcome.err.find("first 1\n"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("is used by process 7 on elsewhere by now"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("INVALID: interrupted"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("edagen.data\n"), std::string::npos) << outcome.out;
}

TEST(Ganesha, AForeignFileInTheDatasetIsNamedAndStays) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(forgetful, export_directory + R"(
    run() { $E --phase functional $small --rate 200 --target $T "$@"; echo "status $?" >&2; }
    run --keep-dataset; echo mine >$X/edagen.data/c0000/p01/notes; run --reuse-dataset; cat $X/edagen.data/c0000/p01/notes)");
  EXPECT_NE(
      outcome.err.find("/edagen.data/c0000/p01/notes: is not a file of the dataset and would be lost (move it away)"),
      std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("status 2"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("mine"), std::string::npos) << outcome.out;
}

TEST(Ganesha, LinksAndForeignDirectoriesAreRefused) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(forgetful, export_directory + R"(
    run() { $E --phase functional $small --rate 200 --target $T "$@"; echo "status $?" >&2; }
    mkdir $X/other; echo kept >$X/other/file; ln -s other $X/edagen.data; run; $E clean --target $T; rm $X/edagen.data
    cp -r $X/other $X/edagen.data; run; $E clean --target $T; rm -r $X/edagen.data
    run --keep-dataset; rm -r $X/edagen.data/c0000/p02; ln -s ../../other $X/edagen.data/c0000/p02; run --reuse-dataset
    mkdir $X/edagen.data/c0000/p01/d000/notes; echo own >$X/edagen.data/c0000/p01/d000/notes/file
    $E clean --target $T; echo "clean $?" >&2; cat $X/edagen.data/c0000/p01/d000/notes/file
    rm -r $X/edagen.data/c0000/p02 $X/edagen.data/c0000/p01/d000/notes; $E clean --target $T; ls $X; cat $X/other/file)");
  EXPECT_NE(outcome.err.find("/edagen.data: is a symbolic link (move it away)\nstatus 2"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("/edagen.data: is not empty and has no marker of edagen's"), std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("c0000/p02: is a symbolic link (move it away)"), std::string::npos) << outcome.err;
  EXPECT_NE(
      outcome.err.find("/edagen.data/c0000/p01/d000/notes: was not made by edagen and stays, like 1 more (move it "
                       "away; edagen clean then removes the rest of the dataset)\nclean 1"),
      std::string::npos)
      << outcome.err;
  EXPECT_NE(outcome.err.find("dataset removed"), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.out.ends_with("own\nother\nkept\n")) << outcome.out;
}

TEST(Ganesha, ADatasetOfAnotherUserIsRefused) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(forgetful, export_directory + R"(
    $E --phase functional $small --rate 200 --target "$T?uid=1234&gid=1234" --keep-dataset
    stat -c 'owner %u' $X/edagen.data; $E clean --target $T; echo "clean $?" >&2; ls $X/edagen.data)");
  EXPECT_NE(outcome.out.find("owner 1234"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("belongs to user 1234"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.out.find("edagen.dataset.json"), std::string::npos) << outcome.out;
}

TEST(Ganesha, AUserWhoMayNotWriteIsToldWhatToDo) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab(
      {"--config", "Squash = Root_Squash;"},
      export_directory + "chmod 755 $X; $E --phase functional $small --target $T; echo \"status $?\" >&2");
  EXPECT_NE(outcome.err.find("user 0 may not make a directory there (root is another user there, as with root_squash: "
                             "?uid=N&gid=N of a user who may write, or no_root_squash on the export; or the export is "
                             "read-only)\nstatus 2"),
            std::string::npos)
      << outcome.err;
}

TEST(Ganesha, WhatIsWrongWithAUrlIsOneLine) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    try() { $E --phase functional $small --target "$1"; echo "status $?" >&2; }
    try nfs://127.0.1.1/none; try nfs://no-such-host.invalid/vfs; try 'nfs://127.0.1.1:1/vfs'; try 'nfs://127.0.1.1/vfs?slot=3')");
  EXPECT_NE(outcome.err.find("/vfs"), std::string::npos) << outcome.err;  // what the server offers
  std::size_t refused = 0;
  for (std::size_t at = outcome.err.find("status 2"); at != std::string::npos;
       at = outcome.err.find("status 2", at + 1))
    ++refused;
  EXPECT_EQ(refused, 4u) << outcome.err;
  std::istringstream lines(outcome.err);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);) ++count;
  EXPECT_EQ(count, 8u) << outcome.err;
}

TEST(Ganesha, LocksAndMappingsAreRefusedByName) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    W=$(mktemp -d)/w.json; $E workloads show eda_functional | sed 's/"stat": *[0-9.]*/"stat": 38, "lock": 1/' >$W
    $E --workload $W $small --target $T; echo "status $?" >&2)");
  EXPECT_NE(outcome.err.find("has ops that edagen's NFS clients do not have: lock"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("status 2"), std::string::npos) << outcome.err;
}

TEST(Ganesha, AServerThatDiesInMidRunLeavesWhatWasMeasured) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({}, R"(
    $E --phase functional ${small/--duration 1s/} --duration 4s --rate 100 --stuck-after 1s --target $T --json - --journal /run/j & run=$!
    for i in $(seq 600); do grep -qs '"measure"' /run/j && break; sleep 0.1; done
    kill -KILL $GANESHA_PID; sleep 4; kill -INT $run; wait $run; echo "status $?" >&2)");
  const json result = json::parse(outcome.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.err;
  EXPECT_FALSE(result["load_points"].empty()) << outcome.err;
  EXPECT_EQ(outcome.err.find("status 0"), std::string::npos) << outcome.err;
}

/// Only RPCs of the load are counted: its clients have a number in their machine name, those that build the dataset
/// have none.
TEST(Ganesha, CountsTheRpcsThatACaptureCounts) {
  EDAGEN_NEEDS_GANESHA();
  if (!is_installed("tshark")) EDAGEN_SKIP("tshark is not installed");
  const Outcome outcome = in_ganesha_lab({}, R"(
    D=$(mktemp -d); tshark -i lo -q -s 0 -w $D/capture -f 'tcp port 2049' 2>$D/log & shark=$!
    for i in $(seq 600); do grep -q 'Capturing on' $D/log && break; sleep 0.1; done; sleep 1
    $E --phase mixed --clients 2 --dataset-scale 0.01 --progress never --warmup 0s --duration 2s --rate 150 \
      --target $T --json $D/result -q >/dev/null
    sleep 1; kill -INT $shark; wait $shark
    tshark -r $D/capture -d tcp.port==2049,rpc -Y 'rpc.msgtyp == 0 && nfs && rpc.auth.machinename matches "^edagen-[0-9]+$"' \
      -T fields -e nfs.procedure_v3 2>/dev/null | tr ',' '\n' | sort -n | uniq -c >$D/counts
    cat $D/result; echo; echo COUNTS; cat $D/counts; rm -r $D)");
  const std::size_t split = outcome.out.find("COUNTS\n");
  ASSERT_NE(split, std::string::npos) << outcome.err;
  const json result = json::parse(outcome.out.substr(0, split), nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << outcome.err << outcome.out;
  static const std::map<int, const char*> names = {
      {1, "GETATTR"}, {2, "SETATTR"}, {3, "LOOKUP"},   {4, "ACCESS"},       {5, "READLINK"}, {6, "READ"},
      {7, "WRITE"},   {8, "CREATE"},  {9, "MKDIR"},    {10, "SYMLINK"},     {12, "REMOVE"},  {13, "RMDIR"},
      {14, "RENAME"}, {15, "LINK"},   {16, "READDIR"}, {17, "READDIRPLUS"}, {18, "FSSTAT"},  {21, "COMMIT"}};
  std::istringstream counts(outcome.out.substr(split + 7));
  // On a busy machine, more ops that were due end after the window, each of a few RPCs.
  const double late = std::max(0.0, 150 * 2 - result["load_points"][0]["operations"].get<double>());
  double all = 0;
  int procedure = 0;
  for (double count = 0; counts >> count >> procedure;) {
    ASSERT_TRUE(names.contains(procedure)) << procedure;
    // The window ends while some RPCs are on their way.
    EXPECT_NEAR(rpcs(result["load_points"][0], names.at(procedure)), count, 10 + 2 * late) << names.at(procedure);
    all += count;
  }
  EXPECT_GT(all, 300) << outcome.out.substr(split);
}

TEST(Ganesha, ComparesUrlsOfOneServer) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome =
      in_ganesha_lab({},
                     "$E compare --volume one=$T --volume 'four='$T'?nconnect=4' --phase functional "
                     "$small --rate 100 --repeat 2; echo \"status $?\" >&2; $E clean --target $T");
  EXPECT_NE(outcome.out.find("four"), std::string::npos) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("there is no dataset"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen::testing
