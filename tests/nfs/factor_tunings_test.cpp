#include "nfs/factor_tunings.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"
#include "nfs/mount_advice.hpp"

namespace edagen {
namespace {

TEST(FactorTunings, HaveTheOptionsOfTheFactorsInForceOnTopOfTheBase) {
  const auto all = factor_tunings("vers=3,hard", {"nocto,actimeo=600", "nconnect=8", "sysctls"}, {0, 1, 3, 4});
  EXPECT_EQ(all[0].name, "base");
  EXPECT_EQ(all[0].options, "vers=3,hard");
  EXPECT_TRUE(all[0].sysctls.empty());
  EXPECT_EQ(all[1].options, "vers=3,hard,nocto,actimeo=600");
  EXPECT_EQ(all[2].name, "nocto,actimeo=600 + nconnect=8");
  EXPECT_EQ(all[2].options, "vers=3,hard,nocto,actimeo=600,nconnect=8");
  EXPECT_EQ(all[3].options, "vers=3,hard");
  EXPECT_EQ(all[3].sysctls, recommended_sysctls());
}

TEST(FactorTunings, ReplaceTheBasesOptionAlsoUnderAnotherName) {
  EXPECT_EQ(factor_tunings("vers=3,hard", {"nfsvers=4.1"}, {1})[0].options, "hard,nfsvers=4.1");
  EXPECT_EQ(factor_tunings("vers=3,cto", {"nocto"}, {1})[0].options, "vers=3,nocto");
  EXPECT_EQ(factor_tunings("vers=3,rsize=65536", {"rsize=262144,wsize=262144"}, {1})[0].options,
            "vers=3,rsize=262144,wsize=262144");
}

TEST(FactorTunings, ATimeEndsTheBasesNoacAndNoacEndsItsTimes) {
  EXPECT_EQ(factor_tunings("noac", {"actimeo=600"}, {1})[0].options, "actimeo=600");
  EXPECT_EQ(factor_tunings("noac", {"acregmin=3"}, {1})[0].options, "acregmin=3");
  EXPECT_EQ(factor_tunings("actimeo=600,acregmin=3", {"noac"}, {1})[0].options, "noac");
  EXPECT_EQ(factor_tunings("actimeo=600", {"acregmin=3"}, {1})[0].options, "actimeo=600,acregmin=3");
}

TEST(FactorTunings, AFactorThatSetsWhatIsSetAnywayIsRefused) {
  for (const char* const factor :
       {"hard", "cto", "rw", "nosharecache", "nfsvers=3", "v3", "noatime", "lookupcache=all"})
    EXPECT_THROW(factor_tunings("vers=3", {"nocto", factor}, {0}), Error) << factor;
  EXPECT_NO_THROW(factor_tunings("vers=3,soft", {"hard"}, {0, 1}));
}

TEST(FactorTunings, AVersionAndItsMinorVersionStayTogether) {
  for (const char* const factor : {"vers=4,minorversion=1", "minorversion=1,vers=4"})
    EXPECT_EQ(factor_tunings("vers=3,hard", {factor}, {1})[0].options, std::string("hard,") + factor);
  EXPECT_EQ(factor_tunings("vers=4,minorversion=1", {"minorversion=2"}, {1})[0].options, "vers=4,minorversion=2");
  EXPECT_EQ(factor_tunings("vers=4,minorversion=1", {"vers=3"}, {1})[0].options, "vers=3");
}

TEST(FactorTunings, TakeTheReadAhead) {
  EXPECT_EQ(factor_tunings("vers=3", {"read_ahead_kib=4096"}, {1})[0].read_ahead_kib, 4096);
  EXPECT_THROW(factor_tunings("vers=3", {"read_ahead_kib=x"}, {1}), Error);
  EXPECT_THROW(factor_tunings("vers=3", {"read_ahead_kib=-1"}, {1}), Error);
}

TEST(FactorTunings, OfWhichTwoSetTheSameAreRefused) {
  EXPECT_THROW(factor_tunings("vers=3", {"nconnect=8", "nconnect=16"}, {0}), Error);
  EXPECT_THROW(factor_tunings("vers=3", {"nocto", "cto"}, {0}), Error);
  EXPECT_THROW(factor_tunings("vers=3", {"actimeo=600", "acregmin=5"}, {0}), Error);
  EXPECT_THROW(factor_tunings("vers=3", {"noac", "actimeo=600"}, {0}), Error) << "noac sets these times to 0";
  EXPECT_THROW(factor_tunings("vers=3", {"vers=4.1", "nfsvers=3"}, {0}), Error);
  EXPECT_THROW(factor_tunings("vers=3", {"noac", "sync"}, {0}), Error) << "noac is sync as well";
  for (const auto& [one, other] : std::vector<std::pair<const char*, const char*>>{{"nolock", "local_lock=flock"},
                                                                                   {"acl", "noacl"},
                                                                                   {"softreval", "nosoftreval"},
                                                                                   {"proto=tcp6", "udp"},
                                                                                   {"rdirplus=none", "nordirplus"},
                                                                                   {"suid", "nosuid"}})
    EXPECT_THROW(factor_tunings("vers=3", {one, other}, {0}), Error) << one;
}

TEST(FactorTunings, AreRefusedWhereMountWouldNotTakeThem) {
  EXPECT_THROW(factor_tunings("vers=3", {"noctoo"}, {0}), Error);
  EXPECT_THROW(factor_tunings("ro", {"nocto"}, {0}), Error);
  EXPECT_THROW(factor_tunings("vers=3", {","}, {0}), Error);
}

}  // namespace
}  // namespace edagen
