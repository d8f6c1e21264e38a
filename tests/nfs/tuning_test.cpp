#include <gtest/gtest.h>

#include <algorithm>

#include "nfs/tuned_mount.hpp"
#include "nfs/tuning_checks.hpp"
#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

std::string refusal_of_tunings(const std::string& tunings) {
  const testing::TemporaryDirectory folder;
  const std::string file = folder.write("t.json", R"({"schema":"edagen.tunings/1","tunings":)" + tunings + "}");
  return testing::error_of([&] { load_tunings(file); });
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
  EXPECT_EQ(refusal_of_tunings(R"([{"name":"a","options":"vers=3,nocto,nconnect=8"}])"), "");
  for (const char* const bad : {"bind", "vers=3,remount", "loop", "vers=3 -o bind", "vers=3,$(reboot)", "ro", "rbind",
                                "x-mount.mkdir", "=,bind", "vers=3,=", "vers=\\\"3,bind\\\"", "vers=3\\u0000,bind"})
    EXPECT_NE(refusal_of_tunings(R"([{"name":"a","options":")" + std::string(bad) + "\"}]"), "") << bad;
  EXPECT_NE(refusal_of_tunings(R"([{"name":"a","options":"nconect=8"}])").find("did you mean 'nconnect'?"),
            std::string::npos);
  EXPECT_NE(refusal_of_tunings(R"([{"name":"a","options":""},{"name":"a","options":""}])").find("is there twice"),
            std::string::npos);
}

TEST(Tuning, SysctlsThatAreNotOfTheNetworkOrOfNfsAreRefused) {
  const auto with = [](const std::string& name) {
    return refusal_of_tunings(R"([{"name":"a","options":"","sysctls":{")" + name + R"(":"1"}}])");
  };
  for (const char* const fine : {"net.core.rmem_max", "net.ipv4.tcp_rmem", "sunrpc.tcp_max_slot_table_entries",
                                 "fs.nfs.nfs_congestion_kb", "vm.dirty_ratio"})
    EXPECT_EQ(with(fine), "") << fine;
  for (const char* const bad :
       {"kernel.core_pattern", "kernel.modules_disabled", "kernel.sysrq", "vm.drop_caches", "fs.protected_symlinks",
        "net.ipv4.ip_forward", "net.core.bpf_jit_enable", "../../etc/passwd", "net/core/rmem_max", ""})
    EXPECT_NE(with(bad).find("is not a sysctl of the network or of NFS"), std::string::npos) << bad;
  for (const char* const blank : {"", " "})
    EXPECT_NE(refusal_of_tunings(R"([{"name":"a","options":"","sysctls":{"vm.dirty_ratio":")" + std::string(blank) +
                                 R"("}}])")
                  .find("vm.dirty_ratio has no value"),
              std::string::npos);
  EXPECT_NE(with("net.core.rmem_maxx").find("did you mean 'net.core.rmem_max'?"), std::string::npos);
}

TEST(Tuning, OptionsOfNfs5AndMount8AreTaken) {
  for (const char* const options :
       {"rw,bg,intr,hard,vers=4.1,noacl,xprtsec=tls", "fg,nointr,retry=2,sync", "vers=4,minorversion=1,softreval",
        "defaults,_netdev,nosuid,nodev,noexec,noatime,nofail", "x-systemd.automount,x-systemd.mount-timeout=30,noauto",
        "rw,relatime,vers=3,rsize=65536,wsize=65536,namlen=255,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard,"
        "nosharecache,proto=tcp,nconnect=16,timeo=600,retrans=2,sec=sys,mountaddr=192.0.2.1,mountvers=3,"
        "mountport=20048,mountproto=udp,local_lock=none,addr=192.0.2.1",
        "proto=rdma,port=20049,norelatime", "v4.2,max_connect=4,notrunkdiscovery,clientaddr=fe80::1%eth0",
        "sec=krb5p:krb5,lookupcache=positive,write=eager,user,dirsync,exec,suid,dev"})
    EXPECT_EQ(refusal_of_tunings(R"([{"name":"a","options":")" + std::string(options) + "\"}]"), "") << options;
}

