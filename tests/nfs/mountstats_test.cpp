#include "nfs/mountstats.hpp"

#include <gtest/gtest.h>

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
  EXPECT_EQ(attributes.queue, Millis(8));
  EXPECT_EQ(attributes.round_trip, Millis(96));
  EXPECT_EQ(attributes.execute, Millis(110));
  EXPECT_EQ(attributes.errors, 2);
  EXPECT_EQ(mount.total().requests, 101);
}

TEST(Mountstats, OtherVersionsAndTransportsAreRead) {
  const auto v4 = parse_mountstats(v41);
  ASSERT_EQ(v4.size(), 1u);
  EXPECT_EQ(v4[0].version(), "4.1");
  EXPECT_EQ(v4[0].rpcs.at("OPEN").requests, 10);
  EXPECT_EQ(v4[0].rpcs.at("CLOSE").execute, Millis(12));
  const auto mounts = parse_mountstats(others);
  ASSERT_EQ(mounts.size(), 3u);
  EXPECT_EQ(mounts[0].version(), "4.0");
  EXPECT_EQ(mounts[0].rpcs.at("GETATTR").errors, 0);
  EXPECT_EQ(mounts[1].version(), "4.2");
  EXPECT_EQ(mounts[1].connections[0].protocol, "rdma");
  EXPECT_EQ(mounts[1].connections[0].sends, 1024);
  EXPECT_EQ(mounts[2].connections[0].protocol, "udp");
  EXPECT_EQ(mounts[2].connections[0].sends, 40);
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

TEST(Mountstats, DifferencesAreOfTheSameMountAndNeverNegative) {
  const auto before = parse_mountstats(v3);
  auto after = before;
  after[0].rpcs["GETATTR"].requests += 5;
  after[0].rpcs["GETATTR"].execute += Millis(7);
  after[0].connections[1].sends += 5;
  after[0].rpcs["WRITE"].requests = 3;  // a kind that was not there before
  auto change = difference(before, after);
  ASSERT_EQ(change.size(), 1u);
  EXPECT_EQ(change[0].rpcs["GETATTR"].requests, 5);
  EXPECT_EQ(change[0].rpcs["GETATTR"].execute, Millis(7));
  EXPECT_EQ(change[0].rpcs["READ"].requests, 0);
  EXPECT_EQ(change[0].rpcs["WRITE"].requests, 3);
  EXPECT_EQ(change[0].connections[0].sends, 0);
  EXPECT_EQ(change[0].connections[1].sends, 5);
  after[0].rpcs["GETATTR"].requests = 2;  // mounted anew
  EXPECT_EQ(difference(before, after)[0].rpcs["GETATTR"].requests, 2);
  EXPECT_TRUE(difference({}, after).empty());
}

}  // namespace
}  // namespace edagen
