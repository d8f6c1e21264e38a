// stdout and stderr that are full, closed, or that nobody reads.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/report_text.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

TEST(Stdout, AFullStdoutIsAnError) {
  const TemporaryDirectory folder;
  const std::string program = "XDG_STATE_HOME=" + folder.path() + " " + edagen_path() + " ", result = folder / "r.json",
                    load = "--phase functional --target sim:regular --warmup 0s --duration 1s";
  ASSERT_EQ(shell(program + load + " --json " + result).status % 5, 0);
  for (const std::string& words :
       {load, load + " --json -", load + " --csv -", "report " + result, "report " + result + " --csv -",
        std::string("workloads show eda_mixed"), std::string("workloads list"), std::string("--help"),
        std::string("curve --help"), std::string("--version")}) {
    const Outcome said = shell(program + words + " > /dev/full");
    EXPECT_EQ(said.status, 1) << words;
    EXPECT_TRUE(said.err.find("stdout: No space left on device") != std::string::npos ||
                said.err.find("(stdout): No space left on device") != std::string::npos)
        << words << said.err;
  }
}

TEST(Stdout, ItsBufferNeedsNoRoomOnASmallStack) {
  for (const char* const words : {" --version", " --help", " workloads list"}) {
    const Outcome said = shell("ulimit -s 64; exec " + edagen_path() + words);
    EXPECT_EQ(said.status, 0) << words << said.err;
    EXPECT_FALSE(said.out.empty()) << words;
  }
}

TEST(Stdout, AResultWhoseTableFoundNoRoomIsInTheJournalUnlessAnotherOutputHasIt) {
  const TemporaryDirectory folder;
  const std::string load = "XDG_STATE_HOME=" + folder.path() + " " + edagen_path() +
                           " --phase functional --target sim:mm1 --rate 300 --warmup 0s --duration 1s -q ";
  EXPECT_EQ(shell(load + "--json " + (folder / "r.json") + " > /dev/full").status, 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "edagen"));
  const Outcome alone = shell(load + "> /dev/full");
  EXPECT_EQ(alone.status, 1);
  EXPECT_NE(alone.err.find("the journal is " + (folder / "edagen/")), std::string::npos) << alone.err;
  const std::string journal = std::filesystem::directory_iterator(folder / "edagen")->path();
  EXPECT_EQ(edagen({"report", journal}).status, 0);
}

TEST(Stdout, AnotherPathOfStdoutIsRefused) {
  const TemporaryDirectory folder;
  const std::string load = edagen_path() + " --phase functional --target sim:mm1 --rate 300 --warmup 0s --duration 1s";
  for (const char* const to : {" --json /dev/stdout > ", " --csv /dev/fd/1 > ", " --json out > "})
    EXPECT_EQ(shell("cd " + folder.path() + "; " + load + to + "out").status, 2) << to;
  EXPECT_EQ(shell(load + " --json /dev/stdout | cat; exit ${PIPESTATUS[0]}").status, 2);
  EXPECT_NE(shell(load + " --json /dev/null > /dev/null").status, 2);
}

TEST(Stdout, ABrokenPipeEndsTheRunAsASignalDoesAndRemovesTheDataset) {
  const TemporaryDirectory mount;
  const std::string words = " --phase functional --mount " + mount.path() +
                            " --dataset-scale 0.02 --rate 500 --warmup 0s --duration 30s --journal - | head -1";
  const Outcome run = Program({"bash", "-c", std::string("set -o pipefail; ") + edagen_path() + words}).wait();
  EXPECT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(mount.path()));
}

TEST(Stderr, AReaderOfStderrWhoHasGoneEndsTheRunAsASignalDoes) {
  const TemporaryDirectory mount;
  const std::string words = " --phase functional --mount " + mount.path() +
                            " --dataset-scale 0.002 --rate 100 --warmup 0s --duration 10m --progress always "
                            "2>&1 >/dev/null | (while read -r -d $'\\r' line; do "
                            "[[ $line == *measuring:* ]] && exit; done)";
  const Outcome run = Program({"bash", "-c", std::string("set -o pipefail; ") + edagen_path() + words}).wait();
  EXPECT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(mount.path()));
}

