// scripts/check-rooms on small trees of files.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/paths.hpp"
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
    return testing::Program({testing::source_path("scripts/check-rooms"), "--root", tree_.path()}).wait();
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

TEST_F(CheckRooms, ARoomThatATreesTableAllowsAndNobodyIncludesIsNamed) {
  write("docs/architecture.md", "| `base` | | |\n| `stats` | | `base` |\n| `search` | | `base stats` |");
  write("src/base/a.hpp", "");
  write("src/stats/b.cpp", "#include \"base/a.hpp\"");
  write("src/search/c.cpp", "#include \"base/a.hpp\"");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "architecture.md: search may include stats, and includes nothing of it\n");
}

TEST_F(CheckRooms, APublicHeaderMayIncludePublicHeadersAlone) {
  write("include/edagen/target.hpp", "#include \"base/b.hpp\"");
  write("src/base/b.hpp", "");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("which is not public"), std::string::npos) << outcome.err;
}

TEST_F(CheckRooms, APartOfThePublicHeadersThatNoneOfThemNeedsIsNamed) {
  write("include/edagen/parts/random.hpp", "");
  write("include/edagen/parts/named_enum.hpp", "");
  write("include/edagen/op.hpp", "#include \"edagen/parts/named_enum.hpp\"");
  write("src/base/b.cpp", "#include \"edagen/parts/random.hpp\"");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err, "include/edagen/parts/random.hpp: is a part that no public header needs\n");
}

TEST_F(CheckRooms, APublicHeaderOfNoRoomIsNamed) {
  write("include/edagen/new.hpp", "");
  write("include/edagen/parts/op.hpp", "");
  const testing::Outcome outcome = check();
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("include/edagen/new.hpp: belongs to no room"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("include/edagen/parts/op.hpp: belongs to no room"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen
