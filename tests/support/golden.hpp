// Texts that are the same in every version: they are kept below tests/.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/paths.hpp"
#include "support/text_file.hpp"

namespace edagen::testing {

/// The first line that is another one.
inline std::string first_difference(const std::string& golden, const std::string& now) {
  const std::vector<std::string> lines = lines_of(golden), lines_now = lines_of(now);
  for (std::size_t i = 0;; ++i) {
    const std::string line = i < lines.size() ? lines[i] : "(none)",
                      line_now = i < lines_now.size() ? lines_now[i] : "(none)";
    if (line != line_now || i >= lines.size())
      return fmt::format("line {0} was: {1}\nline {0} is:  {2}", i + 1, line, line_now);
  }
}

/// Fails where `now` is not the text of the file `name` below tests/; `meaning`: what that would mean.
inline void expect_as_kept(const std::string& name, const std::string& now, const std::string& meaning) {
  const std::filesystem::path path = source_path("tests/" + name);
  if (std::getenv("EDAGEN_WRITE_GOLDEN") != nullptr) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << now;
    FAIL() << path << " is written anew; run again without EDAGEN_WRITE_GOLDEN";
  }
  ASSERT_TRUE(std::filesystem::exists(path))
      << path << " is missing: run this test with EDAGEN_WRITE_GOLDEN=1 to write it";
  const std::string golden = text_of(path);
  if (golden != now)
    FAIL() << path << "\n"
           << first_difference(golden, now) << "\n"
           << meaning << " If that is meant, run this test with EDAGEN_WRITE_GOLDEN=1 and say so in CHANGELOG.md.";
}

}  // namespace edagen::testing
