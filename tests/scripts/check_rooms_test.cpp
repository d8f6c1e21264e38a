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
  write("include/edagen/op.hpp", "");
  write("src/base/op.cpp", "#include \"edagen/op.hpp\"\n#include \"base/b.hpp\"");
  write("src/base/b.hpp", "#include <vector>");
  write("src/stats/a.cpp", "#include \"edagen/op.hpp\"");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST_F(CheckRooms, ACircleIsNamedAlsoWhenSourcesCloseIt) {
  write("include/edagen/op.hpp", "");
  write("src/base/op.cpp", "#include \"base/b.hpp\"");
  write("src/base/b.hpp", "");
  write("src/base/b.cpp", "#include \"edagen/op.hpp\"");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("base/op"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("base/b"), std::string::npos) << outcome.err;
}

TEST_F(CheckRooms, ARoomThatKnowsOneItMayNotIsNamed) {
  write("src/base/a.hpp", "#include \"stats/b.hpp\"");
  write("src/stats/b.hpp", "");
  write("src/search/c.hpp", "#include \"nfs/d.hpp\"");  // neither is below the other
  write("src/nfs/d.hpp", "");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("base must not know stats"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("search must not know nfs"), std::string::npos) << outcome.err;
}

TEST_F(CheckRooms, APublicHeaderMayIncludePublicHeadersAlone) {
  write("include/edagen/target.hpp", "#include \"base/b.hpp\"");
  write("src/base/b.hpp", "");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("which is not public"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen
