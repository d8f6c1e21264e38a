#include "nfs/mountstats.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

// Linux 6.1, NFSv3 with nconnect=2, as read in scripts/nfs-lab; RPCs without requests left out.
constexpr const char* v3 = R"(device rootfs mounted on / with fstype rootfs
device 127.0.1.1:/mnt/export mounted on /mnt/nfs0 with fstype nfs statvers=1.1
	opts:	rw,vers=3,rsize=131072,wsize=131072,namlen=255,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard,nolock,nosharecache,proto=tcp,nconnect=2,timeo=600,retrans=2,sec=sys,mountaddr=127.0.1.1,mountvers=3,mountport=55490,mountproto=udp,local_lock=all
	age:	12
	caps:	caps=0xf,wtmult=4096,dtsize=131072,bsize=0,namlen=255
	sec:	flavor=1,pseudoflavor=1
	events:	0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
	bytes:	10 20 30 40 50 60 7 8
	RPC iostats version: 1.1  p/v: 100003/3 (nfs)
	xprt:	tcp 970 1 2 0 3 70 71 0 90 5 2 0 0
	xprt:	tcp 883 1 1 0 3 30 30 0 30 0 2 0 0
	per-op statistics
	        NULL: 1 1 0 44 24 21 0 21 0
	     GETATTR: 80 82 1 6720 8960 8 96 110 2
	        READ: 20 20 0 3360 90000 2 40 45 0
)";

// Linux 5.14 (RHEL 9), NFSv4.1: op kinds of its own.
constexpr const char* v41 = R"(device server:/ mounted on /mnt/v41 with fstype nfs4 statvers=1.1
	opts:	rw,vers=4.1,rsize=1048576,wsize=1048576,namlen=255,acregmin=3,acregmax=60,acdirmin=30,acdirmax=60,hard,proto=tcp,timeo=600,retrans=2,sec=sys,clientaddr=10.0.0.2,local_lock=none
	nfsv4:	bm0=0xfdffbfff,bm1=0xf9be3e,bm2=0x68800,acl=0x3,sessions,pnfs=not configured,lease_time=90,lease_expired=0
	RPC iostats version: 1.1  p/v: 100003/4 (nfs)
	xprt:	tcp 0 0 1 0 0 500 500 0 600 0 12 30 40
	per-op statistics
	        OPEN: 10 10 0 3000 4000 1 12 14 0
	       CLOSE: 10 10 0 2000 2000 1 10 12 0
	    SEQUENCE: 1 1 0 100 100 0 1 1 0
)";

// Linux 3.10 (RHEL 7), NFSv4.0: statvers 1.1 without the errors column; NFSv4.2 over RDMA; a mount that is no NFS.
constexpr const char* others = R"(device old:/x mounted on /old with fstype nfs4 statvers=1.1
	opts:	rw,vers=4.0,rsize=65536
	xprt:	tcp 875 0 1 0 0 12 12 0 14 0
	per-op statistics
	     GETATTR: 12 12 0 1 2 3 4 5
device ib:/x mounted on /ib with fstype nfs4 statvers=1.1
	opts:	rw,vers=4.2,proto=rdma
	xprt:	rdma 0 0 1 0 24 1024 1024 0 2048 7 100 200 300 0 0 0 0 0 0 0 0 0 0 0 0 0
	per-op statistics
	        READ: 5 5 0 1 2 3 4 5 0
device tmpfs mounted on /tmp with fstype tmpfs
	per-op statistics
	        READ: 99 99 0 1 2 3 4 5 0
device udp:/x mounted on /udp with fstype nfs statvers=1.0
	opts:	rw,vers=3,proto=udp
	xprt:	udp 700 1 40 41 0 44 3
)";

