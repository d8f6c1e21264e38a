#include "base/words.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

const std::vector<std::string> option_words = {"csv", "spin", "help", "seed", "keep-dataset", "duration"};

TEST(Words, ThatAShellWouldTakeApartAreQuoted) {
  EXPECT_EQ(shell_word("/mnt/a-b_c.d"), "/mnt/a-b_c.d");
  EXPECT_EQ(shell_word("/mnt/two words"), "'/mnt/two words'");
  EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Words, AreThePartsOfATextBetweenItsSeparators) {
  EXPECT_EQ(split_at("1,2,,4", ','), (std::vector<std::string>{"1", "2", "", "4"}));
  EXPECT_EQ(split_at("1,", ','), (std::vector<std::string>{"1", ""}));
  EXPECT_EQ(split_at("", ','), std::vector<std::string>{""});
}

TEST(Words, ANameThatDiffersByALetterOrTwoIsLikely) {
  EXPECT_EQ(likely_name("durtaion", option_words), "duration");
  EXPECT_EQ(likely_name("sed", option_words), "seed");
  EXPECT_EQ(likely_name("dration", option_words), "duration");
}

TEST(Words, ANameThatBeginsWithTheWordIsLikely) {
  EXPECT_EQ(likely_name("keep", option_words), "keep-dataset");
  EXPECT_EQ(likely_name("ke", option_words), "") << "too short to mean one name";
}

TEST(Words, EachPlaceOfATextIsReplacedOnce) {
  EXPECT_EQ(replaced("<a<b", "<", "&lt;"), "&lt;a&lt;b");
  EXPECT_EQ(replaced("a,,b", ",", ", "), "a, , b") << "what it is replaced by holds it";
  EXPECT_EQ(replaced("", "<", "&lt;"), "");
}

TEST(Words, NothingIsGuessedWhereNoNameIsNear) {
  for (const char* const word : {"bs", "p99", "size", "read-only", "", "output"})
    EXPECT_EQ(likely_name(word, option_words), "") << word;
  EXPECT_EQ(did_you_mean("bs", option_words), "");
  EXPECT_EQ(did_you_mean("hlep", option_words), "did you mean 'help'?");
}

}  // namespace
}  // namespace edagen
