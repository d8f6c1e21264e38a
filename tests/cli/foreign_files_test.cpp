// The program and what is not its own: other users, other runs, mounts that come and go. As root and as another user.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/text_file.hpp"
#include "support/bind_mount.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_runs.hpp"
#include "support/stall_fs.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

TEST(ForeignFiles, ADatasetThatAnotherUserPreparedIsRefusedByRootAndTheOtherWayRound) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can be another user");
  const OtherUser other;
  const OpenDirectory mount;
  ASSERT_TRUE(ran(other.run(run_words(mount.path(), {"--duration", "300ms", "--keep-dataset"}))));
  for (const char* const option : {"--reuse-dataset", "--keep-dataset"}) {
    const Outcome root = run_small_on(mount.path(), {"--duration", "300ms", option});
    EXPECT_TRUE(is_refused(root, "belongs to user 65534, not to user 0"));
  }
  EXPECT_EQ(edagen({"clean", "--mount", mount.path()}).status, 2);
  EXPECT_EQ(other.run({"clean", "--mount", mount.path()}).status, 0);

  ASSERT_TRUE(ran(run_small_on(mount.path(), {"--duration", "300ms", "--keep-dataset"})));
  const Outcome refused = other.run(run_words(mount.path(), {"--duration", "300ms", "--reuse-dataset"}));
  EXPECT_TRUE(is_refused(refused, "belongs to user 0, not to user 65534"));
  EXPECT_EQ(other.run({"clean", "--mount", mount.path()}).status, 2);
  EXPECT_TRUE(fs::exists(mount / "edagen.data/c0000"));
}

TEST(ForeignFiles, AUserWithoutRightsRunsReusesAndCleans) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can be another user");
  const OtherUser other;
  const OpenDirectory mount;
  EXPECT_TRUE(ran(other.run(run_words(mount.path(), {"--duration", "300ms", "--keep-dataset"}))));
  EXPECT_TRUE(ran(other.run(run_words(mount.path(), {"--duration", "300ms", "--reuse-dataset"}))));
  EXPECT_EQ(other.run({"clean", "--mount", mount.path()}).status, 0);
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(ForeignFiles, TheTestsOfDatasetsAndTargetsPassAsAUserWithoutRights) {
  if (::geteuid() != 0) EDAGEN_SKIP("only root can be another user");
  const OtherUser other(thread_tests_path());
  const Outcome outcome = other.run(
      {"--gtest_filter=DatasetBuilderTest.*:DatasetRootTest.*:PosixTargetTest.*:*BeneathTest.*-*CannotBeListed*"},
      {"env", "-u", "EDAGEN_NO_SKIPS", "-u", "GTEST_TOTAL_SHARDS"});  // some need root
  EXPECT_EQ(outcome.status, 0) << outcome.out;
  EXPECT_NE(outcome.out.find("[  PASSED  ]"), std::string::npos);
  for (const std::string one_of_them : {"DatasetBuilderTest.", "DatasetRootTest.WhatIsNoMarker"})
    EXPECT_NE(outcome.out.find("[       OK ] " + one_of_them), std::string::npos) << outcome.out;
}

