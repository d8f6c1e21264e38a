// fio's jobs as a user runs them here: depth, direct I/O, sweeps, repeats, imported jobs; and real fio beside edagen.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "edagen/workload.hpp"
#include "support/document_schema.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"
#include "target/posix_target.hpp"
#include "workload/fio_option.hpp"

namespace edagen::testing {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

json result_of(std::vector<std::string> words, std::vector<int> statuses = {0, 5}) {
  words.insert(words.end(), {"--json", "-"});
  const Outcome outcome = edagen(words);
  EXPECT_NE(std::find(statuses.begin(), statuses.end(), outcome.status), statuses.end())
      << outcome.status << outcome.err;
  if (outcome.out.empty()) return {};
  const json result = json::parse(outcome.out);
  EXPECT_NO_THROW(check_document<Result>(result));
  return result;
}

std::vector<std::string> small(const std::string& workload, const std::string& mount,
                               std::vector<std::string> more = {}) {
  return together(
      {"--workload", workload, "--mount", mount, "--file-size", "4MiB", "--warmup", "0s", "--duration", "1s"}, more);
}

class IoEngineTest : public ::testing::TestWithParam<std::string> {};

TEST_P(IoEngineTest, PresetsRunAtTheirDepthAndSayByWhat) {
  if (GetParam() == "io_uring" && !io_uring_refusal().empty()) EDAGEN_SKIP("io_uring: " + io_uring_refusal());
  const TemporaryDirectory mount;
  for (const char* const preset : {"fio/8k-randread", "fio/8k-randwrite", "fio/256k-rw"}) {
    const json result =
        result_of(small(preset, mount.path(), {"--buffered", "--io-engine", GetParam(), "--io-depth", "32"}));
    EXPECT_EQ(result["io"]["engine"], GetParam());
    EXPECT_EQ(result["io"]["depth"], 32);
    EXPECT_EQ(result["io"]["direct"], false);
    EXPECT_GT(result["load_points"][0]["operations"], 100);
    EXPECT_TRUE(result["load_points"][0]["errors"].empty());
  }
  EXPECT_FALSE(fs::exists(mount / "edagen.data"));
}

TEST_P(IoEngineTest, ThePhysicalPhaseKeepsItsSharesAtDepth) {
  if (GetParam() == "io_uring" && !io_uring_refusal().empty()) EDAGEN_SKIP("io_uring: " + io_uring_refusal());
  const TemporaryDirectory mount;
  const json result = result_of(
      {"--phase", "physical", "--clients", "2", "--mount", mount.path(), "--dataset-scale", "0.02", "--warmup", "100ms",
       "--duration", "1s", "--rate", "max", "--io-depth", "8", "--io-engine", GetParam()},
      {0, 5});  // on a slow disk some ops take longer than they are waited for
  const json &point = result["load_points"][0], &ops = point["ops"];
  // Three standard deviations of a share of a quarter, where a busy disk has ended few ops.
  const double slack = std::max(0.02, 1.5 / std::sqrt(point["operations"].get<double>()));
  EXPECT_NEAR(ops["open"]["share"].get<double>(), 0.255, slack);
  EXPECT_NEAR(ops["close"]["share"].get<double>(), 0.255, slack);
  EXPECT_NEAR(ops["read_seq"]["share"].get<double>(), 0.245, slack + 0.01);
}

TEST_P(IoEngineTest, ASignalEndsARunAtDepth) {
  if (GetParam() == "io_uring" && !io_uring_refusal().empty()) EDAGEN_SKIP("io_uring: " + io_uring_refusal());
  const TemporaryDirectory mount;
  Program run(edagen_words({"--workload", "fio/8k-randrw", "--mount", mount.path(), "--file-size", "4MiB", "--buffered",
                            "--duration", "60s", "--io-engine", GetParam(), "--progress", "always"}));
  ASSERT_TRUE(run.wait_for_stderr("ops/s"));
  run.signal(SIGINT);
  EXPECT_EQ(run.wait().status, 130);
}

INSTANTIATE_TEST_SUITE_P(Engines, IoEngineTest, ::testing::Values("io_uring", "threads"),
                         [](const auto& param) { return param.param; });

TEST(Fio, MixedProcsRunBesideProcsAtDepth) {
  const TemporaryDirectory mount;
  const json result = result_of({"--phase", "mixed", "--mount", mount.path(), "--dataset-scale", "0.02", "--warmup",
                                 "100ms", "--duration", "500ms", "--io-depth", "8"},
                                {0, 5});
  EXPECT_EQ(result["io"]["depth"], 8);
  EXPECT_GT(result["load_points"][0]["ops"]["stat"]["operations"], 0);
  EXPECT_GT(result["load_points"][0]["ops"]["write_seq"]["operations"], 0);
}

TEST(Fio, DirectIoOpensWithODirectAndBufferedDoesNot) {
  const TemporaryDirectory mount;
  if (!direct_io_block(mount.path())) EDAGEN_SKIP("no O_DIRECT in " + mount.path());
  for (const char* const option : {"--direct", "--buffered"}) {
    const std::vector<std::string> trace = {"strace", "-f",          "-q",         "-e", "trace=openat,openat2",
                                            "-o",     mount / "log", edagen_path()};
    const auto more = small("fio/8k-randrw", mount.path(), {option, "--io-depth", "1", "--json", mount / "r.json"});
    const Outcome outcome = Program(together(trace, more), {{"ASAN_OPTIONS", "detect_leaks=0"}}).wait();
    if (outcome.status == 127) EDAGEN_SKIP("strace is not installed");
    std::ifstream log(mount / "log");
    int direct = 0, all = 0;
    for (std::string line; std::getline(log, line);)
      if (line.find("f000000") != std::string::npos && line.find("O_RDWR") != std::string::npos) {
        ++all;
        direct += line.find("O_DIRECT") != std::string::npos ? 1 : 0;
      }
    EXPECT_EQ(all, 4) << "one for each proc";
    EXPECT_EQ(direct, std::string(option) == "--direct" ? 4 : 0);
  }
}

TEST(Fio, DirectOpsAtPlacesBetweenBlocksAreRefused) {
  const TemporaryDirectory mount;
  if (!direct_io_block(mount.path())) EDAGEN_SKIP("no O_DIRECT in " + mount.path());
  const std::string workload = mount.write("odd.json", R"({"schema": "edagen.workload/1", "extends": "fio/8k-randread",
      "name": "odd", "access": {"alignment": 500}})");
  const Outcome direct = edagen(small(workload, mount.path(), {"--direct"}));
  EXPECT_TRUE(is_refused(direct, "its ops begin at multiples of 500 B"));
  EXPECT_FALSE(fs::exists(mount / "edagen.data"));
  EXPECT_NE(edagen(small(workload, mount.path(), {"--buffered"})).status, 2);
}