TEST(Stdout, ANoteThatThePlanHasIsNotPrintedAgainWhereBothGoToOneFileOrPipe) {
  const TemporaryDirectory folder;
  const std::string load = "cd " + folder.path() + "; " + edagen_path() +
                           " run --phase mixed --target sim:mm1 --clients 1 --procs 1 --rate 100 --warmup 0s "
                           "--duration 2s",
                    warning = "  warning  eda_physical has no proc", note = "Note: eda_physical has no proc";
  for (const char* const to : {" > both 2>&1; cat both", " 2>&1 | cat"}) {
    const std::string both = shell(load + to).out;
    EXPECT_EQ(count_of(warning, both), 1) << both;
    EXPECT_EQ(count_of(note, both), 0) << both;
  }
  const Outcome apart = shell(load);
  EXPECT_EQ(count_of(warning, apart.err), 1) << apart.err;
  EXPECT_EQ(count_of(note, apart.out), 1) << apart.out;
}

TEST(Stdout, AReaderOfTheResultWhoHasGoneEndsTheRunAsASignalDoes) {
  const TemporaryDirectory mount, folder;
  const std::string journal = folder / "j.jsonl";
  const std::string words = " --phase functional --mount " + mount.path() +
                            " --dataset-scale 0.002 --rate 100 --warmup 0s --duration 10m --json - --journal " +
                            journal + " | (until grep -qs interval " + journal + "; do sleep 0.05; done)";
  const Outcome run = Program({"bash", "-c", std::string("set -o pipefail; ") + edagen_path() + words}).wait();
  EXPECT_EQ(run.status, 130) << run.out << run.err;
  EXPECT_NE(run.err.find("nobody reads stdout any more"), std::string::npos) << run.err;
  EXPECT_TRUE(std::filesystem::is_empty(mount.path()));
}

TEST(Stdout, AStdoutThatNobodyReadsIsStatus130OfEachCommandAndEachWayThere) {
  const TemporaryDirectory here;
  const std::string load = " --phase functional --target sim:mm1 --rate 300 --warmup 0s --duration 5s",
                    result = here / "1.json";
  for (const char* const seed : {"1", "2"})
    ASSERT_EQ(shell(edagen_path() + load + " --json " + here.path() + "/" + seed + ".json --seed " + seed).status % 5,
              0);
  here.write("j.fio", "[a]\nrw=randread\nbs=4k\nsize=1m\n");
  for (const std::string& words :
       {load, load + " --dry-run", load + " --json -", load + " --csv -", load + " --journal -", load + " --hdr-log -",
        std::string("compare --phase functional --rate 300 --warmup 0s --duration 1s --repeat 1 --volume a=sim:mm1 "
                    "--volume b=sim:mm1"),
        "report " + result, "report " + result + " --csv -", "check " + result + " " + (here / "2.json"),
        "check " + result + " " + (here / "2.json") + " --json -", "workloads import-fio " + (here / "j.fio"),
        std::string("workloads show eda_mixed"), std::string("workloads list"), std::string("mounts"),
        std::string("completion bash"), std::string("help"), std::string("--version")}) {
    // It begins when the reader has gone for certain.
    const Outcome said =
        shell("mkfifo " + here.path() + "/gone; exec 3<>" + here.path() + "/gone 4>" + here.path() + "/gone 3<&-; " +
              edagen_path() + " " + words + " >&4; status=$?; rm " + here.path() + "/gone; exit $status");
    EXPECT_EQ(said.status, 130) << words << "\n" << said.err;
    EXPECT_TRUE(said.err.find("Broken pipe") != std::string::npos ||
                said.err.find("nobody reads stdout") != std::string::npos)
        << words << "\n"
        << said.err;
  }
}

TEST(Stdout, AClosedStdoutIsRefusedInOneLineByEachCommandBeforeAnythingIsTouched) {
  const TemporaryDirectory mount;
  const std::string words = edagen_path() + " --phase functional --mount " + mount.path() +
                            " --dataset-scale 0.0001 --rate 100 --warmup 0s --duration 100ms --keep-dataset";
  for (const std::string& line :
       {words, words + " <&-", words + " --dry-run", words + " --json -", words + " --journal -",
        words + " --hdr-log -", edagen_path() + std::string(" --help"), edagen_path() + std::string(" help curve"),
        edagen_path() + std::string(" --version"), edagen_path() + std::string(" workloads list")}) {
    const Outcome run = shell(line + " >&-");
    EXPECT_EQ(run.status, 2) << line << run.err;
    EXPECT_EQ(run.err, "edagen: stdout: is closed (send it to /dev/null if nobody is to read it)\n") << line;
    EXPECT_TRUE(std::filesystem::is_empty(mount.path())) << line;
  }
}

}  // namespace
}  // namespace edagen::testing
