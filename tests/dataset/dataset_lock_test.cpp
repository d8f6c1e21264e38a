#include "dataset/dataset_lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>

#include <filesystem>

#include "edagen/error.hpp"
#include "support/temporary_directory.hpp"

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

}  // namespace
}  // namespace edagen