TEST(Fio, FlushingAtTheEndIsPartOfTheTime) {
  const TemporaryDirectory mount;
  const json point =
      result_of(small("fio/64k-write", mount.path(), {"--buffered", "--fsync", "end"}))["load_points"][0];
  EXPECT_GT(point["sync_seconds"], 0);
  EXPECT_NEAR(point["seconds"].get<double>(), 1 + point["sync_seconds"].get<double>(), 0.1);
  EXPECT_NEAR(point["mib_per_sec"].get<double>(),
              point["bytes_written"].get<double>() / 0x1p20 / point["seconds"].get<double>(), 0.01);
}

TEST(Fio, DroppedCachesAreReadAnewFromTheStorage) {
  const TemporaryDirectory mount;
  const json cold = result_of(small("fio/64k-read", mount.path(), {"--buffered", "--io-depth", "1", "--drop-caches"}));
  EXPECT_EQ(cold["io"]["drop_caches"], true);
  EXPECT_TRUE(cold["load_points"][0]["errors"].empty());
}

TEST(Fio, SweepsHaveAPointForEachValueAndRepeatsTheirStatistics) {
  const TemporaryDirectory mount;
  const json depths =
      result_of({"curve", "--workload", "fio/8k-randread", "--mount", mount.path(), "--file-size", "1MiB", "--buffered",
                 "--warmup", "0s", "--duration", "100ms", "--sweep", "io-depth=1,2,4,...,16", "--repeat", "2"});
  ASSERT_EQ(depths["load_points"].size(), 10u);
  EXPECT_EQ(depths["series"]["parameter"], "io-depth");
  EXPECT_EQ(depths["series"]["points"][4]["value"], 16);
  EXPECT_EQ(depths["series"]["points"][4]["repeats"], 2);
  const json mixes =
      result_of({"curve", "--workload", "fio/8k-randrw", "--mount", mount.path(), "--file-size", "1MiB", "--buffered",
                 "--io-depth", "4", "--warmup", "0s", "--duration", "500ms", "--sweep", "read-percent=100,50,0"});
  const auto reads = [&](std::size_t i) {
    const json& ops = mixes["load_points"][i]["ops"];
    return ops.contains("read_rand") ? ops["read_rand"]["share"].get<double>() : 0;
  };
  EXPECT_EQ(reads(0), 1);
  // Three standard deviations of a half, where a busy disk has ended few ops.
  EXPECT_NEAR(reads(1), 0.5, std::max(0.05, 1.5 / std::sqrt(mixes["load_points"][1]["operations"].get<double>())));
  EXPECT_EQ(reads(2), 0);
  const json clients = result_of({"curve", "--target", "sim:regular", "--workload", "fio/64k-read", "--sweep",
                                  "clients=1..3", "--warmup", "20ms", "--duration", "100ms"});
  EXPECT_EQ(clients["clients"], 3);
  EXPECT_EQ(clients["load_points"][0]["groups"][0]["procs"], 4);
  EXPECT_EQ(clients["load_points"][2]["groups"][0]["procs"], 12);
}

