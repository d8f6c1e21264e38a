// scripts/test with ctest itself, on tests that are programs of one line.
#include <gtest/gtest.h>

#include <filesystem>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

/// `scripts/test unit`, where the tests of that label are `unit_tests`, and one of another label comes before them.
Outcome gate_of(const TemporaryDirectory& folder, const std::string& unit_tests) {
  std::filesystem::create_directories(folder / "scripts");
  std::filesystem::copy(source_path("scripts/test"), folder / "scripts");
  std::filesystem::copy(source_path("CMakePresets.json"), folder.path());
  std::filesystem::create_directories(folder / "tests");
  std::filesystem::copy(source_path("tests/proofs"), folder / "tests");
  return shell("cd " + folder.path() + R"sh(
    mkdir -p programs build/asan
    for program in cmake ../scripts/install-deps; do printf '#!/bin/sh\n' >programs/$program; chmod +x programs/$program; done
    { echo 'add_test(other "/bin/true")
            set_tests_properties(other PROPERTIES LABELS thread)'
      i=0
      for command in )sh" +
               unit_tests +
               R"sh(; do
        i=$((i + 1)); name="test.$i  # GetParam() = ($i)"  # as GoogleTest names tests of values
        echo "add_test(\"$name\" \"/bin/sh\" \"-c\" \"$command\")
              set_tests_properties(\"$name\" PROPERTIES LABELS unit)"
      done; } >build/asan/CTestTestfile.cmake
    PATH=$PWD/programs:$PATH scripts/test unit)sh");
}

TEST(ScriptsTest, ATestThatFailsTwiceIsAFailureThoughTheNextOnePasses) {
  const TemporaryDirectory folder;
  const Outcome outcome = gate_of(folder, "true false true true");
  EXPECT_EQ(outcome.status, 1) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("failed: unit"), std::string::npos) << outcome.err;
}

TEST(ScriptsTest, ATestThatPassesAloneIsNamedAsDisturbed) {
  const TemporaryDirectory folder;
  const Outcome outcome = gate_of(folder, "true 'test -e again || { touch again; false; }' true");
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.err.find("passed only alone, not beside other tests"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen::testing
