// scripts/check-apart in a small repository whose two files are compiled as one elsewhere.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

class CheckApart : public ::testing::Test {
 protected:
  CheckApart() {
    std::filesystem::create_directory(folder / "scripts");
    for (const char* const script : {"scripts/changed", "scripts/check-apart"})
      std::filesystem::copy(source_path(script), folder / "scripts");
  }
  /// After a commit of a file that declares `twice`, and of one that uses it and does not include it, `change` is made.
  Outcome check_after(const std::string& change) const {
    return shell("cd " + folder.path() + R"(
      mkdir -p src/room tests/room; git init -q -b main
      echo '{"version": 3, "configurePresets": [{"name": "quick", "generator": "Ninja", "binaryDir": "build/quick"}],
             "buildPresets": [{"name": "quick", "configurePreset": "quick"}]}' >CMakePresets.json
      echo 'cmake_minimum_required(VERSION 3.20)
            project(small CXX)
            set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
            add_compile_options(-Wall)
            add_library(small OBJECT src/room/a.cpp src/room/b.cpp)' >CMakeLists.txt
      echo 'int twice(int value) { return 2 * value; }' >src/room/a.cpp
      echo 'int four_times(int value) { return twice(twice(value)); }' >src/room/b.cpp
      echo 'int main() {}' >tests/room/own_program.cpp
      git add -A; git -c user.name=a -c user.email=a@b commit -qm one; export EDAGEN_BASE=$(git rev-parse HEAD)
      )" + change +
                 "; scripts/check-apart");
  }

  TemporaryDirectory folder;
};

TEST_F(CheckApart, FailsOnAChangedFileThatDoesNotCompileByItself) {
  const Outcome outcome = check_after("echo '// changed' >>src/room/b.cpp");
  EXPECT_NE(outcome.status, 0);
  EXPECT_NE(outcome.err.find("b.cpp"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("twice"), std::string::npos) << outcome.err;
}

TEST_F(CheckApart, ReadsNothingButWhatHasChanged) {
  const Outcome outcome = check_after("echo '// changed' >>src/room/a.cpp; echo >>tests/room/own_program.cpp");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("by itself (1)"), std::string::npos) << "b.cpp has not changed: " << outcome.err;
}

TEST_F(CheckApart, TakesWarningsForErrors) {
  const Outcome outcome = check_after("echo 'static int unused;' >>src/room/a.cpp");
  EXPECT_NE(outcome.status, 0) << outcome.err;
}

}  // namespace
}  // namespace edagen::testing
