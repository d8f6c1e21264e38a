#include "base/write_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "support/file_size_limit.hpp"
#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using testing::TemporaryDirectory;
using testing::text_of;

Descriptor opened(const std::string& path, int flags) { return Descriptor(::open(path.c_str(), flags, 0644)); }

/// What a slow reader of a pipe gets that is made with `flags`.
std::string sent_through_a_pipe(int flags) {
  int ends[2];
  EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Descriptor from(ends[0]), to(ends[1]);
  EXPECT_EQ(::fcntl(to.get(), F_SETFL, flags), 0);
  const std::string text(300'000, 'x');  // a pipe holds 64 KiB
  std::string got;
  std::jthread reader([&] {
    char part[1000];
    while (got.size() < text.size()) {
      const ssize_t count = ::read(from.get(), part, sizeof part);
      if (count <= 0) return;
      got.append(part, static_cast<std::size_t>(count));
    }
  });
  EXPECT_TRUE(write_all(to.get(), text));
  reader.join();
  return got;
}

TEST(WriteAll, WritesWhatAPipeTakesInParts) { EXPECT_EQ(sent_through_a_pipe(0).size(), 300'000u); }

TEST(WriteAll, WaitsForTheReaderOfAPipeThatSomebodyElseHasMadeNonBlocking) {
  EXPECT_EQ(sent_through_a_pipe(O_NONBLOCK).size(), 300'000u);
}

TEST(WriteAll, ReportsHowMuchWasWrittenBeforeAnError) {
  const TemporaryDirectory directory;
  const Descriptor to = opened(directory / "file", O_WRONLY | O_CREAT);
  const testing::FileSizeLimit limit(1000);
  std::size_t written = 0;
  EXPECT_FALSE(write_all(to.get(), std::string(300'000, 'x'), &written));
  EXPECT_EQ(errno, EFBIG);
  EXPECT_EQ(written, 1000u);
}

TEST(WriteDurably, FailsOnAFullDevice) {
  EXPECT_FALSE(write_durably(opened("/dev/full", O_WRONLY), "text"));
  EXPECT_EQ(errno, ENOSPC);
}

TEST(ReplaceFile, PutsAWholeFileInThePlaceOfAnother) {
  const TemporaryDirectory directory;
  directory.write("file", "a longer text");
  directory.write("file.part", "of a process that was killed");
  const Descriptor at = opened(directory.path(), O_RDONLY | O_DIRECTORY);
  EXPECT_TRUE(replace_file(at.get(), "file", "file.part", "new"));
  EXPECT_EQ(text_of(directory / "file"), "new");
  EXPECT_FALSE(std::filesystem::exists(directory / "file.part"));
}

TEST(ReplaceFile, LeavesNothingBesideWhatItCannotReplace) {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "file/inner");
  const Descriptor at = opened(directory.path(), O_RDONLY | O_DIRECTORY);
  EXPECT_FALSE(replace_file(at.get(), "file", "file.part", "new"));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_FALSE(std::filesystem::exists(directory / "file.part"));
}

}  // namespace
}  // namespace edagen