TEST(Fio, ARunIsRepeatedAsOftenAsAskedFor) {
  const Outcome outcome = edagen({"--target", "sim:regular", "--workload", "fio/8k-randread", "--warmup", "10ms",
                                  "--duration", "100ms", "--repeat", "30"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("30 repeats"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("95 % interval"), std::string::npos);
}

TEST(Fio, AnInterruptedSweepShowsWhatItHas) {
  const TemporaryDirectory folder;
  Program run(edagen_words({"curve", "--workload", "fio/8k-randread", "--mount", folder.path(), "--file-size", "1MiB",
                            "--buffered", "--warmup", "0s", "--duration", "1s", "--sweep", "io-depth=1..200",
                            "--progress", "always", "--json", folder / "r.json"}));
  ASSERT_TRUE(run.wait_for_stderr("step 2, io-depth 2"));
  run.signal(SIGTERM);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130);
  EXPECT_NE(outcome.out.find("by io-depth"), std::string::npos) << outcome.out;
  const json result = json::parse(std::ifstream(folder / "r.json"));
  EXPECT_EQ(result["status"], "interrupted");
  EXPECT_GE(result["load_points"].size(), 2u);
}

TEST(Fio, BadWordsAreRefusedWithNothingTouched) {
  const TemporaryDirectory mount;
  for (const auto& [words, expected] : std::vector<std::pair<std::vector<std::string>, const char*>>{
           {{"--phase", "functional", "--io-depth", "8"},
            "--io-depth: no proc of 'eda_functional' only reads and writes"},
           {{"--workload", "fio/8k-randread", "--io-depth", "1025"}, "--io-depth"},
           {{"--workload", "fio/8k-randread", "--read-percent", "50"}, "read percent: '8k-randread' has no writes"},
           {{"--workload", "fio/8k-randread", "--direct", "--buffered"}, "--direct"},
           {{"--workload", "fio/1m-write", "--clients", "1000", "--dataset-scale", "1"},
            "I/O depth: the writes in flight would need"},
           {{"--workload", "fio/8k-randread", "--repeat", "0"}, "--repeat"}}) {
    const Outcome outcome = edagen(together({"--mount", mount.path()}, words));
    EXPECT_TRUE(is_refused(outcome, expected)) << expected;
  }
  EXPECT_EQ(edagen({"curve", "--phase", "mixed", "--mount", mount.path(), "--repeat", "3"}).status, 2);
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(Fio, AnImportedJobRunsAndMovesWhatFioWouldMove) {
  const TemporaryDirectory folder;
  const std::string job =
      folder.write("mine.fio",
                   "[global]\nioengine=libaio\niodepth=4\nsize=4m\nnorandommap\ntime_based\nruntime=1\n"
                   "[readers]\nrw=randread\nbs=16k\nnumjobs=2\n[writer]\nrw=write\nbs=64k\nverify=md5\n");
  const Outcome import = edagen({"workloads", "import-fio", job, "--output", folder / "mine.json"});
  ASSERT_EQ(import.status, 0) << import.err;
  EXPECT_NE(import.err.find("[writer] verify: 'md5': data is not verified here"), std::string::npos) << import.err;
  EXPECT_NE(import.err.find("--duration 1s"), std::string::npos) << import.err;
  const json result = result_of(
      {"--workload", folder / "mine.json", "--mount", folder.path(), "--warmup", "0s", "--duration", "300ms"});
  const json& ops = result["load_points"][0]["ops"];
  EXPECT_EQ(ops["read_rand"]["bytes"].get<double>() / ops["read_rand"]["operations"].get<double>(), 16384);
  EXPECT_EQ(ops["write_seq"]["bytes"].get<double>() / ops["write_seq"]["operations"].get<double>(), 65536);
  EXPECT_EQ(result["procs"], 3);
  EXPECT_EQ(edagen({"workloads", "import-fio", folder / "none.fio"}).status, 2);
}

TEST(Fio, AnIncludedFileIsNotWrittenOver) {
  const TemporaryDirectory folder;
  const std::string options = folder.write("options.fio", "rw=randread\nbs=8k\nsize=1m\n");
  const std::string job = folder.write("a.fio", "[a]\ninclude options.fio\n");
  const Outcome import = edagen({"workloads", "import-fio", job, "--output", options});
  EXPECT_TRUE(is_refused(import, "is an input of this command"));
  EXPECT_EQ(edagen({"workloads", "import-fio", job}).status, 0);
}

TEST(Fio, ACommandLineOfFioIsImported) {
  const TemporaryDirectory folder;
  const std::string job = folder.write("a.fio", "[a]\nrw=read\nbs=64k\n");
  const Outcome line =
      edagen({"workloads", "import-fio", "--output", folder / "line.json", "--", "fio", "--name=vendor", "-rw=randread",
              "--bs", "8k", "--size=4m", "--numjobs=2", "--group_reporting", "--eta=never"});
  ASSERT_EQ(line.status, 0) << line.err;
  const json made = json::parse(std::ifstream(folder / "line.json"));
  EXPECT_EQ(made["op_mix"]["read_rand"], 100);
  EXPECT_EQ(made["transfer"]["read"], 8192);
  EXPECT_EQ(made["procs_per_job_set"], 2);
  const Outcome both = edagen({"workloads", "import-fio", job, "--output", folder / "both.json", "--", "--size=4m",
                               "--directory=" + folder.path()});
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_NE(both.err.find("--mount " + folder.path()), std::string::npos) << both.err;
  EXPECT_EQ(json::parse(std::ifstream(folder / "both.json"))["dataset"]["file_size"], 4 << 20);
  const Outcome typo = edagen({"workloads", "import-fio", "--", "--name=a", "--iodpeth=4", "--size=1m"});
  EXPECT_TRUE(is_refused(typo, "fio [a] iodpeth: is no option of fio (did you mean 'iodepth'?)"));
  EXPECT_EQ(edagen({"workloads", "import-fio", "--", "--size=1m"}).status, 2);
  const Outcome typos = edagen({"workloads", "import-fio", "--", "--name=a", "--iodpeth=4", "--size=1m", "--sise=2m"});
  EXPECT_EQ(typos.status, 2);
  EXPECT_TRUE(typos.err.starts_with("edagen: fio [a] iodpeth: is no option of fio")) << typos.err;
  EXPECT_NE(typos.err.find("\nedagen: fio [a] sise: is no option of fio"), std::string::npos) << typos.err;
}

TEST(Fio, JobsOfACommandLineRunBesideThoseOfTheFirstJobFile) {
  const TemporaryDirectory folder;
  const std::string job = folder.write("a.fio", "[a]\nrw=read\n"), next = folder.write("b.fio", "[b]\nrw=read\n");
  const Outcome both = edagen({"workloads", "import-fio", job, "--", "--size=4m", "--name=c", "--rw=write"});
  ASSERT_EQ(both.status, 0) << both.err;
  EXPECT_EQ(json::parse(both.out)["blend"].size(), 2u);
  const Outcome files = edagen({"workloads", "import-fio", job, "--", next, "--size=4m"});
  EXPECT_TRUE(is_refused(files, "fio runs 'b' after the jobs before it"));
}

TEST(Fio, OptionsBeforeTheFirstJobAreThoseOfTheFirstJobFileAlone) {
  const TemporaryDirectory folder;
  const std::string first = folder.write("a.fio", "[a]\nsize=4m\n"), second = folder.write("b.fio", "[b]\nsize=4m\n");
  const auto block_of = [&](const char* const job) {
    const Outcome import = edagen({"workloads", "import-fio", first, "--job", job, "--", second, "--bs=16k"});
    EXPECT_EQ(import.status, 0) << import.err;
    return json::parse(import.out)["transfer"]["read"];
  };
  EXPECT_EQ(block_of("a"), 16384);
  EXPECT_EQ(block_of("b"), 4096);
}

TEST(Fio, AJobThatWritesIsRefusedWithReadonlyAsByFio) {
  const auto import = [](const char* const pattern) {
    return edagen({"workloads", "import-fio", "--", "--readonly", "--name=a", "--size=4m", pattern});
  };
  EXPECT_EQ(import("--rw=randread").status, 0);
  for (const char* const pattern : {"--rw=write", "--rw=randrw", "--readwrite=readwrite"})
    EXPECT_TRUE(is_refused(import(pattern), "writes, which fio refuses with --readonly")) << pattern;
}

TEST(Fio, SeveralJobsMayBeChosen) {
  const TemporaryDirectory folder;
  const std::string job = folder.write("a.fio", "[global]\nsize=4m\n[a]\n[b]\nstonewall\n[c]\n");
  const Outcome all = edagen({"workloads", "import-fio", job});
  EXPECT_TRUE(is_refused(all, "fio runs 'b' after the jobs before it"));
  EXPECT_NE(all.err.find("(--job NAME takes one"), std::string::npos) << all.err;
  const Outcome two = edagen({"workloads", "import-fio", job, "--job", "b", "--job", "c"});
  ASSERT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(json::parse(two.out)["blend"].size(), 2u);
}

TEST(Fio, WordsOfFioThatDoNotStandBehindDashesAreToldSo) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"fio", "--name=a", "--rw=read"}, {"--name=a", "--rw=read"}, {"a.fio", "--directory=/mnt/a"}}) {
    const Outcome outcome = edagen(together({"workloads", "import-fio"}, words));
    EXPECT_TRUE(is_refused(outcome, "fio's words stand behind --"));
  }
}

