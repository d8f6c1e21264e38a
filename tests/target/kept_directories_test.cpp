#include "target/kept_directories.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

namespace edagen {
namespace {

struct Opens {
  int count = 0;
  Descriptor operator()() {
    ++count;
    return Descriptor(::open("/", O_PATH));
  }
};

TEST(KeptDirectories, EachIsOpenedOnceWhereAllMayBeKept) {
  KeptDirectories kept(3);
  Opens opens;
  Descriptor passing;
  for (int round = 0; round < 5; ++round)
    for (std::uint64_t i = 0; i < 3; ++i) EXPECT_GE(kept.get(i, passing, std::ref(opens)), 0);
  EXPECT_EQ(opens.count, 3);
  EXPECT_FALSE(passing);
  EXPECT_GE(kept.find(2), 0);
}

TEST(KeptDirectories, OnesThatShareAPlaceTakeTurns) {
  KeptDirectories kept(2);
  Opens opens;
  Descriptor passing;
  kept.get(1, passing, std::ref(opens));
  kept.get(3, passing, std::ref(opens));
  EXPECT_LT(kept.find(1), 0);
  EXPECT_GE(kept.find(3), 0);
  kept.get(3, passing, std::ref(opens));
  EXPECT_EQ(opens.count, 2);
}

TEST(KeptDirectories, WithoutRoomTheCallerHasItForOneOp) {
  KeptDirectories kept(0);
  Opens opens;
  Descriptor passing;
  const int given = kept.get(1, passing, std::ref(opens));
  EXPECT_GE(given, 0);
  EXPECT_EQ(given, passing.get());
  EXPECT_LT(kept.find(1), 0);
}

TEST(KeptDirectories, OneThatCannotBeOpenedIsTriedAgain) {
  KeptDirectories kept(2);
  Opens opens;
  Descriptor passing;
  EXPECT_LT(kept.get(0, passing, [] { return Descriptor(); }), 0);
  EXPECT_GE(kept.get(0, passing, std::ref(opens)), 0);
}

}  // namespace
}  // namespace edagen