TEST(Mountstats, Version3WithTwoConnectionsIsRead) {
  const auto mounts = parse_mountstats(v3);
  ASSERT_EQ(mounts.size(), 1u);
  const NfsMountStats& mount = mounts[0];
  EXPECT_EQ(mount.source, "127.0.1.1:/mnt/export");
  EXPECT_EQ(mount.mount_point, "/mnt/nfs0");
  EXPECT_EQ(mount.version(), "3");
  EXPECT_EQ(mount.read_bytes, 50);
  EXPECT_EQ(mount.written_bytes, 60);
  ASSERT_EQ(mount.connections.size(), 2u);
  EXPECT_EQ(mount.connections[0].source_port, 970u);
  EXPECT_EQ(mount.connections[0].sends, 70);
  EXPECT_EQ(mount.address, "127.0.1.1");
  EXPECT_EQ(mount.connections[0].receives, 71);
  EXPECT_EQ(mount.connections[0].reconnects, 2);
  EXPECT_EQ(mount.connections[0].backlog, 5);
  const RpcCounters& attributes = mount.rpcs.at("GETATTR");
  EXPECT_EQ(attributes.requests, 80);
  EXPECT_EQ(attributes.transmissions, 82);
  EXPECT_EQ(attributes.timeouts, 1);
  EXPECT_EQ(attributes.queue_ms, 8);
  EXPECT_EQ(attributes.round_trip(), Millis(96));
  EXPECT_EQ(attributes.execute(), Millis(110));
  EXPECT_EQ(attributes.errors, 2);
  EXPECT_EQ(mount.total().requests, 101);
}

TEST(Mountstats, OtherVersionsAndTransportsAreRead) {
  const auto v4 = parse_mountstats(v41);
  ASSERT_EQ(v4.size(), 1u);
  EXPECT_EQ(v4[0].version(), "4.1");
  EXPECT_EQ(v4[0].rpcs.at("OPEN").requests, 10);
  EXPECT_EQ(v4[0].rpcs.at("CLOSE").execute_ms, 12);
  EXPECT_TRUE(v4[0].has_session);
  EXPECT_EQ(v4[0].connections[0].sending, 30);
  const auto mounts = parse_mountstats(others);
  ASSERT_EQ(mounts.size(), 3u);
  EXPECT_EQ(mounts[0].version(), "4.0");
  EXPECT_FALSE(mounts[0].has_session);
  EXPECT_EQ(mounts[0].rpcs.at("GETATTR").errors, 0);
  EXPECT_EQ(mounts[1].version(), "4.2");
  EXPECT_EQ(mounts[1].connections[0].protocol, "rdma");
  EXPECT_EQ(mounts[1].connections[0].sends, 1024);
  EXPECT_EQ(mounts[2].connections[0].protocol, "udp");
  EXPECT_EQ(mounts[2].connections[0].sends, 40);
}

TEST(Mountstats, ConnectionsHaveNoMoreSlotsThanTheClientGivesThem) {
  const testing::TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "sunrpc");
  folder.write("sunrpc/udp_slot_table_entries", "16\n");
  folder.write("sunrpc/tcp_slot_table_entries", "2\n");  // the first ones, to which more are added
  folder.write("sunrpc/tcp_max_slot_table_entries", "65536\n");
  const auto slots = [&](std::size_t mount) {
    auto mounts = parse_mountstats(others);
    limit_slots(mounts, folder.path());
    return mounts[mount].connection_slots;
  };
  EXPECT_EQ(slots(0), 128);
  EXPECT_EQ(slots(1), 128) << "no sysctl of rdma";
  EXPECT_EQ(slots(2), 16) << "udp";
  folder.write("sunrpc/tcp_max_slot_table_entries", "64\n");
  EXPECT_EQ(slots(0), 64);
}

TEST(Mountstats, NamesAreReadAsTheyAre) {
  const auto mounts = parse_mountstats("device [fe80::1]:/a\\040b mounted on /mnt/my\\040disk\\134 with fstype nfs\n");
  ASSERT_EQ(mounts.size(), 1u);
  EXPECT_EQ(mounts[0].source, "[fe80::1]:/a b");
  EXPECT_EQ(mounts[0].address, "[fe80::1]");
  EXPECT_EQ(mounts[0].mount_point, "/mnt/my disk\\");
}

TEST(Mountstats, TruncatedOrOddInputGivesWhatIsThere) {
  const std::string whole = std::string(v3) + v41 + others;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    const auto mounts = parse_mountstats(whole.substr(0, length));
    ASSERT_LE(mounts.size(), 5u);
  }
  EXPECT_TRUE(parse_mountstats("").empty());
  EXPECT_TRUE(parse_mountstats("per-op statistics\n GETATTR: 1 2 3\nxprt:\nopts:\n").empty());
  const auto odd =
      parse_mountstats("device a:/b mounted on /c with fstype nfs\nxprt:\tnew x y\nper-op statistics\nODD: a b\n");
  ASSERT_EQ(odd.size(), 1u);
  EXPECT_EQ(odd[0].rpcs.at("ODD").requests, 0);
}

