// scripts/check-rooms on small trees of files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/program.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

class CheckRooms : public ::testing::Test {
 protected:
  void write(const std::string& path, const std::string& includes) {
    const std::filesystem::path file = tree_ / path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << includes << "\n";
  }
  testing::Outcome check() {
    return testing::Program({SOURCE_DIR "/scripts/check-rooms", "--root", tree_.path()}).wait();
  }

  testing::TemporaryDirectory tree_;
};

TEST_F(CheckRooms, FilesMayIncludeEachOtherInOneDirection) {
  write("include/edagen/core/a.hpp", "");
  write("src/core/a.cpp", "#include \"edagen/core/a.hpp\"\n#include \"b.hpp\"");
  write("src/core/b.hpp", "#include <vector>");
  write("src/stats/a.cpp", "#include \"edagen/core/a.hpp\"");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(CheckRooms, ACircleIsNamedAlsoWhenSourcesCloseIt) {
  write("include/edagen/core/a.hpp", "");
  write("src/core/a.cpp", "#include \"b.hpp\"");
  write("src/core/b.hpp", "");
  write("src/core/b.cpp", "#include \"edagen/core/a.hpp\"");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("core/a"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("core/b"), std::string::npos) << outcome.err;
}

TEST_F(CheckRooms, ARoomThatKnowsOneToItsRightIsNamed) {
  write("include/edagen/core/a.hpp", "#include \"edagen/stats/b.hpp\"");
  write("include/edagen/stats/b.hpp", "");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("core must not know stats"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen
