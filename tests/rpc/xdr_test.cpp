#include "rpc/xdr.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace edagen::testing {
namespace {

std::string hex(ByteSpan bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<int>(byte) >> 4];
    text += digits[std::to_integer<int>(byte) & 15];
  }
  return text;
}

TEST(Xdr, WritesNumbersBigEndianAndBytesWithTheirPadding) {
  std::array<std::byte, 64> room;
  XdrWriter writer(room);
  writer.u32(0x01020304);
  writer.u64(0x05060708090a0b0c);
  writer.boolean(true);
  writer.string("abcde");
  writer.fixed(as_byte_span("xyz"));
  writer.string("");
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(hex(writer.written()),
            "01020304"
            "05060708090a0b0c"
            "00000001"
            "00000005"
            "6162636465000000"
            "78797a00"
            "00000000");
}

TEST(Xdr, ReadsWhatWasWritten) {
  std::array<std::byte, 64> room;
  XdrWriter writer(room);
  writer.u32(7);
  writer.string("a name");
  writer.boolean(false);
  writer.u64(1ULL << 63);
  writer.fixed(as_byte_span("12345678"));
  XdrReader reader(writer.written());
  EXPECT_EQ(reader.u32(), 7U);
  EXPECT_EQ(reader.string(6), "a name");
  EXPECT_FALSE(reader.boolean());
  EXPECT_EQ(reader.u64(), 1ULL << 63);
  EXPECT_EQ(as_text(reader.fixed(8)), "12345678");
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.rest().empty());
}

TEST(Xdr, WritesNothingAfterWhatHadNoRoom) {
  std::array<std::byte, 10> room{};
  XdrWriter writer(room);
  writer.u32(1);
  writer.u64(2);
  writer.u32(3);  // has room, but would stand in the place of another value
  EXPECT_FALSE(writer.ok());
  EXPECT_EQ(writer.written().size(), 4U);
}

TEST(Xdr, WritesInExactlyTheRoomThatIsNeeded) {
  std::array<std::byte, 8> room{};
  XdrWriter writer(room);
  writer.string("abc");
  EXPECT_TRUE(writer.ok());
  writer.fixed({});
  EXPECT_TRUE(writer.ok());
  writer.u32(0);
  EXPECT_FALSE(writer.ok());
}

TEST(Xdr, ReadsNothingAfterTheEnd) {
  const std::array<std::byte, 6> bytes{std::byte{0}, std::byte{0}, std::byte{0},
                                       std::byte{1}, std::byte{9}, std::byte{9}};
  XdrReader reader(bytes);
  EXPECT_EQ(reader.u32(), 1U);
  EXPECT_EQ(reader.u32(), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u64(), 0U);
  EXPECT_TRUE(reader.opaque(100).empty());
  EXPECT_TRUE(reader.rest().empty());
}

TEST(Xdr, RefusesLengthsAboveTheLimitOrAboveWhatIsThere) {
  std::array<std::byte, 16> room{};
  XdrWriter writer(room);
  writer.string("abcde");
  XdrReader limited(writer.written());
  EXPECT_EQ(limited.string(4), "");
  EXPECT_FALSE(limited.ok());
  XdrReader cut(writer.written().first(9));  // the text is there, its padding is not
  EXPECT_EQ(cut.string(5), "");
  EXPECT_FALSE(cut.ok());
  std::array<std::byte, 8> huge{};
  XdrWriter(huge).u32(0xffffffff);
  XdrReader reader(huge);
  EXPECT_TRUE(reader.opaque(SIZE_MAX).empty());
  EXPECT_FALSE(reader.ok());
}

TEST(Xdr, RefusesBooleansOtherThan0And1) {
  std::array<std::byte, 4> room{};
  XdrWriter(room).u32(2);
  XdrReader reader(room);
  EXPECT_FALSE(reader.boolean());
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace edagen::testing
