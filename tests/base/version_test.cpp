#include "edagen/version.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace edagen {
namespace {

TEST(Version, IsThreeNumbersAndTheCommitWhereThereIsOne) {
  EXPECT_TRUE(std::regex_match(std::string(program_version), std::regex("\\d+\\.\\d+\\.\\d+")));
  const std::regex form(R"(\d+\.\d+\.\d+( \([0-9a-f]{10,40}(-dirty)?\))?)");
  EXPECT_TRUE(std::regex_match(std::string(program_version_and_commit), form)) << program_version_and_commit;
  EXPECT_TRUE(program_version_and_commit.starts_with(program_version));
}

}  // namespace
}  // namespace edagen
