#include "result/escaped_text.hpp"

#include <gtest/gtest.h>

#include "edagen/result.hpp"

namespace edagen {
namespace {

TEST(EscapedText, TextIsEscapedWhereverItStandsAndFiguresStay) {
  Result result;
  result.command = {"edagen", "a\nb"};
  result.labels = {{"a\tname", "\x1b[31m"}};
  result.failure = "x\ny";
  result.load_points.resize(1);
  result.load_points[0].host_findings = {"\x07"};
  result.load_points[0].operations = 7;
  const Result safe = with_escaped_text(result);
  EXPECT_EQ(safe.command[1], one_line("a\nb"));
  EXPECT_NE(safe.command[1], "a\nb");
  EXPECT_EQ(safe.labels.begin()->first, one_line("a\tname"));
  EXPECT_EQ(safe.labels.begin()->second.find('\x1b'), std::string::npos);
  EXPECT_EQ(safe.failure->find('\n'), std::string::npos);
  EXPECT_EQ(safe.load_points[0].host_findings[0].find('\x07'), std::string::npos);
  EXPECT_EQ(safe.load_points[0].operations, 7u);
}

TEST(EscapedText, OfTwoNamesThatBecomeOneTheFirstCounts) {
  const std::map<std::string, std::string> names = {{"a\n", "first"}, {one_line("a\n"), "second"}};
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(with_escaped_text(names).size(), 1u);
}

}  // namespace
}  // namespace edagen
