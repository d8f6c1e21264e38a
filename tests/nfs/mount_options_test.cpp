#include "nfs/mount_options.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

TEST(MountOptions, AnOptionIsFoundByItsWholeName) {
  const std::string options = "rw,vers=4.1,noac,rsize=65536,proto=tcp,mountport=20048";
  EXPECT_TRUE(has_option(options, "rw"));
  EXPECT_TRUE(has_option(options, "noac"));
  EXPECT_FALSE(has_option(options, "ac"));
  EXPECT_FALSE(has_option(options, "port"));
  EXPECT_FALSE(has_option("", "rw"));
  EXPECT_EQ(option_value(options, "vers"), "4.1");
  EXPECT_EQ(option_value(options, "noac"), "");
  EXPECT_EQ(option_value(options, "wsize"), std::nullopt);
  EXPECT_EQ(option_number(options, "rsize"), 65'536);
  EXPECT_EQ(option_number(options, "proto"), std::nullopt);
  EXPECT_EQ(option_number(options, "wsize"), std::nullopt);
  EXPECT_EQ(option_number("acregmax=99999999999999999999", "acregmax"), std::nullopt);
}

TEST(MountOptions, AllAreReadInTheirOrder) {
  const auto options = parse_mount_options("vers=3,nocto,actimeo=600");
  ASSERT_TRUE(options);
  ASSERT_EQ(options->size(), 3u);
  EXPECT_EQ((*options)[0].name, "vers");
  EXPECT_EQ((*options)[0].value, "3");
  EXPECT_EQ((*options)[1].name, "nocto");
  EXPECT_EQ((*options)[1].value, "");
  EXPECT_EQ((*options)[2].name, "actimeo");
  EXPECT_EQ(parse_mount_options("")->size(), 0u);
}

TEST(MountOptions, OneWithoutANameHidesNoneAfterIt) {
  const auto options = parse_mount_options(",vers=3,=,,bind,");
  EXPECT_TRUE(!options || options->back().name == "bind");
}

}  // namespace
}  // namespace edagen