TEST(ForeignFiles, ADatasetIsForOneRunAtATimeAndCleanWaitsForItsEnd) {
  const TemporaryDirectory mount;
  Program first(edagen_words(run_words(mount.path(), {"--duration", "100s"})));
  const std::string pid = std::to_string(first.pid());
  ASSERT_TRUE(first.wait_for_stderr("measuring"));
  for (const std::string option : {"--reuse-dataset", "--keep-dataset", "--dry-run"}) {
    const Outcome second = run_small_on(mount.path(), {"--duration", "300ms", option});
    EXPECT_TRUE(is_refused(second, "is in use by edagen, process " + pid)) << option << ": ";
  }
  const Outcome clean = edagen({"clean", "--mount", mount.path()});
  EXPECT_TRUE(is_refused(clean, "is in use by edagen, process " + pid));
  first.signal(SIGINT);
  const Outcome outcome = first.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(ForeignFiles, ADatasetIsForOneRunAtATimeAlsoByMountsThatDoNotSeeEachOthersLocks) {
  const StallFs stall;
  if (!stall.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  const std::unique_ptr<StallMount> other = stall.mounted_again();
  ASSERT_TRUE(other->mounted());
  Program run(edagen_words(run_words(stall.path(), {"--duration", "100s"})));
  ASSERT_TRUE(run.wait_for_stderr("measuring"));
  const std::string in_use = "is in use by edagen, process " + std::to_string(run.pid());
  EXPECT_TRUE(is_refused(edagen({"clean", "--mount", other->path()}), in_use));
  EXPECT_TRUE(is_refused(run_small_on(other->path(), {"--duration", "100ms", "--reuse-dataset"}), in_use));
  run.signal(SIGINT);
  EXPECT_EQ(run.wait().status, 130);
}

TEST(ForeignFiles, OfRunsThatStartTogetherOneRunsAndTheOthersSayWhy) {
  const TemporaryDirectory mount;
  std::vector<std::unique_ptr<Program>> runs;
  for (int i = 0; i < 6; ++i)
    runs.push_back(std::make_unique<Program>(edagen_words(run_words(mount.path(), {"--duration", "100s"}))));
  std::vector<bool> measures;  // of the others it is known when they have ended
  for (const auto& run : runs) measures.push_back(run->wait_for_stderr("measuring"));
  EXPECT_EQ(std::ranges::count(measures, true), 1);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (measures[i]) runs[i]->signal(SIGINT);
    const Outcome outcome = runs[i]->wait();
    EXPECT_EQ(outcome.status, measures[i] ? 130 : 2) << outcome.err;
    if (measures[i]) continue;
    const bool says_why = outcome.err.find("is in use by") != std::string::npos ||
                          outcome.err.find("in the meantime") != std::string::npos;
    EXPECT_TRUE(says_why) << outcome.err;
  }
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(ForeignFiles, AKillAtAnyMomentLeavesWhatCleanRemovesAndTheNextRunUses) {
  const TemporaryDirectory mount;
  for (int i = 0; i < 12; ++i) {
    Program run(
        edagen_words(run_words(mount.path(), {"--duration", "100ms", "--reuse-dataset", "--dataset-scale", "0.02"})));
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + 12 * i * i));
    run.signal(SIGKILL);
    run.wait();
    if (i % 3 == 0) {
      const Outcome clean = edagen({"clean", "--mount", mount.path()});
      EXPECT_EQ(clean.status, 0) << clean.err;
      EXPECT_TRUE(fs::is_empty(mount.path()));
    }
  }
  for (int i = 0; i < 8; ++i) {  // and one of `clean` itself
    const Outcome next =
        run_small_on(mount.path(), {"--duration", "100ms", "--reuse-dataset", "--dataset-scale", "0.02"});
    EXPECT_TRUE(ran(next)) << next.err;
    Program clean(edagen_words({"clean", "--mount", mount.path()}));
    std::this_thread::sleep_for(std::chrono::milliseconds(2 + 4 * i));
    clean.signal(SIGKILL);
    clean.wait();
  }
  EXPECT_EQ(edagen({"clean", "--mount", mount.path()}).status, 0);
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

/// The journal is a FIFO: the run waits between its checks and its first file until somebody reads it.
TEST(ForeignFiles, ADirectoryMovedInWhileARunWaitsIsNotTouched) {
  const TemporaryDirectory mount, other;
  fs::create_directory(other / "thesis");
  other.write("thesis/chapter", "x");
  ::mkfifo((other / "journal").c_str(), 0600);
  Program run(edagen_words(run_words(mount.path(), {"--duration", "300ms", "--journal", other / "journal"})));
  ASSERT_TRUE(run.wait_for_stderr("load "));
  std::this_thread::sleep_for(300ms);
  fs::rename(other / "thesis", mount / "edagen.data");
  std::ifstream journal(other / "journal");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 2) << outcome.err;
  EXPECT_TRUE(fs::exists(mount / "edagen.data/chapter"));
  EXPECT_EQ(std::distance(fs::directory_iterator(mount / "edagen.data"), {}), 1) << "nothing was added";
  EXPECT_EQ(outcome.err.find("edagen clean"), std::string::npos) << outcome.err;
}

