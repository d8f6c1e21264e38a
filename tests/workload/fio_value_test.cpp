#include "workload/fio_value.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

namespace edagen {
namespace {

FioWord word(const std::string& value, int kb_base = 1024) { return {"x", value, "f:1 [a]", kb_base}; }
std::int64_t number(const std::string& value, int kb_base = 1024) { return fio_number(word(value, kb_base)); }
Nanos seconds(const std::string& value) { return fio_time(value, word(value), std::chrono::seconds(1)); }

TEST(FioValue, AKIs1024AndAKibIs1000UnlessKbBaseIs1000) {
  EXPECT_EQ(number("4k"), 4096);
  EXPECT_EQ(number("4KB"), 4096);
  EXPECT_EQ(number("4KiB"), 4000);
  EXPECT_EQ(number("1GiB"), 1'000'000'000);
  EXPECT_EQ(number("1Mi"), 1 << 20) << "fio 3.33: 16 ops of --size=16m --bs=1Mi";
  EXPECT_EQ(number("1gi"), 1 << 30);
  EXPECT_EQ(number("4k", 1000), 4000);
  EXPECT_EQ(number("4KiB", 1000), 4096);
  EXPECT_EQ(number("4Ki", 1000), 4000);
  EXPECT_EQ(number("2t"), std::int64_t{2} << 40);
  EXPECT_EQ(number("512b"), 512);
}

TEST(FioValue, NumbersMayBeHexadecimalOrCalculated) {
  EXPECT_EQ(number("0x1000"), 4096);
  EXPECT_EQ(number("(2*2k)"), 4096);
  EXPECT_EQ(number("(1+2)"), 3);
  EXPECT_EQ(number("((1+2)*4-2^3)"), 4);
  EXPECT_EQ(number("(7/2)"), 3);
}

TEST(FioValue, WhatFioWouldReadInPartIsRefused) {
  for (const char* const text :
       {"4.5k", "8 k", "4k4", "4kk", "2*2k", "-1", "", "k", "0xg", "(2*)", "(1/0)", "1e6", "5p7", "0x1k"})
    EXPECT_THROW(number(text), Error) << text;
}

TEST(FioValue, TimesHaveUnitsUpToDays) {
  EXPECT_EQ(seconds("90"), std::chrono::seconds(90));
  EXPECT_EQ(seconds("1d"), std::chrono::hours(24));
  EXPECT_EQ(seconds("2M"), std::chrono::minutes(2));
  EXPECT_EQ(seconds("10msec"), std::chrono::milliseconds(10));
  EXPECT_EQ(seconds("(2*3s)"), std::chrono::seconds(6));
  EXPECT_EQ(fio_time("5", word("5"), std::chrono::microseconds(1)), std::chrono::microseconds(5));
  for (const char* const text : {"1h30m", "soon", "10x", "-5", "99999999d"}) EXPECT_THROW(seconds(text), Error) << text;
}

TEST(FioValue, ADirectionWithoutAValueHasTheOneBeforeIt) {
  const auto values = [](const std::string& text) { return fio_directions(word(text)); };
  EXPECT_EQ(values("8k"), (FioDirections{"8k", "8k"}));
  EXPECT_EQ(values("8k,16k"), (FioDirections{"8k", "16k"}));
  EXPECT_EQ(values(",16k"), (FioDirections{std::nullopt, "16k"}));
  EXPECT_EQ(values("8k,"), (FioDirections{"8k", std::nullopt})) << "as fio does: the writes have the default";
  EXPECT_EQ(values("8k,16k,"), (FioDirections{"8k", "16k"}));
  EXPECT_THROW(values("1,2,3,4"), Error);
}

TEST(FioValue, SharesOfASplitAreFios) {
  const auto mean = [](const std::string& text) {
    double sum = 0;
    for (const FioShare& share : fio_split(text, word(text)))
      sum += static_cast<double>(share.size) * share.percent / 100;
    return sum;
  };
  const double k4 = 4096, k64 = 65536, k32 = 32768;
  EXPECT_NEAR(mean("4k/50:64k/:32k/"), 0.5 * k4 + 0.25 * (k64 + k32), 1) << "fio 3.33: 26,798";
  EXPECT_NEAR(mean("4k:64k"), (k4 + k64) / 2, 1);
  EXPECT_NEAR(mean("4k/60:64k/"), 0.6 * k4 + 0.4 * k64, 1);
  EXPECT_NEAR(mean("4k/50:64k/20"), 0.8 * k4 + 0.2 * k64, 1) << "fio 3.33: 16,519";
  EXPECT_NEAR(mean("4k/50:64k/60"), (k4 + k64) / 2, 1) << "fio 3.33: 34,595";
  EXPECT_THROW(mean("4k/60:8k/60:16k/"), Error);
  EXPECT_THROW(mean("4k/50::8k/50"), Error);
}

TEST(FioValue, RangesMayBeWrittenEitherWayRound) {
  EXPECT_EQ(fio_range("64k:4k", word("64k:4k"), false).low, 4096);
  EXPECT_EQ(fio_range("4k", word("4k"), true).high, 4096);
  EXPECT_THROW(fio_range("4k", word("4k"), false), Error);
  EXPECT_THROW(fio_range("4k-8k/1k-2k", word("4k-8k/1k-2k"), false), Error);
}

TEST(FioValue, AColonInAPathIsWrittenWithABackslash) {
  EXPECT_EQ(fio_paths(word("/a:/b")), (std::vector<std::string>{"/a", "/b"}));
  EXPECT_EQ(fio_paths(word("/a\\:1:/b")), (std::vector<std::string>{"/a:1", "/b"}));
}

}  // namespace
}  // namespace edagen
