#include "dataset/dataset_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <chrono>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/rfc3339.hpp"
#include "dataset/lock_holder.hpp"
#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"
#include "support/uptime.hpp"

namespace edagen {
namespace {

/// A dataset whose run was killed: its lock is free, and names who had it.
class LockOfAKilledRun : public ::testing::Test {
 protected:
  LockOfAKilledRun()
      : file_(
            folder_.write(lock_name, R"({"host":"h","boot":"b","pid":7,"started":7,"since":"2026-01-31T12:00:00Z"})")),
        directory_(::open(folder_.path().c_str(), O_RDONLY | O_DIRECTORY)),
        other_(::open(file_.c_str(), O_RDWR)) {}
  void check() { DatasetLock::check(directory_.get(), folder_.path(), false); }

  testing::TemporaryDirectory folder_;
  std::string file_;
  Descriptor directory_, other_;  ///< the file as another process has it open
};

TEST_F(LockOfAKilledRun, IsLookedAtByManyAtOnce) {
  ASSERT_EQ(::flock(other_.get(), LOCK_SH | LOCK_NB), 0);  // another one that looks
  EXPECT_NO_THROW(check());
}

TEST_F(LockOfAKilledRun, MayBeTakenWithoutANameWhereThereIsNoRoomForOneAndIsALockAllTheSame) {
  rlimit before{}, none{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  none.rlim_max = before.rlim_max;
  const auto handler = ::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);  // what is written fails, as on a full volume
  EXPECT_THROW(DatasetLock::take(directory_.get(), folder_.path(), false), Error);
  EXPECT_THROW(DatasetLock::take(directory_.get(), folder_.path(), true, true), Error) << "where the name is the lock";
  const DatasetLock lock = DatasetLock::take(directory_.get(), folder_.path(), false, true);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  ::signal(SIGXFSZ, handler);
  EXPECT_TRUE(lock.held());
  EXPECT_EQ(std::filesystem::file_size(file_), 0u);
  EXPECT_NE(::flock(other_.get(), LOCK_EX | LOCK_NB), 0);
}

TEST_F(LockOfAKilledRun, IsRefusedOnceItIsTakenAgain) {
  ASSERT_EQ(::flock(other_.get(), LOCK_EX | LOCK_NB), 0);
  EXPECT_THROW(check(), Error);
}

/// Where locks are local: the name in the file counts.
class NameInALock : public LockOfAKilledRun {
 protected:
  /// Takes the lock once, and lets it go with the name of this process in it, but for `changes`.
  void name(const nlohmann::json& changes) {
    std::string text;
    folder_.write(lock_name, "");
    {
      const DatasetLock lock = DatasetLock::take(directory_.get(), folder_.path(), true);
      text = testing::text_of(file_);
    }
    nlohmann::json holder = nlohmann::json::parse(text);
    holder.update(changes);
    folder_.write(lock_name, holder.dump());
  }
  bool is_free() {
    try {
      DatasetLock::check(directory_.get(), folder_.path(), true);
      DatasetLock::take(directory_.get(), folder_.path(), true);
      return true;
    } catch (const Error&) {
      return false;
    }
  }
};

TEST_F(NameInALock, OfAProcessThatHasEndedHereIsFree) {
  name({{"pid", 4'000'000}});
  EXPECT_TRUE(is_free());
  name({{"started", 1}});
  EXPECT_TRUE(is_free()) << "another process has its number by now";
}

TEST_F(NameInALock, OfAProcessThatHasEndedIsNotTakenForThatOfTheOneThatHasTheLockNow) {
  name({{"pid", 4'000'000}});
  ASSERT_EQ(::flock(other_.get(), LOCK_SH | LOCK_NB), 0);  // somebody looks
  const std::jthread other_run([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::flock(other_.get(), LOCK_UN);
  });
  EXPECT_NO_THROW(DatasetLock::take(directory_.get(), folder_.path(), false));
  name({{"pid", 4'000'000}});
  ASSERT_EQ(::flock(other_.get(), LOCK_EX | LOCK_NB), 0);
  const std::string error = testing::error_of([&] { check(); });
  EXPECT_TRUE(error.ends_with("is in use by another edagen")) << error;
}

TEST_F(NameInALock, OfAProcessInAnotherContainerOfThisHostIsNotFree) {
  name({{"pid", 4'000'000}, {"namespaces", "pid:[1] time:[1]"}});
  EXPECT_FALSE(is_free()) << "its number says nothing here";
  name({{"pid", 1}, {"namespaces", "pid:[1] time:[1]"}, {"host", "another-name"}});
  EXPECT_FALSE(is_free());
}

TEST_F(NameInALock, OfAProcessOnAnotherHostIsNotFreeAndOnThisOneBeforeARestartItIs) {
  name({{"boot", "another"}, {"host", "elsewhere"}});
  EXPECT_FALSE(is_free());
  name({{"boot", "another"}, {"since", "2020-01-31T12:00:00Z"}});
  EXPECT_TRUE(is_free());
}

TEST_F(NameInALock, OfAProcessOnAnotherMachineOfTheSameHostNameIsNotFree) {
  name({{"boot", "another"}});
  EXPECT_FALSE(is_free()) << "this host was started before the lock was taken";
  name({{"boot", "another"}, {"since", "2020-01-31T12:00:00Z"}, {"renewed", rfc3339_now()}});
  EXPECT_FALSE(is_free());
  const int ahead = lock_expiry_seconds + 5;
  testing::wait_until_up_for(std::chrono::seconds(ahead + 5));
  name({{"boot", "another"}, {"since", "2020-01-31T12:00:00Z"}, {"renewed", rfc3339(std::time(nullptr) - ahead)}});
  EXPECT_FALSE(is_free()) << "this host's clock is ahead: the server's shows that the lock has just been renewed";
}

TEST_F(NameInALock, OfAProcessWhoseStartIsUnknownIsNotFree) {
  name({{"pid", 4'000'000}, {"started", 0}});
  EXPECT_FALSE(is_free()) << "it had no /proc";
}

TEST_F(NameInALock, OfAnNfsClientCountsOnEveryMountUntilItsRenewalsExpire) {
  const auto renewed = [](int seconds_ago) { return rfc3339(std::time(nullptr) - seconds_ago); };
  std::string refusal;
  const auto is_free_where_locks_are_seen = [&] {
    try {
      check();
      DatasetLock::take(directory_.get(), folder_.path(), false);
      return true;
    } catch (const Error& error) {
      refusal = error.what();
      EXPECT_NE(refusal.find(", last renewed 20"), std::string::npos) << refusal;
      return false;
    }
  };
  name({{"host", "elsewhere"}, {"boot", "another"}, {"renewed", renewed(lock_renewal_seconds)}});
  EXPECT_FALSE(is_free_where_locks_are_seen());
  EXPECT_FALSE(is_free());
  name({{"host", "elsewhere"}, {"boot", "another"}, {"renewed", renewed(lock_expiry_seconds + 5)}});
  EXPECT_FALSE(is_free_where_locks_are_seen()) << "by the file's times it has just been renewed";
  EXPECT_NE(refusal.find("if that run has ended, wait 300 s or remove"), std::string::npos) << refusal;
  const auto written = std::filesystem::last_write_time(file_) - std::chrono::seconds(lock_expiry_seconds + 5);
  std::filesystem::last_write_time(file_, written);
  EXPECT_TRUE(is_free_where_locks_are_seen());
  name({{"pid", 4'000'000}, {"renewed", renewed(0)}});
  EXPECT_TRUE(is_free_where_locks_are_seen()) << "its process has ended on this host";
  name({{"host", "elsewhere"}, {"boot", "another"}, {"renewed", "yesterday"}});
  EXPECT_FALSE(is_free());
}

TEST_F(NameInALock, OfAnotherHolderStaysWhenALostLockIsLetGo) {
  folder_.write(lock_name, "");
  const std::string other = R"({"host":"h","boot":"b","pid":7,"started":7,"since":"2026-01-31T12:00:00Z"})";
  {
    const DatasetLock lock = DatasetLock::take(directory_.get(), folder_.path(), false);
    folder_.write(lock_name, other);  // as after a lease on NFS has expired
  }
  EXPECT_EQ(testing::text_of(file_), other);
  {
    folder_.write(lock_name, "");
    const DatasetLock lock = DatasetLock::take(directory_.get(), folder_.path(), false);
    EXPECT_NE(testing::text_of(file_), "");
  }
  EXPECT_EQ(testing::text_of(file_), "");
}

TEST_F(NameInALock, ThatAnotherProcessHasWrittenIsALossAlsoWhenItHasLetTheLockGoSince) {
  folder_.write(lock_name, "");
  const DatasetLock lock = DatasetLock::take(directory_.get(), folder_.path(), true);
  const auto loss = [&] {
    const std::optional<Error> lost = DatasetLock::loss(directory_.get(), folder_.path());
    return std::string(lost ? lost->what() : "");
  };
  EXPECT_EQ(loss(), "");
  std::filesystem::remove(file_);
  EXPECT_EQ(loss(), "") << "nobody has taken it";
  folder_.write(lock_name, R"({"host":"h","boot":"b","pid":7,"started":7,"since":"2026-01-31T12:00:00Z"})");
  EXPECT_EQ(loss(), folder_.path() + ": is used by process 7 on h by now");
  folder_.write(lock_name, "");
  EXPECT_EQ(loss(), folder_.path() + ": another process had its lock meanwhile");
}

TEST(LockHolder, IsReadAsItWasWritten) {
  LockHolder holder = this_process();
  holder.renewed = "2026-01-31T12:00:00Z";
  const std::optional<LockHolder> read = parse_lock_holder(lock_text(holder));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, holder);
  EXPECT_EQ(read->renewed, holder.renewed);
  EXPECT_EQ(read->host, holder.host);
  EXPECT_FALSE(has_ended(this_process()));
  for (const char* const text : {"", "{}", "[]", "{\"host\":1}", "{\"host\":\"h\",\"boot\":\"b\",\"since\":\"s\"}"})
    EXPECT_FALSE(parse_lock_holder(text)) << text;
}

}  // namespace
}  // namespace edagen
