#include <gtest/gtest.h>

#include <algorithm>

#include "edagen/error.hpp"
#include "nfs/tuned_mount.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

std::string refusal(const std::string& tunings) {
  const testing::TemporaryDirectory folder;
  try {
    load_tunings(folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":)" + tunings + "}"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::usage);
    return error.what();
  }
  return "";
}

TEST(Tuning, TheBuiltInFileHoldsThePublishedComparisons) {
  EXPECT_EQ(builtin_tuning_names(), std::vector<std::string>{"eda"});
  const auto tunings = load_tunings("eda");
  EXPECT_EQ(tunings.front().name, "defaults");
  EXPECT_GE(tunings.size(), 10u);
  const auto sysctl =
      std::find_if(tunings.begin(), tunings.end(), [](const Tuning& t) { return t.name == "+ sysctl"; });
  ASSERT_NE(sysctl, tunings.end());
  EXPECT_EQ(sysctl->sysctls.at("net.core.rmem_max"), "16777216");
}

TEST(Tuning, OptionsThatMountWouldTakeAsSomethingElseAreRefused) {
  EXPECT_EQ(refusal(R"([{"name":"a","options":"vers=3,nocto,nconnect=8"}])"), "");
  for (const char* const bad : {"bind", "vers=3,remount", "loop", "vers=3 -o bind", "vers=3,$(reboot)", "exec",
                                "x-mount.mkdir", "=,bind", "vers=3,=", "vers=\\\"3,bind\\\"", "vers=3\\u0000,bind"})
    EXPECT_NE(refusal(R"([{"name":"a","options":")" + std::string(bad) + "\"}]"), "") << bad;
  EXPECT_NE(refusal(R"([{"name":"a","options":"nconect=8"}])").find("did you mean 'nconnect'?"), std::string::npos);
  EXPECT_NE(refusal(R"([{"name":"a","options":""},{"name":"a","options":""}])").find("is there twice"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"([{"name":"a","options":"","sysctls":{"../../etc/passwd":"x"}}])").find("not the name of a sysctl"),
      std::string::npos);
}

NfsMountStats mounted(const std::string& options, std::size_t connections) {
  NfsMountStats mount;
  mount.options = options;
  mount.connections.resize(connections);
  return mount;
}

TEST(Tuning, WhatDidNotTakeEffectIsNamed) {
  const std::string options =
      "rw,vers=3,rsize=131072,wsize=131072,acregmin=600,acregmax=600,acdirmin=600,acdirmax=600,hard,nocto";
  const auto missing = [&](const std::string& asked, std::size_t connections = 1) {
    return not_in_force({"t", asked, {}, {}}, mounted(options, connections));
  };
  EXPECT_TRUE(missing("vers=3,nocto,actimeo=600,rsize=131072,hard").empty());
  EXPECT_TRUE(missing("nconnect=4", 4).empty());
  EXPECT_EQ(missing("nconnect=8"), std::vector<std::string>{"nconnect=8 (there is 1 connection)"});
  EXPECT_EQ(missing("vers=4.1"), std::vector<std::string>{"vers=4.1 (it is 3)"});
  EXPECT_EQ(missing("rsize=262144"), std::vector<std::string>{"rsize=262144 (it is 131072)"});
  EXPECT_EQ(missing("actimeo=3").size(), 1u);
  EXPECT_EQ(missing("noac").size(), 1u);
  EXPECT_EQ(missing("cto").size(), 1u);
}

}  // namespace
}  // namespace edagen
