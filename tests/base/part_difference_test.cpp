#include "base/part_difference.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"

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

TEST(PartDifference, InAnErrorEachValueIsShortenedByItselfAndWholeDifferencesAreLeftOut) {
  Parts before, now;
  for (const char* const part : {"a", "b", "c", "d", "e"})
    before[part] = "1" + std::string(150, part[0]), now[part] = "2" + std::string(150, part[0]);
  const std::string shown = difference_for_error(part_difference(before, now));
  EXPECT_TRUE(shown.starts_with("a '1" + std::string(39, 'a') + "..." + std::string(20, 'a') + "' is '2aaa")) << shown;
  EXPECT_NE(shown.find("aaa' now; b '1bbb"), std::string::npos) << shown;
  EXPECT_TRUE(shown.ends_with("bbb' now, and 3 more")) << shown;
  const std::string what = usage_error("a.json", "is not comparable with b.json: " + shown).what();
  EXPECT_EQ(what, "a.json: is not comparable with b.json: " + shown) << "an error cuts nothing of it";
}

TEST(PartDifference, AShortenedValueShowsWhereItDiffers) {
  const std::string same(200, 's');
  const Parts before = {{"load", same + "500" + same}}, now = {{"load", same + "900" + same}};
  const std::string shown = difference_for_error(part_difference(before, now));
  EXPECT_TRUE(shown.starts_with("load '...sss")) << shown;
  EXPECT_NE(shown.find("s500s"), std::string::npos) << shown;
  EXPECT_NE(shown.find("s900s"), std::string::npos) << shown;
}

TEST(PartDifference, ShortDifferencesStayAsTheyAre) {
  EXPECT_EQ(difference_for_error(""), "");
  for (const std::string text : {"seed '1' is '' now", "a '' is 'none' now; reference: b 'x' is 'y' now"})
    EXPECT_EQ(difference_for_error(text), text);
}

TEST(FewDifferences, OfManyDifferencesTheFirstTwoAreToldAndTheOthersCounted) {
  EXPECT_EQ(few_differences("m: 2 nights are not comparable with tonight: a '1' is '2' now; b '1' is '2' now; c '1' is "
                            "'none' now; reference: d '1' is '2' now"),
            "m: 2 nights are not comparable with tonight: a '1' is '2' now; b '1' is '2' now, and 2 more");
  const std::string both = "a '1' is '2' now; b '1' is '2' now";
  EXPECT_EQ(few_differences(both), both);
}

TEST(FewDifferences, OfLongOnesTheFirstIsToldAlone) {
  const std::string name(180, 'a');
  EXPECT_EQ(few_differences(name + " '1' is '2' now; b '1' is '2' now; c '1' is '2' now"),
            name + " '1' is '2' now, and 2 more");
}

TEST(FewDifferences, AnyOtherTextIsShownAndNotObeyed) {
  EXPECT_EQ(few_differences("drifts by 1 %\x1b"), "drifts by 1 %\\x1b");
  EXPECT_EQ(few_differences(std::string(500, 'x'), 2000), std::string(500, 'x'));
}

}  // namespace
}  // namespace edagen
