#include "edagen/search_policy.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support/paths.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

std::string all_docs() {
  std::string text;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::source_path("docs")))
    if (entry.path().extension() == ".md") text += testing::text_of(entry.path());
  return text;
}

TEST(SearchPolicy, EachConstantHasANameOfItsOwnAndARowInTheDocs) {
  const std::string docs = all_docs();
  std::set<std::string> names;
  fields(
      [&](const std::string& name, const auto& constant, const char* meaning) {
        EXPECT_TRUE(names.insert(name).second) << name;
        const std::string row = fmt::format("| `{}` | {} | {} |\n", name, constant, meaning);
        EXPECT_NE(docs.find(row), std::string::npos) << "bench/search --constants prints the table: " << row;
      },
      SearchPolicy());
}

}  // namespace
}  // namespace edagen
