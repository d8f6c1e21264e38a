#include "edagen/units.hpp"

#include <gtest/gtest.h>

#include "support/error_of.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(Units, DurationsAreReadWithTheirUnits) {
  EXPECT_EQ(parse_duration("250us", "x"), 250us);
  EXPECT_EQ(parse_duration("2ms", "x"), 2ms);
  EXPECT_EQ(parse_duration("1.5s", "x"), 1500ms);
  EXPECT_EQ(parse_duration("10", "x"), 10s);
  EXPECT_EQ(parse_duration("5m", "x"), 5min);
  EXPECT_EQ(parse_duration("1h", "x"), 1h);
}

TEST(Units, SizesAreReadWithTheirUnits) {
  EXPECT_EQ(parse_bytes("4096", "x"), 4096);
  EXPECT_EQ(parse_bytes("64KiB", "x"), 64 * KiB);
  EXPECT_EQ(parse_bytes("8k", "x"), 8 * KiB);
  EXPECT_EQ(parse_bytes("1.5GiB", "x"), 3 * GiB / 2);
  EXPECT_EQ(parse_bytes("4096.0", "x"), 4096);
  EXPECT_EQ(parse_bytes("3.3k", "x"), 3379);
  for (const char* const text : {"3.3", "0.5", "3.3B"}) EXPECT_THROW(parse_bytes(text, "x"), Error) << text;
}

TEST(Units, RatesAreReadWithDecimalMultiples) {
  EXPECT_DOUBLE_EQ(parse_rate("450", "x"), 450);
  EXPECT_DOUBLE_EQ(parse_rate("1.5k", "x"), 1500);
  EXPECT_DOUBLE_EQ(parse_rate("2M", "x"), 2e6);
}

TEST(Units, DurationsMayHaveSeveralUnitsEachSmallerThanTheOneBefore) {
  EXPECT_EQ(parse_duration("1h30m", "x"), 90min);
  EXPECT_EQ(parse_duration("2m30s", "x"), 150s);
  EXPECT_EQ(parse_duration("1h2m3s4ms5us6ns", "x"), 1h + 2min + 3s + 4ms + 5us + 6ns);
  for (const char* const text : {"30m1h", "1m1m", "1h30", "h30m", "1h-30m", "1h 30m", "999h999m999s", "1hh", "1.h.m"})
    EXPECT_THROW(parse_duration(text, "x"), Error) << text;
}

TEST(Units, ALatencyNeedsAUnit) {
  EXPECT_EQ(parse_latency("2ms", "x"), 2ms);
  EXPECT_EQ(testing::error_of([] { parse_latency("2", "--latency-target"); }),
            "--latency-target: '2' has no unit: 2ms or 2s?");
}

TEST(Units, SizesArePowersOf1024HoweverTheirUnitIsWritten) {
  for (const char* const text : {"64M", "64m", "64MB", "64mb", "64MiB", "65,536k", "67,108,864", "67108864B"})
    EXPECT_EQ(parse_bytes(text, "x"), 64 * MiB) << text;
  EXPECT_EQ(parse_bytes("2TB", "x"), 2048 * GiB);
  for (const char* const text : {"64iB", "64bb", "64MM", "64MiiB", "64 M", "M", "B", "", "0x10", "1e3", "+1", "2000P"})
    EXPECT_THROW(parse_bytes(text, "x"), Error) << text;
}

