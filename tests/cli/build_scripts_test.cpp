// What scripts/edagen, scripts/install-deps and scripts/lint show and where the rest goes: with scripts in place of
// apt-get, cmake and clang-tidy.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/text_file.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

class BuildScripts : public ::testing::Test {
 protected:
  BuildScripts() {
    for (const char* const name : {"bin", "scripts", "src", "include", "workloads", "cmake"})
      std::filesystem::create_directory(folder / name);
    for (const char* const script : {"edagen", "install-deps", "lab-edagen", "lint"})
      std::filesystem::copy(source_path("scripts/") + script, folder / "scripts");
    folder.write("CMakeLists.txt", "");
    stand_in("sudo", R"(shift; exec "$@")");
    stand_in("dpkg-query", "echo 'install ok installed'");
    stand_in("apt-get", "echo apt-get $1");
    stand_in("cmake", R"([[ $1 == --build ]] || { echo configured; exit; }
      for i in {1..45}; do echo "[$i/45] Building $i"; done
      mkdir -p build/product; printf '#!/bin/sh\necho ran "$@"' >build/product/edagen; chmod +x build/product/edagen)");
  }
  void stand_in(const std::string& name, const std::string& script) const {
    std::filesystem::permissions(folder.write("bin/" + name, "#!/bin/bash\n" + script),
                                 std::filesystem::perms::owner_all);
  }
  Outcome run(std::vector<std::string> words) const {
    words[0] = folder / ("scripts/" + words[0]);
    return Program(words, {{"PATH", (folder / "bin") + ":" + std::getenv("PATH")}}).wait();
  }
  std::string log(const std::string& name) const { return read_text_file(folder / ("build/" + name), 1'000'000); }

  TemporaryDirectory folder;
};

TEST_F(BuildScripts, EdagenIsBuiltWithALineForEachStepAndThenRun) {
  const Outcome first = run({"edagen", "a word"});
  EXPECT_EQ(first.status, 0);
  EXPECT_EQ(first.out, "ran a word\n");
  EXPECT_EQ(first.err,
            "edagen: configuring\nedagen: building (once, some minutes)\nedagen: building [12/45]\n"
            "edagen: building [24/45]\nedagen: building [36/45]\nedagen: building [45/45]\nedagen: running\n");
  EXPECT_TRUE(log("product.log").starts_with("configured\n[1/45] Building 1\n")) << log("product.log");
  const Outcome again = run({"edagen"});
  EXPECT_EQ(again.out, "ran\n");
  EXPECT_EQ(again.err, "");
}

TEST_F(BuildScripts, InALabEdagenIsThatOfTheLabWithItsTargets) {
  Program lab({folder / "scripts/edagen", "--phase", "functional"},
              {{"EDAGEN_LAB_BINARY", "/bin/echo"}, {"EDAGEN_LAB_PLACES", "--target nfs://server/vol"}});
  const Outcome outcome = lab.wait();
  EXPECT_EQ(outcome.out, "--phase functional --target nfs://server/vol\n");
  EXPECT_EQ(outcome.err, "edagen: the program of the lab runs: /bin/echo\n");
}