TEST(Fio, EachOptionThatRealFioListsIsKnown) {
  EDAGEN_SLOW_TEST();
  const Outcome help = Program({"fio", "--cmdhelp"}).wait();
  if (help.status == 127 || help.out.empty()) EDAGEN_SKIP("fio is not installed");
  std::istringstream lines(help.out);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find(':')));
    if (std::string name; words >> name) EXPECT_NE(fio_option(name), nullptr) << name;
  }
}

/// Mean block size and ops per second for each direction of one job, by fio itself with its null engine.
json by_real_fio(const std::string& options) {
  std::vector<std::string> words = {"fio",      "--output-format=json", "--ioengine=null",  "--size=1g",
                                    "--name=a", "--norandommap",        "--number_ios=5000"};
  std::istringstream stream(options);
  for (std::string word; stream >> word;) words.push_back(word);
  const Outcome outcome = Program(words).wait();
  const auto begin = outcome.out.find('{');
  return begin == std::string::npos ? json() : json::parse(outcome.out.substr(begin))["jobs"][0];
}

TEST(Fio, RealFioMovesBlocksOfTheImportedSizes) {
  EDAGEN_SLOW_TEST();
  const TemporaryDirectory folder;
  for (const char* const options :
       {"--rw=randread --bssplit=4k/50:64k/:32k/", "--rw=randread --bssplit=4k/50:64k/20", "--rw=randread --bs=4KiB",
        "--rw=randread --bssplit=4k/50:64k/60", "--rw=randwrite --bs=8k,", "--rw=randread --bsrange=3k-4k",
        "--rw=randwrite --bsrange=8k-16k,1k-4k", "--rw=randread --bs=0x2000", "--rw=randread --bs=1Mi",
        "--rw=randread --bs=,16k"}) {
    const json job = by_real_fio(options);
    if (job.is_null()) EDAGEN_SKIP("fio is not installed");
    const json& direction = job[job["read"]["total_ios"].get<int>() > 0 ? "read" : "write"];
    const double mean = direction["io_bytes"].get<double>() / direction["total_ios"].get<double>();
    std::vector<std::string> words = {"workloads", "import-fio", "--output", folder / "a.json",
                                      "--",        "--name=a",   "--size=1g"};
    std::istringstream stream(options);
    for (std::string word; stream >> word;) words.push_back(word);
    ASSERT_EQ(edagen(words).status, 0) << options;
    const ProcSpec spec = load_workload(folder / "a.json").proc_kinds[0];
    const auto& sizes = &direction == &job["read"] ? spec.read_size : spec.write_size;
    EXPECT_NEAR(sizes.mean(), mean, mean * 0.05) << options;
  }
}

TEST(Fio, RealFioAndEdagenAgreeOnTheSameFile) {
  EDAGEN_SLOW_TEST();
  const Outcome outcome = Program({source_path("bench/fio_agreement"), "--edagen", edagen_path(), "--check",
                                   "--seconds", "1", "--only", "8k"})
                              .wait();
  if (outcome.status == 127 || outcome.err.find("No such file or directory: 'fio'") != std::string::npos)
    EDAGEN_SKIP("fio is not installed");
  EXPECT_EQ(outcome.status, 0) << outcome.err << outcome.out;
}

}  // namespace
}  // namespace edagen::testing