TEST(ForeignFiles, AMountThatGoesAwayDuringARunUncoversADatasetThatIsLeftAlone) {
  const TemporaryDirectory mount;
  ASSERT_TRUE(ran(run_small_on(mount.path(), {"--duration", "100ms", "--keep-dataset"})));
  if (::mount("tmpfs", mount.path().c_str(), "tmpfs", 0, nullptr) != 0) EDAGEN_SKIP("mounting is not allowed");
  Program run(edagen_words(run_words(mount.path(), {"--duration", "100s"})));
  const bool measuring = run.wait_for_stderr("measuring:");
  ::umount2(mount.path().c_str(), MNT_DETACH);
  ASSERT_TRUE(measuring);
  EXPECT_TRUE(run.wait_for_stderr("measuring:", 3)) << "it goes on";
  run.signal(SIGINT);
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("was unmounted or replaced during the run"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::exists(mount / "edagen.data/c0000/p01"));
  EXPECT_EQ(edagen({"clean", "--mount", mount.path()}).status, 0);
}

TEST(ForeignFiles, DirectoriesThatTurnIntoLinksDuringARunAreNotFollowed) {
  const TemporaryDirectory mount, other;
  for (const char* const name : {"f000000", "e000000", "f000004", "m000000"}) other.write(name, "x");
  Program run(
      edagen_words(run_words(mount.path(), {"--duration", "2s", "--rate", "max", "--max-errors", "1000000000", "-q"})));
  const std::string data = mount / "edagen.data/c0000/p00";
  for (const auto end = std::chrono::steady_clock::now() + 2s; std::chrono::steady_clock::now() < end;)
    for (const char* const name : {"d000", "d001", "d002", "d003"}) {
      std::error_code none;
      fs::rename(data + "/" + name, data + "/" + name + ".away", none);
      if (none) continue;
      fs::create_directory_symlink(other.path(), data + "/" + name, none);
      std::this_thread::sleep_for(1ms);
      fs::remove(data + "/" + name, none);
      fs::rename(data + "/" + name + ".away", data + "/" + name, none);
    }
  run.wait();
  EXPECT_EQ(std::distance(fs::directory_iterator(other.path()), {}), 4);
  for (const auto& entry : fs::directory_iterator(other.path())) EXPECT_EQ(entry.file_size(), 1u) << entry;
}

TEST(ForeignFiles, AComparisonRemovesTheDatasetsItMadeAndNoOther) {
  const TemporaryDirectory kept, fresh;
  const std::vector<std::string> load = {"--phase",         "functional", "--procs",  "2",
                                         "--dataset-scale", "0.0001",     "--warmup", "0s",
                                         "--duration",      "200ms",      "-q"};
  std::vector<std::string> first = load, both = load;
  first.insert(first.begin(), {"run", "--mount", kept.path(), "--keep-dataset"});
  ASSERT_TRUE(ran(edagen(first)));
  both.insert(both.begin(), {"compare", "--volume", "a=" + kept.path(), "--volume", "b=" + fresh.path(), "--rate",
                             "200", "--repeat", "1"});
  const Outcome outcome = edagen(both);
  EXPECT_TRUE(ran(outcome)) << outcome.err;
  EXPECT_TRUE(fs::exists(kept / "edagen.data/c0000"));
  EXPECT_FALSE(fs::exists(fresh / "edagen.data"));
}

