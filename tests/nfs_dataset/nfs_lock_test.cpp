#include "nfs_dataset/nfs_lock.hpp"

#include <gtest/gtest.h>

#include <ctime>
#include <thread>

#include "base/rfc3339.hpp"
#include "dataset/dataset_lock.hpp"
#include "dataset/lock_holder.hpp"
#include "nfs_client/memory_server.hpp"
#include "support/error_of.hpp"
#include "support/uptime.hpp"

namespace edagen::testing {
namespace {

/// A dataset directory on a server.
class NfsLockTest : public ::testing::Test {
 protected:
  static NfsExport export_of(const MemoryServer& server) {
    NfsExport at;
    at.url.text = "nfs://server/vol";
    at.mounted.address = boost::asio::ip::address_v4::loopback();
    at.mounted.port = server.port();
    at.read_bytes_max = at.write_bytes_max = 4096;
    return at;
  }
  /// The name of another process; without `renewed` it reaches the dataset by a mount.
  static std::string other(const std::string& host, const std::string& renewed) {
    LockHolder holder = this_process();
    holder.host = host;
    holder.boot = "b";
    holder.since = "2020-01-31T12:00:00Z";
    holder.pid = 7;
    holder.renewed = renewed;
    return lock_text(holder);
  }
  void make_file(const std::string& text) {
    NfsFile file;
    EXPECT_EQ(session_.create(directory_, lock_name, 0600, file), NfsStatus::ok);
    EXPECT_EQ(session_.write(file.handle, 0, as_byte_span(text)), NfsStatus::ok);
  }
  /// Why the lock cannot be taken; empty: it was taken.
  std::string refusal() {
    return error_of([&] { NfsLock(session_, directory_, 0, "vol/edagen.data"); });
  }

  MemoryServer server_;
  const NfsHandle directory_ = server_.root();
  const NfsExport at_ = export_of(server_);
  NfsSession session_{at_};
};

TEST_F(NfsLockTest, AFileThatIsRemovedIsALossOnceAnotherProcessHasMadeOne) {
  const NfsLock lock(session_, directory_, 0, "vol/edagen.data");
  EXPECT_FALSE(lock.loss(session_));
  EXPECT_EQ(session_.remove(directory_, lock_name), NfsStatus::ok);
  EXPECT_FALSE(lock.loss(session_)) << "nobody has taken it";
  EXPECT_NO_THROW(lock.check_not_lost(session_));
  make_file(other("elsewhere", rfc3339_now()));
  const auto loss = lock.loss(session_);
  ASSERT_TRUE(loss);
  EXPECT_NE(std::string(loss->what()).find("is used by process 7 on elsewhere by now"), std::string::npos);
  EXPECT_THROW(lock.check_not_lost(session_), Error);
}

TEST_F(NfsLockTest, AFileThatAnotherProcessHasLetGoIsALoss) {
  const NfsLock lock(session_, directory_, 0, "vol/edagen.data");
  EXPECT_EQ(session_.remove(directory_, lock_name), NfsStatus::ok);
  make_file("");
  const auto loss = lock.loss(session_);
  ASSERT_TRUE(loss);
  EXPECT_NE(std::string(loss->what()).find("another process had its lock meanwhile"), std::string::npos);
}

TEST_F(NfsLockTest, IsNotTakenFromAProcessThatHasTakenItWhileAReplyWasLate) {
  server_.fail(NfsProcedure::setattr, NfsStatus::jukebox, 4);  // 2 s after the file was made
  const std::jthread faster([&] {
    NfsSession session(at_);
    NfsFile file;
    for (int left = 10'000; left > 0 && session.look_up(directory_, lock_name, file) != NfsStatus::ok; --left)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(session.write(file.handle, 0, as_byte_span(other("elsewhere", rfc3339_now()))), NfsStatus::ok);
  });
  EXPECT_NE(refusal().find("is in use by edagen, process 7 on elsewhere"), std::string::npos);
}

TEST_F(NfsLockTest, OfAMachineOfTheSameNameStaysWhereTheClockOfThisOneIsAhead) {
  const int ahead = lock_expiry_seconds + 5;
  wait_until_up_for(std::chrono::seconds(ahead + 5));
  make_file(other(this_process().host, rfc3339(std::time(nullptr) - ahead)));
  EXPECT_NE(refusal().find("is in use by edagen, process 7"), std::string::npos);
}

TEST_F(NfsLockTest, OfAProcessBeforeARestartOfThisHostIsTaken) {
  for (const char* const renewed : {"2020-01-31T13:00:00Z", ""}) {
    make_file(other(this_process().host, renewed));
    EXPECT_EQ(refusal(), "");
    EXPECT_EQ(session_.remove(directory_, lock_name), NfsStatus::ok);
  }
}

TEST_F(NfsLockTest, ANameThatComesInSeveralReadsIsReadToItsEnd) {
  make_file(other("elsewhere", rfc3339_now()));
  server_.shorten_transfers(50);
  EXPECT_NE(refusal().find("is in use by edagen, process 7 on elsewhere"), std::string::npos);
}

}  // namespace
}  // namespace edagen::testing
