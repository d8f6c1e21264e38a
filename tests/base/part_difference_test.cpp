#include "base/part_difference.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using Parts = std::map<std::string, std::string>;

TEST(PartDifference, NamesWhatIsOtherAndWhatOneSideLacks) {
  const Parts before = {{"host", "a"}, {"load", "500"}, {"seed", "1"}},
              now = {{"kernel", "6"}, {"load", "500"}, {"seed", "2"}};
  EXPECT_EQ(part_difference(before, now), "host 'a' is 'none' now; seed '1' is '2' now; kernel 'none' is '6' now");
  EXPECT_EQ(part_difference(before, now, [](const std::string& part) { return part == "seed"; }),
            "seed '1' is '2' now");
  EXPECT_EQ(part_difference(before, before), "");
}

}  // namespace
}  // namespace edagen
