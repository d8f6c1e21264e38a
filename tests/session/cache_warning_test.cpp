#include "session/cache_warning.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(CacheWarning, ADatasetThatFitsInMemoryIsSaidToShowTheSpeedOfMemoryInALine) {
  const std::string text = cache_warning(2 * GiB, 8 * GiB, {});
  EXPECT_TRUE(text.starts_with("the dataset (2 GiB per host) fits in the free memory of this host and")) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(CacheWarning, NothingIsSaidWhereStorageIsMeasured) {
  EXPECT_EQ(cache_warning(8 * GiB, 2 * GiB, {}), "") << "it does not fit";
  EXPECT_EQ(cache_warning(2 * GiB, 0, {}), "") << "what is free is not known";
  EXPECT_EQ(cache_warning(0, 8 * GiB, {}), "") << "there is nothing to read";
  IoFigures direct, dropped;
  direct.direct = true;
  dropped.drop_caches = true;
  for (const IoFigures& io : {direct, dropped}) EXPECT_EQ(cache_warning(2 * GiB, 8 * GiB, io), "");
}

TEST(CacheWarning, WhatCanBeCachedIsWhatTheKernelCallsAvailable) {
  EXPECT_EQ(free_memory_of("MemTotal:       24687528 kB\nMemFree:          1024 kB\nMemAvailable:   2048 kB\n"),
            2 * MiB);
  EXPECT_EQ(free_memory_of("MemTotal: 1 kB\n"), 0) << "of an old kernel";
  EXPECT_EQ(free_memory_of("MemAvailable:"), 0);
  EXPECT_GT(free_memory(), 0);
}

}  // namespace
}  // namespace edagen
