#include "cli/series_options.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

namespace edagen {
namespace {

using Values = std::vector<double>;

TEST(SeriesOptions, ValuesAreListsRangesAndEllipses) {
  EXPECT_EQ(parse_values("1,2,4", "x"), (Values{1, 2, 4}));
  EXPECT_EQ(parse_values("1..4", "x"), (Values{1, 2, 3, 4}));
  EXPECT_EQ(parse_values("3..1", "x"), (Values{3, 2, 1}));
  EXPECT_EQ(parse_values("1,2,4,...,256", "x"), (Values{1, 2, 4, 8, 16, 32, 64, 128, 256}));
  EXPECT_EQ(parse_values("100,90,...,0", "x"), (Values{100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0}));
  EXPECT_EQ(parse_values("1,2,...,6", "x"), (Values{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse_values("1,2,4,...,16,100", "x"), (Values{1, 2, 4, 8, 16, 100}));
  EXPECT_EQ(parse_values("5", "x"), (Values{5}));
}

TEST(SeriesOptions, WhatIsNoListOfNumbersIsRefused) {
  for (const char* const text :
       {"", "a", "1,,2", "1,...,8", "1,2,...", "1,2,...,0", "1,3,...,8", "1..1000000", "1,nan", "1..2.5", "0.5..2"})
    EXPECT_THROW(parse_values(text, "x"), Error) << text;
}

TEST(SeriesOptions, AValueThatIsThereTwiceIsRefusedAsNoRepeat) {
  for (const char* const text : {"1,1,1", "1..3,2", "0.5,0.50", "1,2,...,8,4"})
    EXPECT_THROW(parse_values(text, "x"), Error) << text;
}

TEST(SeriesOptions, ASweepOfClientsNeedsItsMostAndNoPacing) {
  LoadOptions load;
  load.workload = "fio/8k-randrw";
  SeriesOptions series;
  series.sweep = parse_sweep("clients=1..12");
  const LoadOptions swept = series.swept(load);
  EXPECT_EQ(swept.base.clients, 12u);
  EXPECT_EQ(swept.rate, LoadRate(ClosedLoop{}));
}

TEST(SeriesOptions, ASweepOfSomethingElseOrBeyondItsRangeIsRefused) {
  for (const char* const text : {"", "clients", "colour=1,2", "io-depth=0,1", "read-percent=101", "clients=1.5"})
    EXPECT_THROW(parse_sweep(text), Error) << text;
}

}  // namespace
}  // namespace edagen
