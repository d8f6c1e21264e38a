#include "base/words.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

const std::vector<std::string> names = {"csv", "spin", "help", "seed", "keep-dataset", "duration"};

TEST(Words, ANameThatDiffersByALetterOrTwoIsLikely) {
  EXPECT_EQ(likely_name("durtaion", names), "duration");
  EXPECT_EQ(likely_name("sed", names), "seed");
  EXPECT_EQ(likely_name("dration", names), "duration");
}

TEST(Words, ANameThatBeginsWithTheWordIsLikely) {
  EXPECT_EQ(likely_name("keep", names), "keep-dataset");
  EXPECT_EQ(likely_name("ke", names), "") << "too short to mean one name";
}

TEST(Words, NothingIsGuessedWhereNoNameIsNear) {
  for (const char* const word : {"bs", "p99", "size", "read-only", "", "output"})
    EXPECT_EQ(likely_name(word, names), "") << word;
  EXPECT_EQ(did_you_mean("bs", names), "");
  EXPECT_EQ(did_you_mean("hlep", names), "did you mean 'help'?");
}

}  // namespace
}  // namespace edagen
