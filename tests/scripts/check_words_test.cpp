// scripts/check-words on small trees of files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

class CheckWords : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file = tree_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }
  testing::Outcome check(const std::vector<std::string>& files = {}) {
    std::vector<std::string> words{testing::source_path("scripts/check-words"), "--root", tree_.path()};
    for (const std::string& file : files) words.push_back((std::filesystem::path(tree_.path()) / file).string());
    return testing::Program(words).wait();
  }
  void expect_complaint(const std::string& complaint) {
    const testing::Outcome outcome = check();
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.err, complaint + "\n");
  }

  testing::TemporaryDirectory tree_;
};

TEST_F(CheckWords, WholeSentencesAndQuestionsPass) {
  write("src/new_room/a.hpp",
        "// The rate that was asked for. Who waits?\nint rate;  // in ops/s, as the user tells it");
  write("docs/a.md", "# Of a heading\n\nA program prints it. A user knows it.\n\n    edagen says # Of code: nothing\n");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(CheckWords, AFragmentIsNamedWithTheLineOnWhichItBegins) {
  write("src/new_room/a.hpp", "int a;\n// A whole sentence. Of the\n// leader: one from each.");
  expect_complaint("src/new_room/a.hpp:2: \"Of the leader: one ...\" begins no sentence: put the subject first");
}

TEST_F(CheckWords, AFragmentOnAPageIsNamedButNotInItsCode) {
  write("docs/a.md", "```\nOf code: nothing\n```\n\nA list:\n\n- With which it goes.");
  expect_complaint("docs/a.md:7: \"With which it goes. ...\" begins no sentence: put the subject first");
}

TEST_F(CheckWords, AProgramThatTalksIsNamedInCommentsAndNotInTexts) {
  write("src/new_room/a.cpp", "const char* text = \"// says\";\nint a;  // the server says so");
  expect_complaint("src/new_room/a.cpp:2: \"says\" is for people: a program prints, returns or names it");
}

TEST_F(CheckWords, ANameThatWasGivenUpIsNamedInCodeWithTheOneThatTookItsPlace) {
  write("src/new_room/a.cpp", "// KeptShares was here.\nKeptShares shares;  // KeptShares");
  expect_complaint("src/new_room/a.cpp:2: the name KeptShares was given up: MixBalancer");
}

TEST_F(CheckWords, ANameThatOneRoomGaveUpMayBeUsedInOthers) {
  write("src/new_room/a.cpp", "int begun;");
  write("src/load/a.cpp", "int begun;");
  EXPECT_EQ(check({"src/new_room/a.cpp"}).status, 0);
  EXPECT_EQ(check({"src/load/a.cpp"}).err, "src/load/a.cpp:1: the name begun was given up: op_started\n");
}

TEST_F(CheckWords, AFileThatIsTooLongIsNamed) {
  std::string lines;
  for (int i = 0; i < 400; ++i) lines += "int a;\n";
  write("src/new_room/a.cpp", lines + "int b;");
  expect_complaint("src/new_room/a.cpp:401: 401 lines; at most 400: split the file by its subjects");
}

}  // namespace
}  // namespace edagen
