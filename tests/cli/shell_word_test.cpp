#include "cli/shell_word.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(ShellWord, WhatAShellWouldTakeApartIsQuoted) {
  EXPECT_EQ(shell_word("/mnt/a-b_c.d"), "/mnt/a-b_c.d");
  EXPECT_EQ(shell_word("/mnt/two words"), "'/mnt/two words'");
  EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace edagen
