// docs/reference.md has a row for each member of the documents that edagen writes.
#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "result/result_json.hpp"
#include "support/paths.hpp"
#include "support/sample_result.hpp"

namespace edagen {
namespace {

void expect_on_page(const Document& object) {
  static const std::string page = read_text_file(testing::source_path("docs/reference.md"), MiB);
  ASSERT_TRUE(object.is_object());
  for (const auto& member : object.items())
    EXPECT_NE(page.find("`" + member.key() + "`"), std::string::npos) << member.key();
}

TEST(ReferencePage, HasEachMemberOfAResult) {
  const Document result = to_json(testing::sample_result(testing::sample_curve()));
  expect_on_page(result);
  expect_on_page(result.at("load_points").at(0));
  expect_on_page(result.at("at_latency_target").at(0));
}

TEST(ReferencePage, HasEachMemberOfAComparison) {
  const Document comparison = to_json(testing::sample_comparison(std::nullopt));
  expect_on_page(comparison);
  expect_on_page(comparison.at("variants").at(0));
}

}  // namespace
}  // namespace edagen