TEST(Tuning, ATypoIsRefusedWithTheNearestName) {
  for (const auto& [typo, meant] : std::vector<std::pair<std::string, std::string>>{{"noresvprot", "noresvport"},
                                                                                    {"lookupcach=none", "lookupcache"},
                                                                                    {"xprtsecc=tls", "xprtsec"},
                                                                                    {"minorversoin=1", "minorversion"},
                                                                                    {"_netdevs", "_netdev"},
                                                                                    {"nosiud", "nosuid"}})
    EXPECT_NE(
        refusal_of_tunings(R"([{"name":"a","options":"hard,)" + typo + "\"}]").find("did you mean '" + meant + "'?"),
        std::string::npos)
        << refusal_of_tunings(R"([{"name":"a","options":"hard,)" + typo + "\"}]");
  EXPECT_EQ(refusal_of_tunings(R"([{"name":"a","options":"remount"}])").find("is not an NFS mount option"),
            std::string::npos);
  EXPECT_NE(refusal_of_tunings(R"([{"name":"a","options":"ro"}])").find("leaves nothing to measure"),
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
  EXPECT_EQ(missing("nconnect=2,max_connect=4", 6).size(), 2u);
  EXPECT_EQ(missing("vers=4,minorversion=1"), std::vector<std::string>{"vers=4.1 (it is 3)"});
  EXPECT_EQ(missing("v4.2"), std::vector<std::string>{"vers=4.2 (it is 3)"});
  EXPECT_TRUE(missing("nfsvers=3,lookupcache=all,acregmin=600").empty());
  EXPECT_EQ(missing("lookupcache=none"), std::vector<std::string>{"lookupcache=none (it is all)"});
  EXPECT_EQ(missing("sync").size(), 1u);
  EXPECT_EQ(missing("fsc").size(), 1u);
}

TEST(Tuning, EachFurtherAddressOfATrunkedSessionMayHaveAConnection) {
  NfsMountStats trunked = mounted("rw,vers=4.1", 5);
  trunked.has_session = true;
  EXPECT_TRUE(not_in_force({"t", "nconnect=2,max_connect=4,trunkdiscovery", {}, {}}, trunked).empty());
}

TEST(Tuning, OptionsThatTheKernelLeavesOutWithoutAWordAreNotInForce) {
  const auto missing = [](const std::string& asked, const std::string& options) {
    return not_in_force({"t", asked, {}, {}}, mounted(options, 1));
  };
  const std::string old = "rw,vers=3,hard,noacl,local_lock=all", modern = "rw,vers=4.1,hard,local_lock=none";
  for (const char* const option : {"nolock", "local_lock=all", "noacl"}) {
    EXPECT_TRUE(missing(option, old).empty()) << option;
    EXPECT_EQ(missing(option, modern).size(), 1u) << option << " is of NFSv3";
  }
  for (const char* const option : {"max_connect=4", "trunkdiscovery", "migration"})
    EXPECT_EQ(missing(option, old).size(), 1u) << option << " is of NFSv4";
  EXPECT_EQ(missing("local_lock=flock", old), std::vector<std::string>{"local_lock=flock (it is all)"});
}