TEST_F(BuildScripts, ABuildThatFailsShowsItsEndAndNamesItsLog) {
  stand_in("cmake", R"([[ $1 == --build ]] || exit 0; echo "[1/2] Building"; echo "x.cpp:1: error"; exit 1)");
  const Outcome outcome = run({"edagen"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("x.cpp:1: error\nedagen: the build failed; all of it is in " +
                             (folder / "build/product.log") + "\n"),
            std::string::npos)
      << outcome.err;
}

TEST_F(BuildScripts, WhatIsInstalledIsALineAndTheRestALog) {
  stand_in("dpkg-query", R"([[ $4 == *boost* || $4 == help2man ]] || echo 'install ok installed')");
  const Outcome outcome = run({"install-deps"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "edagen: installing packages: 2 and what they need\n");
  EXPECT_EQ(log("install-deps.log"), "apt-get update\napt-get install\n");
}

TEST_F(BuildScripts, WhatIsOnHoldOrOfTwoArchitecturesIsInstalled) {
  stand_in(
      "dpkg-query",
      R"([[ $4 == cmake ]] && echo 'hold ok installed' || { echo 'install ok installed'; echo 'install ok installed'; })");
  stand_in("apt-get", "exit 100");
  const Outcome outcome = run({"install-deps"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST_F(BuildScripts, TwoAtATimeBuildEdagenOnce) {
  stand_in("cmake", R"([[ $1 == --build ]] || { echo "$*" >>calls; sleep 0.5; exit; }
      mkdir -p build/product; printf '#!/bin/sh\necho ran' >build/product/edagen; chmod +x build/product/edagen)");
  const Outcome outcome = shell("cd " + folder.path() + "; PATH=$PWD/bin:$PATH; scripts/edagen & scripts/edagen; wait");
  EXPECT_EQ(outcome.out, "ran\nran\n") << outcome.err;
  EXPECT_EQ(log("../calls"), "--preset product\n");
}

TEST_F(BuildScripts, EdagenIsBuiltAlsoWhereTheFileSystemHasNoLocks) {
  stand_in("flock", "echo 'flock: 10: Function not implemented' >&2; exit 1");
  const Outcome outcome = run({"edagen"});
  EXPECT_EQ(outcome.out, "ran\n") << outcome.err;
  EXPECT_NE(outcome.err.find("edagen: no lock on " + (folder / "build") + ": start it once"), std::string::npos)
      << outcome.err;
}

TEST_F(BuildScripts, AnInstallationThatFailsShowsItsEndAndNamesItsLog) {
  stand_in("dpkg-query", R"([[ $4 == help2man ]] || echo 'install ok installed')");
  stand_in("apt-get", "echo E: no network; exit 100");
  const Outcome outcome = run({"install-deps"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(outcome.err.ends_with(
      "E: no network\nedagen: packages could not be installed: help2man; all that apt-get said is in " +
      (folder / "build/install-deps.log") + "\n"))
      << outcome.err;
}

class Lint : public BuildScripts {
 protected:
  Lint() {
    for (const char* const room : {"base", "cli"})
      std::filesystem::create_directory(folder / ("src/" + std::string(room)));
    stand_in("cmake", R"(rooms=build/product/rooms/sources; mkdir -p $rooms
      echo x >$rooms/base.cpp; echo xxx >$rooms/cli.cpp; echo y >$rooms/of_an_earlier_build.cpp
      for room in base cli; do
        echo "  \"file\": \"$rooms/$room.cpp\""
      done >build/product/compile_commands.json)");
    stand_in("nproc", "echo 1");
    stand_in("clang-tidy", R"(echo "${@: -1}")");
  }
};

TEST_F(Lint, ReadsAllRoomsTheLargestFirst) {
  const Outcome outcome = run({"lint"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.out,
            "build/product/rooms/sources/cli.cpp\n"
            "build/product/rooms/sources/base.cpp\n");
}

TEST_F(Lint, FailsOnAFindingInAnyRoom) {
  stand_in("clang-tidy", R"([[ ${@: -1} != *cli* ]])");
  EXPECT_NE(run({"lint"}).status, 0);
  EXPECT_NE(run({"lint", "cli"}).status, 0);
  EXPECT_EQ(run({"lint", "base"}).status, 0);
}

TEST_F(Lint, RefusesARoomThatThereIsNot) {
  EXPECT_EQ(run({"lint", "of_an_earlier_build"}).status, 2);
  const Outcome outcome = run({"lint", "base", "cellar"});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.err, "edagen: there is no room cellar\n");
  EXPECT_EQ(outcome.out, "");
}

TEST_F(Lint, WithoutClangTidyFails) {
  std::filesystem::remove(folder / "bin/clang-tidy");
  for (const char* const tool : {"bash", "dirname"})
    std::filesystem::create_symlink(std::string("/usr/bin/") + tool, folder / (std::string("bin/") + tool));
  const Outcome outcome = Program({folder / "scripts/lint"}, {{"PATH", folder / "bin"}}).wait();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "edagen: clang-tidy is not installed: scripts/install-deps --test\n");
}

}  // namespace
}  // namespace edagen::testing
