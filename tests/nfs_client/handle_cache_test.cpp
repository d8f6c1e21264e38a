#include "nfs_client/handle_cache.hpp"

#include <gtest/gtest.h>

namespace edagen::testing {
namespace {

/// Alike but for four bytes in the middle.
NfsHandle handle(std::uint32_t number, std::size_t size = 28) {
  std::array<std::byte, 64> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i);
  std::memcpy(bytes.data() + 12, &number, sizeof number);
  return NfsHandle(ByteSpan(bytes).first(size));
}
HandleKey file(std::uint64_t index, std::uint32_t proc = 0) { return {proc, {NameClass::data, index}}; }

TEST(HandleCache, KeepsTheHandlesOfNames) {
  HandleCache cache(1 << 20);
  NfsHandle found;
  EXPECT_FALSE(cache.find(file(1), found));
  for (std::uint32_t i = 0; i < 1000; ++i) cache.insert(file(i, i % 3u), handle(i * 77u));
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(cache.find(file(i, i % 3u), found));
    EXPECT_EQ(found, handle(i * 77u));
    EXPECT_FALSE(cache.find(file(i, (i + 1) % 3u), found));
  }
  EXPECT_EQ(cache.count(), 1000u);
  cache.insert(file(5, 2), handle(9));
  EXPECT_EQ(cache.count(), 1000u);
  ASSERT_TRUE(cache.find(file(5, 2), found));
  EXPECT_EQ(found, handle(9));
  cache.erase(file(5, 2));
  EXPECT_FALSE(cache.find(file(5, 2), found));
  EXPECT_EQ(cache.count(), 999u);
}

TEST(HandleCache, HandlesMayDifferInSizeAndAnywhere) {
  HandleCache cache(1 << 20);
  cache.insert(file(0), handle(1));
  cache.insert(file(1), handle(2, 40));
  cache.insert(file(2), handle(3, 16));
  NfsHandle other = handle(4, 64);
  other.bytes[63] = std::byte{0};
  other.bytes[0] = std::byte{200};
  cache.insert(file(3), other);
  NfsHandle found;
  ASSERT_TRUE(cache.find(file(0), found));
  EXPECT_EQ(found, handle(1));
  ASSERT_TRUE(cache.find(file(1), found));
  EXPECT_EQ(found, handle(2, 40));
  ASSERT_TRUE(cache.find(file(2), found));
  EXPECT_EQ(found, handle(3, 16));
  ASSERT_TRUE(cache.find(file(3), found));
  EXPECT_EQ(found, other);
}

TEST(HandleCache, StaysWithinItsMemoryAndKeepsDirectories) {
  HandleCache cache(4096);
  for (std::uint64_t i = 0; i < 20; ++i) cache.insert({0, {NameClass::dataset_dir, i}}, handle(std::uint32_t(i)));
  for (std::uint32_t i = 0; i < 10'000; ++i) cache.insert(file(i), handle(i));
  EXPECT_LE(cache.memory(), 4096u);
  EXPECT_GT(cache.count(), 290u);  // each takes 13 bytes
  std::size_t directories = 0, files = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    NfsHandle found;
    directories += cache.find({0, {NameClass::dataset_dir, i}}, found);
    if (!cache.find(file(i), found)) continue;
    ++files;
    EXPECT_EQ(found, handle(std::uint32_t(i)));
  }
  EXPECT_GE(directories, 18u);  // more than four of a set cannot stay
  EXPECT_EQ(files + directories, cache.count());
}

TEST(HandleCache, FillsTwoFifthsOfItsTableAtLeastBeforeOthersAreDropped) {
  HandleCache cache(64 << 20);
  for (const std::uint32_t names : {40u, 1'000u, 3'000u, 10'000u, 30'000u, 100'000u}) {
    for (std::uint32_t i = 0; i < names; ++i) cache.insert(file(i), handle(i));
    EXPECT_EQ(cache.count(), names);
    EXPECT_LE(cache.memory(), names * 13 * 5 / 2) << names;
  }
}

TEST(HandleCache, KnowsWhetherAFileMayBeUsedUntilItIsAnotherFile) {
  HandleCache cache(4096);
  cache.insert(file(1), handle(1));
  EXPECT_FALSE(cache.may_access(file(1)));
  cache.set_may_access(file(1), true);
  cache.set_may_access(file(2), true);
  cache.insert(file(1), handle(1));
  for (std::uint32_t i = 10; i < 60; ++i) cache.insert(file(i), handle(i * 1000));  // the table grows
  EXPECT_TRUE(cache.may_access(file(1)));
  EXPECT_FALSE(cache.may_access(file(2)));
  EXPECT_FALSE(cache.may_access(file(10)));
  NfsHandle found;
  ASSERT_TRUE(cache.find(file(1), found));
  EXPECT_EQ(found, handle(1));
  cache.set_may_access(file(1), false);
  EXPECT_FALSE(cache.may_access(file(1)));
  cache.set_may_access(file(1), true);
  cache.insert(file(1), handle(2));
  EXPECT_FALSE(cache.may_access(file(1)));
}

TEST(HandleCache, AttributesAreKeptWhereTheyAreTrusted) {
  HandleCache plain(4096), trusting(4096, true);
  plain.insert(file(1), handle(1));
  trusting.insert(file(1), handle(1));
  EXPECT_EQ(plain.attributes(file(1)), nullptr);
  EXPECT_EQ(trusting.attributes(file(2)), nullptr);
  ASSERT_NE(trusting.attributes(file(1)), nullptr);
  trusting.attributes(file(1))->size = 17;
  for (std::uint32_t i = 10; i < 60; ++i) trusting.insert(file(i), handle(i * 1000));  // the table grows
  ASSERT_NE(trusting.attributes(file(1)), nullptr);
  EXPECT_EQ(trusting.attributes(file(1))->size, 17u);
  trusting.insert(file(1), handle(2));
  EXPECT_EQ(trusting.attributes(file(1))->size, std::uint32_t{TrustedAttributes::unknown_size});
}

}  // namespace
}  // namespace edagen::testing
