// The corpora of the fuzzers, without a fuzzer.
#include "support/corpus.hpp"

#include <gtest/gtest.h>

#include "input.hpp"

namespace edagen::testing {
namespace {

class Corpus : public ::testing::TestWithParam<fuzz::Input> {};

TEST_P(Corpus, IsUsedOrRefusedInOneLine) {
  int used_ones = 0;
  for (const auto& file : corpus_files_of(GetParam())) {
    bool used = false;
    EXPECT_EQ(fault_of(GetParam(), text_of(file), used), "") << file;
    used_ones += used ? 1 : 0;
  }
  EXPECT_GT(used_ones, 0) << "no sample is a good one";
}

INSTANTIATE_TEST_SUITE_P(Of, Corpus, ::testing::ValuesIn(fuzz::inputs),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace edagen::testing
