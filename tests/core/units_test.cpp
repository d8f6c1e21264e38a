#include "edagen/core/units.hpp"

#include <gtest/gtest.h>

#include "edagen/core/error.hpp"

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
}

TEST(Units, RatesAreReadWithDecimalMultiples) {
  EXPECT_DOUBLE_EQ(parse_rate("450", "x"), 450);
  EXPECT_DOUBLE_EQ(parse_rate("1.5k", "x"), 1500);
  EXPECT_DOUBLE_EQ(parse_rate("2M", "x"), 2e6);
}

TEST(Units, NonsenseIsRefusedInOneLineThatNamesWhereItStood) {
  for (const char* const text : {"banana", "-1s", "", "10 s", "5x", "nan", "inf", "1e400"}) {
    try {
      parse_duration(text, "--duration");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::usage);
      EXPECT_TRUE(std::string(error.what()).starts_with("--duration: ")) << error.what();
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  }
  EXPECT_THROW(parse_bytes("-4k", "x"), Error);
  EXPECT_THROW(parse_bytes("99999999TiB", "x"), Error);
  EXPECT_THROW(parse_rate("0", "x"), Error);
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

}  // namespace
}  // namespace edagen
