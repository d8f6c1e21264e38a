// What bash proposes when the Tab key is pressed after the words of a command line.
#include <gtest/gtest.h>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

class Completion : public ::testing::Test {
 protected:
  Completion() : script_(folder_.write("edagen", edagen({"completion", "bash"}).out)) {}
  /// Separated by spaces; the last of the words, which may be empty, is the one to complete.
  std::string after(const std::string& words) const {
    const char* const asked = R"sh(source "$0"; eval "COMP_WORDS=(edagen $1)"
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _edagen; echo "${COMPREPLY[*]}")sh";
    const Outcome outcome = Program({"bash", "-c", asked, script_, words}).wait();
    EXPECT_EQ(outcome.err, "");
    return outcome.out;
  }

 private:
  TemporaryDirectory folder_;
  std::string script_;
};

TEST_F(Completion, CommandsAreProposedFirst) {
  EXPECT_EQ(after("cu"), "curve\n");
  EXPECT_EQ(after("''").find("--phase"), std::string::npos) << after("''");
}

TEST_F(Completion, OptionsOfARunAreProposedWithAndWithoutItsName) {
  EXPECT_EQ(after("--pha"), "--phase\n");
  EXPECT_EQ(after("run --pha"), "--phase\n");
  EXPECT_EQ(after("--clients 3 --pha"), "--phase\n");
  EXPECT_EQ(after("--vers"), "--version\n");
}

TEST_F(Completion, ValuesAreProposedAfterTheirOption) {
  EXPECT_EQ(after("--phase m"), "mixed\n");
  EXPECT_EQ(after("curve --phase ''"), "functional physical mixed\n");
}

TEST_F(Completion, FilesAreLeftToTheShell) { EXPECT_EQ(after("--mount /m"), "\n"); }

}  // namespace
}  // namespace edagen::testing