TEST(Mountstats, DifferencesAreOfTheSameMount) {
  const auto before = parse_mountstats(v3);
  auto after = before;
  after[0].rpcs["GETATTR"].requests += 5;
  after[0].rpcs["GETATTR"].execute_ms += 7;
  after[0].connections[1].sends += 5;
  after[0].rpcs["WRITE"].requests = 3;  // a kind that was not there before
  auto change = difference(before, after);
  ASSERT_EQ(change.size(), 1u);
  EXPECT_EQ(change[0].rpcs["GETATTR"].requests, 5);
  EXPECT_EQ(change[0].rpcs["GETATTR"].execute_ms, 7);
  EXPECT_EQ(change[0].rpcs["READ"].requests, 0);
  EXPECT_EQ(change[0].rpcs["WRITE"].requests, 3);
  EXPECT_EQ(change[0].connections[0].sends, 0);
  EXPECT_EQ(change[0].connections[1].sends, 5);
  EXPECT_FALSE(change[0].made_in_window);
  EXPECT_TRUE(difference({}, after).empty());
}

/// A mount with one connection and these lines of RPCs.
std::string mount_text(const std::string& point, const std::string& source, const std::string& age,
                       const std::string& rpcs, int port = 801, int sends = 100) {
  return "device " + source + " mounted on " + point +
         " with fstype nfs statvers=1.1\n\topts:\trw,vers=3,hard,proto=tcp\n" +
         (age.empty() ? "" : "\tage:\t" + age + "\n") + "\txprt:\ttcp " + std::to_string(port) + " 1 1 0 0 " +
         std::to_string(sends) + " " + std::to_string(sends) + " 0 0 0 2 0 0\n\tper-op statistics\n" + rpcs;
}

std::vector<NfsMountStats> read(const std::string& text, Nanos at = Nanos(0)) {
  std::vector<NfsMountStats> mounts = parse_mountstats(text);
  for (NfsMountStats& mount : mounts) mount.read_at = TimePoint(at);
  return mounts;
}

TEST(Mountstats, TimesThatWentBelowZeroAreReadWithTheirSign) {
  const std::string zero_crossed = "ACCESS: 20 20 0 1 1 18446744073709551611 90 95 0\n";  // -5 ms
  const auto before = read(mount_text("/a", "s:/x", "", zero_crossed));
  EXPECT_EQ(before[0].rpcs.at("ACCESS").queue_ms, -5);
  const auto change =
      difference(before, read(mount_text("/a", "s:/x", "", "ACCESS: 30 30 0 1 1 7 190 207 0\n")));  // -5 ms to 7 ms
  EXPECT_EQ(change[0].rpcs.at("ACCESS").queue_ms, 12);
  EXPECT_EQ(change[0].rpcs.at("ACCESS").requests, 10);
  EXPECT_EQ(read(mount_text("/a", "s:/x", "", "READ: 1 1 0 0 0 -3 1 1\n"))[0].rpcs.at("READ").queue_ms, -3);
}

TEST(Mountstats, DifferencesOfHugeCountersAreExact) {
  // 2^53 and more: a double has no odd numbers there.
  const auto change =
      difference(read(mount_text("/a", "s:/x", "",
                                 "READ: 10 10 0 9007199254740992 18446744073706749450 18446744073706749450 1 1\n")),
                 read(mount_text("/a", "s:/x", "",
                                 "READ: 15 15 0 9007199254740993 18446744073706749453 18446744073706749460 2 2\n")));
  EXPECT_EQ(change[0].rpcs.at("READ").bytes_sent, 1);
  EXPECT_EQ(change[0].rpcs.at("READ").bytes_received, 3);
  EXPECT_EQ(change[0].rpcs.at("READ").queue_ms, 10);
}

