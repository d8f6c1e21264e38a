#include "base/version.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <string>

#include "support/paths.hpp"

namespace edagen {
namespace {

TEST(Version, IsThreeNumbersAndTheCommitWhereThereIsOne) {
  EXPECT_TRUE(std::regex_match(std::string(program_version), std::regex("\\d+\\.\\d+\\.\\d+")));
  const std::regex form(R"(\d+\.\d+\.\d+( \([0-9a-f]{10,40}(-dirty)?\))?)");
  EXPECT_TRUE(std::regex_match(std::string(program_version_and_commit), form)) << program_version_and_commit;
  EXPECT_TRUE(program_version_and_commit.starts_with(program_version));
}

TEST(Version, IsTheNewestOfTheChangelog) {
  std::ifstream changelog(testing::source_path("CHANGELOG.md"));
  std::string line;
  while (std::getline(changelog, line) && !line.starts_with("## ")) {
  }
  std::smatch version;
  ASSERT_TRUE(std::regex_match(line, version, std::regex(R"(## (\d+\.\d+\.\d+)( \(.*\))?)"))) << line;
  EXPECT_EQ(version[1], std::string(program_version));
}

}  // namespace
}  // namespace edagen
