// What scripts/package shows and makes, with scripts in place of cmake, cpack and apt-get.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/text_file.hpp"
#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

namespace fs = std::filesystem;

class PackageScript : public ::testing::Test {
 protected:
  PackageScript() {
    for (const char* const name : {"bin", "scripts", "build", "build/libmount"}) fs::create_directory(folder / name);
    fs::copy(source_path("scripts/package"), folder / "scripts");
    stand_in("scripts/install-deps", "exit 0");
    folder.write("build/libmount/made", "");
    stand_in("bin/cmake", R"(echo "cmake $*"
      case $1 in
        --preset) mkdir -p build/$2; echo 'set(CPACK_PACKAGE_FILE_NAME "edagen-1.2.3-linux-x86_64")' >build/$2/CPackConfig.cmake ;;
        --install) umask 007; mkdir -p $DESTDIR/usr/bin; echo x >$DESTDIR/usr/bin/edagen; chmod 775 $DESTDIR/usr/bin/edagen ;;
      esac)");
    stand_in("bin/cpack", "mkdir -p $6; touch $6/edagen_1.2.3.deb");
  }
  void stand_in(const std::string& name, const std::string& script) const {
    fs::permissions(folder.write(name, "#!/bin/bash\n" + script), fs::perms::owner_all);
  }
  Outcome package(const std::vector<std::string>& kinds) const {
    std::vector<std::string> words = {folder / "scripts/package"};
    words.insert(words.end(), kinds.begin(), kinds.end());
    return Program(words, {{"PATH", (folder / "bin") + ":" + std::getenv("PATH")}, {"PKG_CONFIG_PATH", "here"}}).wait();
  }
  Outcome package(const std::string& kind) const { return package(std::vector{kind}); }
  void expect_to_fail(const std::string& kind, const std::string& why) const {
    const Outcome outcome = package(kind);
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(outcome.err.ends_with(why + "\nedagen: the " + kind + " was not made; all that was said is in " +
                                      (folder / "build/package.log") + "\n"))
        << outcome.err;
  }

  TemporaryDirectory folder;
};

TEST_F(PackageScript, ABuildThatFailsShowsItsEndAndNamesItsLog) {
  stand_in("bin/cmake", R"([[ $1 != --build ]] || { echo "x.cpp:1: error"; exit 1; })");
  for (const char* const kind : {"deb", "rpm", "tar"}) expect_to_fail(kind, "x.cpp:1: error");
}

TEST_F(PackageScript, APackageThatIsNotMadeShowsWhy) {
  stand_in("bin/cpack", "echo 'CPack Error: no dpkg-shlibdeps'; exit 1");
  expect_to_fail("deb", "CPack Error: no dpkg-shlibdeps");
}

TEST_F(PackageScript, ALibmountWithoutItsSourcesShowsWhyAndIsBegunAnewTheNextTime) {
  fs::remove(folder / "build/libmount/made");
  stand_in("bin/apt-get", "echo E: no network; exit 100");
  for (int i = 0; i < 2; ++i) {
    const Outcome outcome = package("tar");
    EXPECT_EQ(outcome.status, 100);
    EXPECT_TRUE(outcome.err.starts_with("edagen: building libmount\nE: no network\nedagen: the tar was not made;"))
        << outcome.err;
  }
}

TEST_F(PackageScript, WhatSucceedsIsALineForEachStepAndThePackagesThatThereAre) {
  fs::create_directory(folder / "build/packages");
  folder.write("build/packages/edagen_1.2.2.deb", "of the version before");
  const Outcome outcome = package("deb");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "edagen: building the deb\n");
  EXPECT_NE(outcome.out.find("edagen_1.2.3.deb\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("1.2.2"), std::string::npos) << outcome.out;
  EXPECT_TRUE(read_text_file(folder / "build/package.log", 1'000'000).starts_with("cmake --preset deb\n"));
}

TEST_F(PackageScript, TheTarballHasOneDirectoryAndUnpackedByRootGivesNothingToOthers) {
  const Outcome outcome = package("tar");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Outcome list =
      Program({"tar", "--numeric-owner", "-tvf", folder / "build/packages/edagen-1.2.3-linux-x86_64.tar.gz"}).wait();
  std::istringstream lines(list.out);
  std::string all;
  for (std::string mode, owner, size, day, time, path; lines >> mode >> owner >> size >> day >> time >> path;)
    all += mode + " " + owner + " " + path + "\n";
  EXPECT_EQ(all,
            "drwxr-xr-x 0/0 edagen-1.2.3-linux-x86_64/\n"
            "drwxr-xr-x 0/0 edagen-1.2.3-linux-x86_64/usr/\n"
            "drwxr-xr-x 0/0 edagen-1.2.3-linux-x86_64/usr/bin/\n"
            "-rwxr-xr-x 0/0 edagen-1.2.3-linux-x86_64/usr/bin/edagen\n");
}

TEST_F(PackageScript, DirectoriesInAPackageAreForAllWhateverTheUmask) {
  stand_in("bin/cpack", "mkdir -p $6/lib; stat -c %a $6/lib >$6/mode.deb");
  const Outcome outcome =
      shell("umask 077; PATH=" + (folder / "bin") + ":$PATH " + (folder / "scripts/package") + " deb");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(read_text_file(folder / "build/packages/mode.deb", 100), "755\n");
}

TEST_F(PackageScript, TheLibmountOfStaticPackagesIsNotThatOfTheDeb) {
  stand_in("bin/cmake", R"(mkdir -p build/deb build/portable; touch build/portable/CPackConfig.cmake
    [[ $1 != --preset ]] || echo "$2 $PKG_CONFIG_PATH" >>configured)");
  stand_in("bin/cpack", "mkdir -p $6; touch $6/edagen.deb $6/edagen.rpm");
  EXPECT_EQ(package(std::vector<std::string>{"rpm", "deb"}).status, 0);
  EXPECT_EQ(read_text_file(folder / "configured", 1000),
            "portable " + (folder / "build/libmount/installed/lib/pkgconfig") + "\ndeb here\n");
}

}  // namespace
}  // namespace edagen::testing
