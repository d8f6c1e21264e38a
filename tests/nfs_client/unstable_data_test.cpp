#include <gtest/gtest.h>

#include "nfs_client/open_nfs_file.hpp"

namespace edagen::testing {
namespace {

std::string extents(UnstableData& data) {
  std::string all;
  for (const FileExtent& extent : data.take())
    all += (all.empty() ? "" : " ") + std::to_string(extent.offset) + "+" + std::to_string(extent.length);
  return all;
}

TEST(UnstableData, ExtentsThatOverlapOrTouchBecomeOne) {
  UnstableData data;
  EXPECT_FALSE(data.any());
  data.add({100, 50});
  data.add({0, 10});
  data.add({300, 10});
  data.add({150, 20});  // touches
  data.add({0, 0});
  EXPECT_TRUE(data.any());
  EXPECT_EQ(extents(data), "0+10 100+70 300+10");
  EXPECT_FALSE(data.any());
  data.add({10, 10});
  data.add({30, 10});
  data.add({5, 40});
  EXPECT_EQ(extents(data), "5+40");
}

TEST(UnstableData, TheNearestOfManyBecomeOne) {
  UnstableData data;
  for (Bytes i = 0; i < 64; ++i) data.add({i * 1000 - (i == 40 ? 900 : 0), 10});
  data.add({100'000, 10});
  const std::string all = extents(data);
  EXPECT_NE(all.find("39000+110"), std::string::npos) << all;
  EXPECT_EQ(std::ranges::count(all, '+'), 64);
}

}  // namespace
}  // namespace edagen::testing