TEST(Mountstats, AMountThatWasMadeAnewCountsFromThenOnWithAllOfItsCounters) {
  using namespace std::chrono_literals;
  const auto before =
      read(mount_text("/a", "s:/x", "1000", "GETATTR: 80 80 0 0 0 0 800 800 0\nREAD: 9 9 0 0 0 0 9 9 0\n"), 50s);
  // More GETATTRs than before, and so many READs: only the age shows it.
  const std::string rpcs = "GETATTR: 490 490 0 0 0 0 245 245 0\nREAD: 10 10 0 0 0 0 10 10 0\n";
  const auto anew = difference(before, read(mount_text("/a", "s:/x", "5", rpcs, 805, 500), 60s));
  ASSERT_EQ(anew.size(), 1u);
  EXPECT_TRUE(anew[0].made_in_window);
  EXPECT_EQ(anew[0].total().requests, 500);
  EXPECT_EQ(anew[0].total().execute_ms, 255);
  EXPECT_EQ(anew[0].connections[0].sends, 500);
  EXPECT_TRUE(anew[0].connections[0].made_in_window);
  // A mount of 3 s is of 13 s after 10 s, and of 5 s when it was made in between.
  const auto young = read(mount_text("/a", "s:/x", "3", "GETATTR: 80 80 0 0 0 0 8 8 0\n"), 50s);
  EXPECT_EQ(difference(young, read(mount_text("/a", "s:/x", "5", rpcs), 60s))[0].total().requests, 500);
  EXPECT_EQ(difference(young, read(mount_text("/a", "s:/x", "13", rpcs), 60s))[0].total().requests, 420);
}

TEST(Mountstats, ConnectionsThatAreOlderThanTheirMountCountWhatWasAdded) {
  using namespace std::chrono_literals;
  const std::string rpcs = "READ: 500 500 0 0 0 0 500 500 0\n";
  // Another mount of the server, or the one that was there before, had the connection of port 801.
  for (const char* const other : {"/home", "/a"}) {
    const auto before = read(mount_text(other, "s:/x", "1000", "READ: 9 9 0 0 0 0 9 9 0\n", 801, 1'000'000), 50s);
    const auto after = read(mount_text("/a", "s:/x", "5", rpcs, 801, 1'000'500), 60s);
    const auto change = difference(before, after);
    ASSERT_EQ(change.size(), 1u);
    EXPECT_TRUE(change[0].made_in_window);
    EXPECT_EQ(change[0].total().requests, 500);
    EXPECT_EQ(change[0].connections[0].sends, 500);
    EXPECT_EQ(change[0].connections[0].reconnects, 0);
    EXPECT_FALSE(change[0].connections[0].made_in_window);
  }
}

TEST(Mountstats, WithoutAgesARequestCountThatWentBackShowsThatAMountWasMadeAnew) {
  const auto before = read(mount_text("/a", "s:/x", "", "GETATTR: 80 80 0 0 0 0 8 8 0\nREAD: 9 9 0 0 0 0 9 9 0\n"));
  const auto change =
      difference(before, read(mount_text("/a", "s:/x", "", "GETATTR: 90 90 0 0 0 0 9 9 0\nREAD: 2 2 0 0 0 0 1 1 0\n")));
  EXPECT_TRUE(change[0].made_in_window);
  EXPECT_EQ(change[0].total().requests, 92);
}

TEST(Mountstats, AMountThatWasNotThereBeforeCountsOnlyWhenItWasMadeMeanwhile) {
  using namespace std::chrono_literals;
  const std::string old = mount_text("/old", "s:/x", "500", "READ: 9 9 0 0 0 0 9 9 0\n");
  const auto change =
      difference(read(old, 50s), read(mount_text("/old", "s:/x", "510", "READ: 9 9 0 0 0 0 9 9 0\n") +
                                          mount_text("/automounted", "s:/x", "4", "READ: 7 7 0 0 0 0 9 9 0\n") +
                                          mount_text("/bound", "s:/x", "510", "READ: 9 9 0 0 0 0 9 9 0\n"),
                                      60s));
  ASSERT_EQ(change.size(), 2u) << "what /bound had counted before is not known";
  EXPECT_EQ(change[0].total().requests, 0);
  EXPECT_EQ(change[1].total().requests, 7);
}

