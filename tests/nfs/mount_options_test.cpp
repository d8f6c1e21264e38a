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

TEST(MountOptions, TheVersionIsReadInEachWayToWriteIt) {
  for (const auto& [options, version] :
       std::vector<std::pair<std::string, std::string>>{{"rw,vers=3", "3"},
                                                        {"rw,nfsvers=4.1,hard", "4.1"},
                                                        {"vers=4,clientaddr=192.0.2.9,minorversion=1", "4.1"},
                                                        {"minorversion=2,vers=4", "4.2"},
                                                        {"vers=4,minorversion=0", "4.0"},
                                                        {"vers=4.2,minorversion=2", "4.2"},
                                                        {"vers=4", "4"},
                                                        {"rw,v3", "3"},
                                                        {"v4.1,hard", "4.1"},
                                                        {"vers=3,vers=4.1", "4.1"},
                                                        {"rw,verbose,mountvers=3", ""}})
    EXPECT_EQ(nfs_version(options), version) << options;
}

TEST(MountOptions, ComparisonsLeaveOutAddressesAndTheMountServiceAndNothingElse) {
  EXPECT_EQ(comparable_options("rw,addr=1,clientaddr=2,mountaddr=3,mountport=20048,mountproto=udp,mountvers=3,vers=3"),
            "rw,vers=3");
  for (const char* const option : {"noresvport", "resvport", "port=20049", "proto=rdma"})
    EXPECT_NE(comparable_options(std::string("rw,") + option), "rw") << option;
}

TEST(MountOptions, OneWithoutANameHidesNoneAfterIt) {
  const auto options = parse_mount_options(",vers=3,=,,bind,");
  EXPECT_TRUE(!options || options->back().name == "bind");
}

}  // namespace
}  // namespace edagen