TEST(ForeignFiles, ARunThatWasKilledAndThatNobodyHasWaitedForHoldsNoDataset) {
  const TemporaryDirectory mount;
  Program killed(edagen_words(run_words(mount.path(), {"--duration", "20s"})));
  ASSERT_TRUE(killed.wait_for_stderr("measuring"));
  killed.signal(SIGKILL);
  siginfo_t info{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(killed.pid()), &info, WEXITED | WNOWAIT), 0);  // it stays a zombie
  const Outcome clean = edagen({"clean", "--mount", mount.path()});
  EXPECT_EQ(clean.status, 0) << clean.err;
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(ForeignFiles, ADatasetThatCannotBeRemovedIsAnErrorOfTheRun) {
  const TemporaryDirectory mount, other, here;
  other.write("thesis", "x");
  // Also of one that is to be quiet; its journal shows that the dataset is there.
  Program run(edagen_words(
      run_words(mount.path(), together({"--duration", "1s", "-q", "--journal", here / "j"}, held_until(here / "go")))));
  for (int i = 0; i < 3000 && text_of(here / "j").find("\"header\"") == std::string::npos; ++i)
    std::this_thread::sleep_for(10ms);
  fs::create_directory(mount / "edagen.data/c0000/p00/d777");
  const BindMount bound(other.path(), mount / "edagen.data/c0000/p00/d777");
  if (!bound.mounted()) EDAGEN_SKIP("mounting is not allowed");
  here.write("go", "");
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("d777: has something else mounted on it"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("(up to 40 files, 128 KiB); edagen clean --mount " + mount.path()), std::string::npos)
      << outcome.err;
  EXPECT_TRUE(fs::exists(other / "thesis"));
}

TEST(ForeignFiles, AFileThatSomebodyPutsIntoADatasetDuringARunStaysAndIsNamedByTheRunAndByClean) {
  const TemporaryDirectory mount, here;
  Program run(edagen_words(
      run_words(mount.path(), together({"--duration", "100ms", "--journal", here / "j"}, held_until(here / "go")))));
  for (int i = 0; i < 3000 && text_of(here / "j").find("\"header\"") == std::string::npos; ++i)
    std::this_thread::sleep_for(10ms);
  mount.write("edagen.data/c0000/thesis", "years of work");
  here.write("go", "");
  const Outcome outcome = run.wait();
  const std::string stays = "edagen.data/c0000/thesis: was not made by edagen and stays (move it away; edagen clean";
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find(stays), std::string::npos) << outcome.err;
  const Outcome clean = edagen({"clean", "--mount", mount.path()});
  EXPECT_EQ(clean.status, 1) << clean.err;
  EXPECT_NE(clean.err.find(stays), std::string::npos) << clean.err;
  EXPECT_FALSE(fs::exists(mount / "edagen.data/c0000/p00"));
  fs::rename(mount / "edagen.data/c0000/thesis", here / "thesis");
  EXPECT_EQ(edagen({"clean", "--mount", mount.path()}).status, 0);
  EXPECT_TRUE(fs::is_empty(mount.path()));
}