TEST(Mountstats, OfMountsOfOnePointTheNthIsTheNthInBothReadings) {
  const auto stack = [](int lower, int upper) {
    return mount_text("/a", "s:/x", "", "READ: " + std::to_string(lower) + " 9 0 0 0 0 9 9 0\n") +
           mount_text("/b", "s:/x", "", "READ: 1 1 0 0 0 0 9 9 0\n") +
           mount_text("/a", "s:/x", "", "READ: " + std::to_string(upper) + " 9 0 0 0 0 9 9 0\n");
  };
  for (const NfsMountStats& same : difference(read(stack(10, 2000)), read(stack(10, 2000))))
    EXPECT_EQ(same.total().requests, 0);
  const auto change = in_force(difference(read(stack(10, 2000)), read(stack(10, 2030))));
  ASSERT_EQ(change.size(), 2u);
  EXPECT_EQ(change[0].total().requests, 30) << "of the uppermost";
  EXPECT_EQ(change[0].hidden_below, 1u);
  EXPECT_EQ(change[1].hidden_below, 0u);
}

TEST(Mountstats, TheMountTableSaysWhichMountIsHiddenAndGivesEachItsOwnDevice) {
  auto mounts = read(mount_text("/a", "one:/x", "", "") + mount_text("/a", "two:/x", "", "") +
                     mount_text("/b/c", "three:/x", "", "") + mount_text("/b", "four:/x", "", ""));
  add_mount_table(mounts, parse_mountinfo("22 1 254:0 / / rw - ext4 /dev/vda rw\n"
                                          "29 22 0:44 / /a rw - autofs systemd-1 rw\n"
                                          "30 29 0:50 / /a rw - nfs one:/x rw,addr=192.0.2.1\n"
                                          "31 30 0:51 / /a rw - nfs two:/x rw,addr=192.0.2.2\n"
                                          "32 22 0:52 / /b/c rw - nfs three:/x rw\n"
                                          "33 22 0:53 / /b rw - nfs four:/x rw\n"));
  EXPECT_EQ(mounts[0].device, "0:50");
  EXPECT_EQ(mounts[1].device, "0:51");
  EXPECT_EQ(mounts[1].address, "192.0.2.2");
  const auto reached = in_force(mounts);
  ASSERT_EQ(reached.size(), 2u) << "/b/c lies under the mount on /b";
  EXPECT_EQ(reached[0].source, "two:/x");
  EXPECT_EQ(reached[1].source, "four:/x");
}

TEST(Mountstats, AnOlderKernelsMinorVersionAndTheDataServersOfPnfsAreRead) {
  const auto mounts = parse_mountstats(
      "device s:/x mounted on /a with fstype nfs4 "
      "statvers=1.0\n\topts:\trw,vers=4,hard,minorversion=1,local_lock=none\n"
      "device s:/y mounted on /b with fstype nfs4 statvers=1.1\n\topts:\trw,vers=4,hard\n"
      "\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 30 4\n"
      "\tnfsv4:\tbm0=0xfdffbfff,acl=0x3,sessions,pnfs=LAYOUT_NFSV4_1_FILES\n");
  EXPECT_EQ(mounts[0].version(), "4.1");
  EXPECT_TRUE(mounts[0].has_session);
  EXPECT_TRUE(mounts[1].has_session) << "as the kernel says itself";
  EXPECT_EQ(mounts[1].pnfs_reads, 30);
  EXPECT_EQ(mounts[1].pnfs_writes, 4);
}

TEST(Mountstats, PutOffRpcsAndShortTransfersAreEvents) {
  const auto mount = [](const std::string& events) {
    return parse_mountstats(
        "device s:/x mounted on /a with fstype nfs statvers=1.1\n\tevents:\t0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0 0 0 " +
        events + "\n\tper-op statistics\n\tREAD: 1 1 0 0 0 0 0 0 0\n");
  };
  const auto before = mount("3 5 7 0 0"), after = mount("4 5 9 0 0");
  EXPECT_EQ(before[0].events.short_reads, 3);
  EXPECT_EQ(before[0].events.short_writes, 5);
  EXPECT_EQ(before[0].events.delayed_rpcs, 7);
  const NfsEvents counted = difference(before, after)[0].events;
  EXPECT_EQ(counted.short_reads, 1);
  EXPECT_EQ(counted.short_writes, 0);
  EXPECT_EQ(counted.delayed_rpcs, 2);
  EXPECT_FALSE(counted.rewritten_bytes) << "the kernel does not count them";
  EXPECT_EQ(mount("")[0].events.delayed_rpcs, 0) << "an older kernel";
}

}  // namespace
}  // namespace edagen