TEST(Tuning, ValuesThatNoMountWouldTakeAreRefusedBeforeTheFirstMount) {
  for (const auto& [bad, expected] :
       std::vector<std::pair<std::string, const char*>>{{"vers=5", "one of 2, 3, 4, 4.0, 4.1, 4.2 is needed"},
                                                        {"nfsvers=4.3", "one of 2, 3"},
                                                        {"nconnect=0", "a number from 1 to 16 is needed"},
                                                        {"nconnect=17", "a number from 1 to 16 is needed"},
                                                        {"nconnect=8x", "a number from 1 to 16"},
                                                        {"max_connect=17", "a number from 1 to 16"},
                                                        {"rsize=abc", "a number from 0"},
                                                        {"wsize=-1", "a number from 0"},
                                                        {"actimeo", "a number from 0"},
                                                        {"timeo=0", "a number from 1"},
                                                        {"nocto=1", "no value is allowed"},
                                                        {"hard=yes", "no value is allowed"},
                                                        {"proto=sctp", "one of tcp, udp, rdma"},
                                                        {"sec=sys:foo", "one of none"},
                                                        {"sec=", "one of none"},
                                                        {"lookupcache=foo", "one of all, none, pos, positive"},
                                                        {"local_lock=foo", "one of all, flock, posix, none"},
                                                        {"write=foo", "one of lazy, eager, wait"},
                                                        {"rdirplus=foo", "one of none, force"},
                                                        {"mountport=70000", "a number from 0 to 65535"},
                                                        {"addr", "a value is needed"},
                                                        {"tcp6", "is not an NFS mount option"},
                                                        {"sharecache", "cannot be in force"}})
    EXPECT_NE(refusal_of_tunings(R"([{"name":"a","options":"hard,)" + bad + "\"}]").find(expected), std::string::npos)
        << bad << ": " << refusal_of_tunings(R"([{"name":"a","options":"hard,)" + bad + "\"}]");
  for (const char* const fine : {"rdirplus", "rdirplus=force", "fsc", "fsc=tag", "user=a", "noalignwrite", "rsize=0"})
    EXPECT_EQ(refusal_of_tunings(R"([{"name":"a","options":")" + std::string(fine) + "\"}]"), "") << fine;
}

TEST(Tuning, OptionsOfOneMountInOtherWordsAreTheSame) {
  const auto same = [](const std::string& options, const std::string& in_other_words) {
    return same_tuning({"t", options, {}, {}}, {{"other", in_other_words, {}, {}}}) == "other";
  };
  EXPECT_TRUE(same("vers=3,tcp,hard,actimeo=600", "nfsvers=3,proto=tcp,actimeo=600"));
  EXPECT_TRUE(same("v3,acregmin=600,acregmax=600,acdirmin=600,acdirmax=600", "actimeo=600,vers=3"));
  EXPECT_TRUE(same("vers=4,minorversion=1,cto,rw,nosharecache,noatime", "v4.1"));
  EXPECT_TRUE(same("nolock", "local_lock=all"));
  EXPECT_TRUE(same("noac", "noac,sync,actimeo=600"));
  EXPECT_TRUE(same("lookupcache=positive,nconnect=4,nconnect=8", "nconnect=8,lookupcache=pos"));
  EXPECT_TRUE(same("acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,write=lazy,suid,nofsc,nosoftreval", ""));
  EXPECT_TRUE(same("rdirplus=none", "nordirplus"));
  EXPECT_FALSE(same("vers=3", "vers=4.1"));
  EXPECT_FALSE(same("nconnect=8", "nconnect=4"));
  EXPECT_FALSE(same("nocto", ""));
  EXPECT_FALSE(same("noac", "actimeo=0"));
  EXPECT_EQ(same_tuning({"t", "", {{"vm.dirty_ratio", "1"}}, {}}, {{"other", "", {}, {}}}), "");
}

TEST(Tuning, OfOptionsThatSetTheSameTheLastCounts) {
  const NfsMountStats mount =
      mounted("rw,vers=3,rsize=131072,acregmin=600,acregmax=600,acdirmin=600,acdirmax=60,hard", 1);
  const auto missing = [&](const std::string& asked) { return not_in_force({"t", asked, {}, {}}, mount); };
  EXPECT_TRUE(missing("actimeo=600,acdirmax=60").empty());
  EXPECT_TRUE(missing("acregmin=5,actimeo=600,acdirmax=60,rsize=65536,rsize=131072").empty());
  EXPECT_TRUE(missing("soft,hard").empty());
  EXPECT_EQ(missing("nconnect=4,nconnect=8"), std::vector<std::string>{"nconnect=8 (there is 1 connection)"});
  EXPECT_EQ(missing("actimeo=600").size(), 1u);
  EXPECT_EQ(missing("acdirmax=60,actimeo=600").size(), 1u);
  EXPECT_EQ(missing("actimeo=600,acdirmax=30"), std::vector<std::string>{"acdirmax=30 (it is 60)"});
}

}  // namespace
}  // namespace edagen