TEST(ForeignFiles, ADatasetThatIsKeptIsSaidWithItsSizeAndHowToRemoveIt) {
  const TemporaryDirectory mount;
  const Outcome outcome = run_small_on(mount.path(), {"--duration", "100ms", "--keep-dataset"});
  EXPECT_TRUE(ran(outcome)) << outcome.err;
  EXPECT_NE(outcome.err.find("the dataset is kept (40 files, 128 KiB); edagen clean --mount " + mount.path()),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(run_small_on(mount.path(), {"--duration", "100ms", "--reuse-dataset"}).err.find("edagen clean"),
            std::string::npos)
      << "it was there before";
}

TEST(ForeignFiles, CleanOfSeveralDirectoriesTouchesNoneWhenOneHoldsNoDatasetOfEdagens) {
  const TemporaryDirectory mount, foreign;
  run_small_on(mount.path(), {"--duration", "100ms", "--keep-dataset"});
  fs::create_directory(foreign / "edagen.data");
  foreign.write("edagen.data/thesis", "precious");
  EXPECT_EQ(edagen({"clean", "--mount", mount.path(), "--mount", foreign.path()}).status, 2);
  EXPECT_TRUE(fs::exists(mount / "edagen.data/edagen.dataset.json"));
  EXPECT_EQ(edagen({"clean", "--mount", mount.path()}).status, 0);
}

TEST(ForeignFiles, WhatTakesThePlaceOfTheTemporaryDirectoryIsNotRemoved) {
  const TemporaryDirectory place;
  Program run(edagen_words({"--phase", "functional", "--procs", "2", "--dataset-scale", "0.0001", "--warmup", "0s",
                            "--duration", "100s", "--progress", "always"}),
              {{"TMPDIR", place.path()}});
  ASSERT_TRUE(run.wait_for_stderr("measuring"));
  const std::string own = fs::directory_iterator(place.path())->path();
  fs::rename(own, place / "moved");
  std::ofstream(own) << "precious";
  run.signal(SIGINT);
  run.wait();
  EXPECT_TRUE(fs::exists(own));
  const Outcome none =
      Program(edagen_words({"--phase", "functional", "--duration", "100ms"}), {{"TMPDIR", own}}).wait();
  EXPECT_EQ(none.status, 2);
  EXPECT_TRUE(none.err.starts_with("edagen: TMPDIR: ")) << none.err;
}

TEST(ForeignFiles, TheTemporaryDirectoryOfARunThatWasKilledIsNamedByTheNextRunAndThatOfARunThatGoesOnIsNot) {
  const TemporaryDirectory place;
  const auto words = [](const char* duration) {
    return edagen_words({"--phase", "functional", "--procs", "2", "--dataset-scale", "0.0001", "--warmup", "0s",
                         "--duration", duration, "--progress", "always"});
  };
  const auto said_by_next_run = [&] { return Program(words("100ms"), {{"TMPDIR", place.path()}}).wait().err; };
  Program run(words("100s"), {{"TMPDIR", place.path()}});
  ASSERT_TRUE(run.wait_for_stderr("measuring"));
  const std::string own = fs::directory_iterator(place.path())->path();
  EXPECT_EQ(said_by_next_run().find("edagen clean"), std::string::npos);
  run.signal(SIGKILL);
  run.wait();
  const std::string said = said_by_next_run();
  EXPECT_NE(said.find("1 dataset of earlier runs is left: edagen clean --mount " + own + " removes"), std::string::npos)
      << said;
  EXPECT_EQ(Program(edagen_words({"clean", "--mount", own + "/"}), {{"TMPDIR", place.path()}}).wait().status, 0);
  EXPECT_FALSE(fs::exists(own)) << "the run had made it";
  EXPECT_EQ(said_by_next_run().find("edagen clean"), std::string::npos);
  const std::string of_user = place / "edagen-wisdom";
  fs::create_directory(of_user);
  fs::permissions(of_user, fs::perms(0755));
  edagen({"run", "--phase", "functional", "--procs", "1", "--dataset-scale", "0.0001", "--warmup", "0s", "--duration",
          "100ms", "-q", "--keep-dataset", "--mount", of_user});
  EXPECT_EQ(Program(edagen_words({"clean", "--mount", of_user}), {{"TMPDIR", place.path()}}).wait().status, 0);
  EXPECT_TRUE(fs::exists(of_user)) << "the user had made it";
}

TEST(ForeignFiles, WhatTheSystemDoesNotLetBeRemovedIsNamedWithTheReason) {
  const TemporaryDirectory place;
  edagen({"run", "--phase", "functional", "--procs", "1", "--dataset-scale", "0.0001", "--warmup", "0s", "--duration",
          "100ms", "-q", "--keep-dataset", "--mount", place.path()});
  const std::string file = place / "edagen.data/c0000/p00/d000/f000000";
  ASSERT_TRUE(fs::exists(file));
  for (const std::string attribute : {"i", "a"}) {
    if (shell("chattr +" + attribute + " " + file).status != 0) EDAGEN_SKIP("this file system has no such attribute");
    const Outcome outcome = edagen({"clean", "--mount", place.path()});
    shell("chattr -" + attribute + " " + file);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_NE(outcome.err.find("f000000: cannot be removed: Operation not permitted (chattr -ia "), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(edagen({"clean", "--mount", place.path()}).status, 0);
}

}  // namespace
}  // namespace edagen::testing
