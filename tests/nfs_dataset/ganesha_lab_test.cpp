// scripts/ganesha-lab: what it promises to a command.
#include "support/ganesha_lab.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

TEST(GaneshaLab, HasTheStatusTheInputAndTheDirectoryOfItsCommand) {
  EDAGEN_NEEDS_GANESHA();
  EXPECT_EQ(in_ganesha_lab({}, "exit 7").status, 7);
  const TemporaryDirectory folder;
  const Outcome outcome = shell("cd " + folder.path() + " && echo word | " + source_path("scripts/ganesha-lab") +
                                " bash -c 'cat; pwd; echo here >file; echo $GANESHA_TARGETS'");
  EXPECT_EQ(outcome.out, "word\n" + folder.path() + "\nnfs://127.0.1.1/vfs\n") << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(text_of(folder / "file"), "here\n");
}

TEST(GaneshaLab, RefusesWordsThatItDoesNotKnowBeforeItStartsAnything) {
  for (const auto& [words, expected] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--fsal", "zfs", "true"}, "--fsal zfs is not vfs or mem"},
           {{"--rtt", "5", "true"}, "--rtt 5 is not a time such as 0.5ms"},
           {{"--rtt", "1ms,x", "true"}, "--rtt x is not a time such as 0.5ms"},
           {{"--rtt", "", "true"}, "--rtt  is not a time such as 0.5ms"},
           {{"--addresses", "0", "true"}, "--addresses 0 is not a number from 1 to 1000"},
           {{"--rtt"}, "--rtt needs a value"},
           {{"--mounts", "2", "true"}, "unknown word --mounts"},
           {{}, "no command"}}) {
    std::vector<std::string> all = together({source_path("scripts/ganesha-lab")}, words);
    const Outcome outcome = Program(all).wait();
    EXPECT_TRUE(is_refused(outcome, "ganesha-lab: " + expected));
  }
}

TEST(GaneshaLab, GivesItsTargetsToTheCommandsThatTakeThem) {
  EDAGEN_NEEDS_GANESHA();
  const TemporaryDirectory folder;
  const auto in_lab = [](std::vector<std::string> words) {
    words.insert(words.begin(), {source_path("scripts/ganesha-lab"), "edagen"});
    return Program(words, {{"EDAGEN_BINARY", edagen_path()}}).wait();
  };
  const Outcome clean = in_lab({"clean"});
  EXPECT_EQ(clean.status, 0) << clean.err;
  EXPECT_NE(clean.err.find("nfs://127.0.1.1/vfs: there is no dataset"), std::string::npos) << clean.err;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"help", "run"},
                                             {"completion", "bash"},
                                             {"--phase", "functional", "--mount=" + folder.path(), "--dry-run"}}) {
    const Outcome outcome = in_lab(words);
    EXPECT_EQ(outcome.status, 0) << words.front() << ": " << outcome.err;
  }
}

TEST(GaneshaLab, WithoutNamespacesGivesTheReasonAndLeavesNothing) {
  EDAGEN_NEEDS_GANESHA();
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "tmp");
  std::filesystem::permissions(folder.write("unshare", "#!/bin/sh\necho unshare failed: not permitted >&2; exit 1\n"),
                               std::filesystem::perms::owner_all);
  const Outcome outcome = Program({source_path("scripts/ganesha-lab"), "true"},
                                  {{"PATH", folder.path() + ":" + std::getenv("PATH")}, {"TMPDIR", folder / "tmp"}})
                              .wait();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.err.starts_with("ganesha-lab did not start: ")) << outcome.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST(GaneshaLab, AnswersOnAllItsAddressesAlsoThroughTheRelay) {
  EDAGEN_NEEDS_GANESHA();
  for (const char* const rtt : {"0ms", "2ms"}) {
    const Outcome outcome = in_ganesha_lab({"--rtt", rtt, "--addresses", "3"},
                                           "for a in 1 2 3; do rpcinfo -T tcp 127.0.1.$a nfs 3 && rpcinfo -T tcp "
                                           "127.0.1.$a mountd 3; done");
    std::size_t ready = 0;
    for (std::size_t at = outcome.out.find("ready"); at != std::string::npos; at = outcome.out.find("ready", at + 1))
      ++ready;
    EXPECT_EQ(ready, 6u) << rtt << outcome.out << outcome.err;
  }
}

TEST(GaneshaLab, OfSeveralRoundTripsEachIsOfOneAddressAndTheLastOfAllThatFollow) {
  EDAGEN_NEEDS_GANESHA();
  const Outcome outcome = in_ganesha_lab({"--rtt", "0ms,200ms", "--addresses", "3"},
                                         "for a in 1 2 3; do from=$(date +%s%N); rpcinfo -T tcp 127.0.1.$a nfs 3 "
                                         ">/dev/null; echo $((($(date +%s%N) - from) / 1000000)); done");
  std::istringstream times(outcome.out);
  int first = 0, second = 0, third = 0;
  ASSERT_TRUE(times >> first >> second >> third) << outcome.out << outcome.err;
  EXPECT_GE(second, 200);
  EXPECT_GE(third, 200);
  EXPECT_LT(first, second);
}

TEST(GaneshaLab, EndsItsServerHoweverItEnds) {
  EDAGEN_NEEDS_GANESHA();
  for (const int number : {SIGTERM, SIGKILL}) {
    const TemporaryDirectory folder;  // where a lab that is killed leaves its files
    Program lab(ganesha_words({"--rtt", "1ms"}, "echo server $GANESHA_PID. >&2; sleep 100"),
                {{"TMPDIR", folder.path()}});
    ASSERT_TRUE(lab.wait_for_stderr("."));
    lab.signal(number);
    const std::string err = lab.wait().err;
    const pid_t server = std::stoi(err.substr(err.find("server ") + 7));
    for (int left = 100; left > 0 && ::kill(server, 0) == 0; --left)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_NE(::kill(server, 0), 0) << "after signal " << number;
  }
}

}  // namespace
}  // namespace edagen::testing