TEST(Units, ThousandsMayHaveCommas) {
  EXPECT_EQ(parse_whole("20,000", "x", 0, 100'000), 20'000u);
  EXPECT_EQ(parse_whole("1,000,000", "x", 0, 1'000'000), 1'000'000u);
  EXPECT_DOUBLE_EQ(parse_rate("20,000", "x"), 20'000);
  EXPECT_DOUBLE_EQ(parse_rate("1,500.5k", "x"), 1'500'500);
  for (const char* const text : {"20,00", ",000", "2,0000", "1000,000", "1,", "1,,000", "1,000,"}) {
    EXPECT_THROW(parse_whole(text, "x", 0, 10'000'000), Error) << text;
    EXPECT_THROW(parse_rate(text, "x"), Error) << text;
  }
}

TEST(Units, WholeNumbersAreDigitsAloneWithinTheirLimits) {
  EXPECT_EQ(parse_whole("18446744073709551615", "x", 0, UINT64_MAX), UINT64_MAX);
  for (const std::string& text : {std::string("-1"), std::string("+1"), std::string("1.5"), std::string("1e3"),
                                  std::string("0x10"), std::string(" 1"), std::string(""), std::string("nan"),
                                  std::string("18446744073709551616"), std::string(1'000'000, '1')})
    EXPECT_THROW(parse_whole(text, "x", 0, UINT64_MAX), Error) << text.substr(0, 30);
  EXPECT_THROW(parse_whole("0", "x", 1, 9), Error);
  EXPECT_THROW(parse_whole("10", "x", 1, 9), Error);
}

TEST(Units, AMillionDigitsAreRefusedAsAnythingElse) {
  for (const std::string& text :
       {std::string(1'000'000, '9'), "0." + std::string(1'000'000, '0') + "1", std::string(1'000'000, ',')}) {
    EXPECT_THROW(parse_duration(text, "x"), Error);
    EXPECT_THROW(parse_bytes(text + "k", "x"), Error);
    EXPECT_THROW(parse_rate(text, "x"), Error);
  }
}

TEST(Units, NonsenseIsRefusedInOneLineThatNamesWhereItStood) {
  for (const char* const text : {"banana", "-1s", "", "10 s", "5x", "nan", "inf", "1e400"}) {
    const std::string error = testing::error_of([&] { parse_duration(text, "--duration"); });
    EXPECT_TRUE(error.starts_with("--duration: ")) << text << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_THROW(parse_bytes("-4k", "x"), Error);
  EXPECT_THROW(parse_bytes("99999999TiB", "x"), Error);
  EXPECT_THROW(parse_rate("0", "x"), Error);
  EXPECT_THROW(parse_rate("101M", "x"), Error) << "the ops that were due would take longer to count than the window";
  EXPECT_THROW(parse_duration("2000h", "x"), Error);
}

TEST(Units, QuantitiesArePrintedForPeople) {
  EXPECT_EQ(format_duration(250us), "250 us");
  EXPECT_EQ(format_duration(1520us), "1.52 ms");
  EXPECT_EQ(format_duration(10s), "10 s");
  EXPECT_EQ(format_duration(5min), "5 min");
  EXPECT_EQ(format_bytes(16 * KiB), "16 KiB");
  EXPECT_EQ(format_bytes(512), "512 B");
  EXPECT_EQ(format_count(39601), "39,601");
  EXPECT_EQ(format_count(999.6), "1,000");
  EXPECT_EQ(format_count(-1234567), "-1,234,567");
  EXPECT_EQ(format_millis(0.06814), "0.0681");
  EXPECT_EQ(format_millis(1.516), "1.52");
  EXPECT_EQ(format_millis(6258.7), "6,259");
  EXPECT_EQ(format_mib(71.58), "71.6");
  EXPECT_EQ(format_mib(10192), "10,192");
}

TEST(Units, TheNearestNameIsFoundByEditDistance) {
  const std::vector<std::string> names = {"read_rand", "read_seq", "rename"};
  EXPECT_EQ(nearest_name("read_rnad", names), "read_rand");
  EXPECT_EQ(nearest_name("renmae", names), "rename");
  EXPECT_EQ(nearest_name("zzzzzzzzzzzz", names), "");
  EXPECT_EQ(edit_distance("ab", "ba"), 1u);
}

TEST(Units, AnUnknownNameIsToldTheNearestOneAndAllThatAreKnown) {
  const std::vector<std::string> names = {"functional", "mixed", "fio/4k", "fio/8k"};
  EXPECT_EQ(known_names_hint("mixd", names), "did you mean 'mixed'? known: functional, mixed, fio/{4k, 8k}");
  EXPECT_EQ(known_names_hint("func", names), "did you mean 'functional'? known: functional, mixed, fio/{4k, 8k}");
  EXPECT_EQ(known_names_hint("zzz", names), "known: functional, mixed, fio/{4k, 8k}");
}

TEST(Units, WhatIsCountedIsOneOrSeveral) {
  EXPECT_EQ(counted(1, "proc"), "1 proc");
  EXPECT_EQ(counted(2000, "proc"), "2,000 procs");
  EXPECT_EQ(counted(0, "proc"), "0 procs");
}

TEST(Units, OfNamesEquallyNearTheOneThatBeginsLikeTheWordIsTaken) {
  const std::vector<std::string> names = {"create", "read_file", "read_seq", "stat"};
  EXPECT_EQ(nearest_name("reads", names), "read_seq");
  EXPECT_EQ(nearest_name("delete", names), "") << "another word is no misspelling";
}

}  // namespace
}  // namespace edagen
