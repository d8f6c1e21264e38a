#include "nfs/mount_advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace edagen {
namespace {

NfsMountStats mount(const std::string& options, std::size_t connections = 1, const std::string& point = "/mnt/a") {
  NfsMountStats made;
  made.mount_point = point;
  made.options = options;
  made.connections.resize(connections);
  return made;
}

const std::string good = "rw,vers=3,rsize=262144,wsize=262144,acregmax=600,hard,proto=tcp";

std::string advice(const std::vector<NfsMountStats>& mounts, const ClientSettings& settings = {}) {
  std::string all;
  for (const std::string& line : mount_advice(mounts, settings)) all += line + "\n";
  return all;
}

TEST(MountAdvice, AGoodMountIsPassedInSilence) { EXPECT_EQ(advice({mount(good)}), ""); }

TEST(MountAdvice, EachWeaknessIsNamedWithItsMount) {
  for (const auto& [options, expected] : std::vector<std::pair<std::string, const char*>>{
           {"hard,noac", "/mnt/a: attributes are not cached"},
           {"hard,acregmin=0,acregmax=60", "attributes are not cached (acregmin=0)"},
           {"hard,acregmin=3,acregmax=0", "attributes are not cached (acregmax=0)"},
           {"hard,rsize=32768", "rsize=32768 is below 64 KiB"},
           {"hard,proto=udp", "UDP: use TCP"},
           {"soft", "a soft mount loses writes"},
           {"hard,nconnect=8", "nconnect=8 was asked for, but there is 1"}})
    EXPECT_NE(advice({mount(options)}).find(expected), std::string::npos) << advice({mount(options)});
  EXPECT_NE(advice({mount("hard", 4)}).find("nconnect=1 was asked for, but there are 4"), std::string::npos);
  EXPECT_EQ(advice({mount("hard,nconnect=4", 4)}), "");
}

TEST(MountAdvice, OptionsThatCostAsMuchOrMeasureAnotherStoreAreNamed) {
  for (const auto& [option, expected] : std::vector<std::pair<std::string, const char*>>{
           {"sync", "writes wait for the server one by one (sync)"},
           {"fsc", "a cache on a local disk (fsc)"},
           {"lookupcache=none", "names are not cached (lookupcache=none)"},
           {"lookupcache=pos", "missing names are not cached"},
           {"acdirmin=0,acdirmax=60", "attributes of directories are not cached (acdirmin=0)"},
           {"nolock", "locks stay on this host"},
           {"local_lock=all", "no lock op goes to the server"},
           {"local_lock=posix", "no lock op goes to the server"},
           {"local_lock=flock", "locks by flock stay on this host"},
           {"sec=krb5i", "sec=krb5i: checksums of all RPCs"},
           {"sec=krb5p", "sec=krb5p: checksums and encryption of all RPCs"},
           {"xprtsec=mtls", "encryption of all RPCs"},
           {"write=wait", "writes wait for the server one by one (write=wait)"},
           {"timeo=7", "sent again after 0.7 s"},
           {"softerr", "a soft mount"}})
    EXPECT_NE(advice({mount(good + "," + option)}).find(expected), std::string::npos) << option;
  EXPECT_NE(advice({mount("rw,vers=3,hard,proto=udp6")}).find("UDP: use TCP"), std::string::npos);
  EXPECT_EQ(advice({mount("rw,sync,hard,noac,acdirmax=0")}),
            "/mnt/a: attributes are not cached (noac): every stat goes to the server\n")
      << "noac brings the others with it";
  EXPECT_EQ(advice({mount(good + ",local_lock=none,lookupcache=all,mountproto=udp,async,timeo=600,sec=sys")}), "");
}

TEST(MountAdvice, WhatConcernsWritesAloneIsNotSaidOfAReadOnlyMount) {
  EXPECT_EQ(advice({mount("ro,vers=3,rsize=262144,wsize=32768,soft,sync,write=wait")}), "");
}

TEST(MountAdvice, ATimeoIsShortWhereRequestsAreSentAgainAfterIt) {
  EXPECT_EQ(advice({mount("rw,vers=4.1,rsize=262144,hard,proto=tcp,timeo=7")}), "") << "only on a new connection";
  EXPECT_EQ(advice({mount("rw,vers=3,rsize=262144,hard,proto=rdma,timeo=7")}), "");
}

TEST(MountAdvice, OverUdpTransfersCannotBeLonger) {
  EXPECT_EQ(advice({mount("rw,vers=3,hard,proto=udp,rsize=32768,wsize=32768,timeo=11")}), "/mnt/a: UDP: use TCP\n");
}

TEST(MountAdvice, TheSlotsOfTcpAreOfNoUseToSessionsAndOtherTransports) {
  ClientSettings settings;
  settings.sysctls = {{"sunrpc.tcp_max_slot_table_entries", "65536"}};
  NfsMountStats session = mount("rw,vers=4.1,hard");
  session.has_session = true;
  NfsMountStats rdma = mount("rw,vers=3,hard,proto=rdma");
  rdma.connections[0].protocol = "rdma";
  EXPECT_EQ(advice({session, rdma}, settings).find("slot_table"), std::string::npos);
  EXPECT_NE(advice({session, mount(good)}, settings).find("slot_table"), std::string::npos);
}

TEST(MountAdvice, WithSessionTrunkingEachFurtherAddressAddsAConnection) {
  EXPECT_EQ(advice({mount("hard,nconnect=2,max_connect=16", 3)}), "");
  EXPECT_EQ(advice({mount("hard,nconnect=2,max_connect=4", 2)}), "");
  EXPECT_EQ(advice({mount("hard,max_connect=4", 4)}), "");
  EXPECT_NE(advice({mount("hard,nconnect=2,max_connect=4", 6)}).find("there are 6"), std::string::npos);
  EXPECT_NE(advice({mount("hard,nconnect=4,max_connect=4", 2)}).find("there are 2"), std::string::npos);
}

TEST(MountAdvice, AMountOnTopOfAnotherIsNamed) {
  NfsMountStats upper = mount(good);
  upper.hidden_below = 2;
  EXPECT_EQ(advice({upper}),
            "/mnt/a: this mount hides 2 mounts on the same directory, which nothing reaches until it is unmounted\n");
}

TEST(MountAdvice, MountsOfOneRunShouldBeAlikeButForTheirAddresses) {
  EXPECT_EQ(advice({mount(good + ",addr=1"), mount(good + ",addr=2", 1, "/mnt/b")}), "");
  const std::string alike = good + ",mountport=1,mountproto=udp,mountvers=3";
  EXPECT_EQ(advice({mount(alike), mount(good + ",mountproto=tcp", 1, "/mnt/b")}), "") << "of the mount service alone";
  EXPECT_EQ(advice({mount(good), mount(good + ",noresvport", 1, "/mnt/b")}),
            "/mnt/b: options differ from those of /mnt/a: noresvport added\n");
  EXPECT_EQ(advice({mount(good + ",nocto"), mount(good, 1, "/mnt/b")}),
            "/mnt/b: options differ from those of /mnt/a: nocto missing\n");
  EXPECT_EQ(advice({mount(good + ",timeo=600"), mount(good + ",timeo=300", 1, "/mnt/b")}),
            "/mnt/b: options differ from those of /mnt/a: timeo=300 in place of timeo=600\n");
}

TEST(MountAdvice, SettingsOfTheClientCountToo) {
  ClientSettings settings;
  settings.sysctls = {{"sunrpc.tcp_max_slot_table_entries", "65536"}, {"net.core.rmem_max", "212992"}};
  settings.read_ahead_kib = {{"/mnt/a", 128}};
  settings.clock_synchronised = false;
  const std::string all = advice({mount(good)}, settings);
  for (const char* const part :
       {"tcp_max_slot_table_entries is 65536", "read-ahead is 128 KiB", "clock is not synchronised"})
    EXPECT_NE(all.find(part), std::string::npos) << part << "\n" << all;
}

TEST(MountAdvice, SysctlsAreHintsOfTheirOwn) {
  ClientSettings settings;
  settings.sysctls = {{"net.core.rmem_max", "212992"}, {"net.core.wmem_max", "16777216"}};
  EXPECT_EQ(advice({mount(good)}, settings), "");
  ASSERT_EQ(sysctl_advice(settings).size(), 1u);
  EXPECT_NE(sysctl_advice(settings)[0].find("net.core.rmem_max is 212992, not 16777216"), std::string::npos);
  EXPECT_TRUE(sysctl_advice({}).empty());
}

TEST(MountAdvice, WhatLosesDataOrMeasuresSomethingElseComesFirst) {
  const std::string all = advice({mount("hard,rsize=32768"), mount("soft,noac,lookupcache=none", 1, "/mnt/b")});
  EXPECT_TRUE(all.starts_with("/mnt/b: a soft mount")) << all;
  EXPECT_LT(all.find("a soft mount"), all.find("rsize=32768")) << all;
}

TEST(MountAdvice, WhatIsTrueOfSeveralMountsIsSaidOnce) {
  EXPECT_EQ(advice({mount("soft"), mount("soft", 1, "/mnt/b")}),
            "/mnt/a, /mnt/b: a soft mount loses writes when the server is slow: use hard\n");
}

TEST(MountAdvice, SettingsOfThisMachineCanBeRead) {
  const ClientSettings settings = read_client_settings({});
  EXPECT_TRUE(settings.sysctls.contains("vm.dirty_expire_centisecs"));
}

TEST(MountAdvice, TheReadAheadOfAMountIsReadWithoutACallToItsServer) {
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/bdi", none)) {
    NfsMountStats dead = mount(good, 1, "/nothing/is/here");
    dead.device = entry.path().filename();
    EXPECT_TRUE(read_client_settings({dead}).read_ahead_kib.contains("/nothing/is/here")) << dead.device;
    break;
  }
}

}  // namespace
}  // namespace edagen
