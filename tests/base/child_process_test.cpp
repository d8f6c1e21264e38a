#include "base/child_process.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <system_error>

#include "base/descriptor.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

const TimePoint never = now() + 1h;

TEST(ChildProcess, RunsAProgramWithItsFilesDirectoryAndEnvironment) {
  const testing::TemporaryDirectory directory;
  directory.write("in", "from stdin");
  {
    const Descriptor in(::open((directory / "in").c_str(), O_RDONLY)),
        out(::open((directory / "out").c_str(), O_WRONLY | O_CREAT, 0600));
    ChildProcess child({.words = {"/bin/sh", "-c", "cat; pwd; echo $NAME; exit 3"},
                        .environment = std::vector<std::string>{"NAME=value"},
                        .directory = directory.path(),
                        .input = in.get(),
                        .output = out.get()});
    EXPECT_TRUE(child.ends(never, {}));
    const int status = child.wait();
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 3);
  }
  EXPECT_EQ(testing::text_of(directory / "out"), "from stdin" + directory.path() + "\nvalue\n");
}

TEST(ChildProcess, CannotBeStartedFromAProgramThatIsNotThere) {
  EXPECT_THROW(ChildProcess({.words = {"/none/such"}}), std::system_error);
}

TEST(ChildProcess, HasNoSignalBlockedAndIsEndedWithWhatItHasStarted) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &blocked, &before), 0);
  ChildProcess child({.words = {"/bin/sh", "-c", "sleep 1000 & wait"}});
  ASSERT_EQ(::pthread_sigmask(SIG_SETMASK, &before, nullptr), 0);
  EXPECT_FALSE(child.ends(now() + 50ms, {}));
  child.send(SIGTERM);
  EXPECT_TRUE(child.ends(never, {}));
  const int status = child.wait();
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(WTERMSIG(status), SIGTERM);
}

TEST(ChildProcess, IsNotWaitedForAfterAStop) {
  ChildProcess child({.words = {"/bin/sleep", "1000"}});
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(child.ends(never, stop.get_token()));
  child.send(SIGKILL);
  child.wait();
}

}  // namespace
}  // namespace edagen
