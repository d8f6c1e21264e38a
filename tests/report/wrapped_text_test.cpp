#include "report/wrapped_text.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace edagen {
namespace {

TEST(WrappedText, IsBrokenAfterBlanksAndCommasAndLosesNothing) {
  std::string options = "/mnt/a: rw";
  for (int i = 0; i < 40; ++i) options += ",option" + std::to_string(i) + "=" + std::to_string(i * i);
  std::istringstream lines(wrapped(options, 4));
  std::string together;
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), terminal_columns) << line;
    if (count > 0) EXPECT_EQ(line.substr(0, 4), "    ");
    together += count == 0 ? line : line.substr(4);
  }
  EXPECT_GT(count, 5u);
  EXPECT_EQ(together, options);
}

TEST(WrappedText, ANumberIsNotBroken) {
  std::string numbers;
  for (int i = 0; i < 40; ++i) numbers += "39,601 ";
  std::istringstream lines(wrapped_lines("rates\n" + numbers, 4));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_LE(line.size(), terminal_columns);
    EXPECT_TRUE(line == "rates" || line.ends_with(" 39,601")) << line;
  }
  EXPECT_EQ(count, 5u);
}

TEST(WrappedText, WhatFitsIsOneLineAndALongWordStaysWhole) {
  EXPECT_EQ(wrapped("a b, c", 2), "a b, c\n");
  EXPECT_EQ(wrapped("", 2), "\n");
  const std::string word(100, 'x');
  EXPECT_EQ(wrapped("a " + word + " b", 2), "a\n  " + word + "\n  b\n");
  std::string wide;
  for (int i = 0; i < 80; ++i) wide += "\u00b1";
  EXPECT_EQ(wrapped(wide, 2), wide + "\n") << "a column for each character";
}

}  // namespace
}  // namespace edagen
