#include "base/write_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <thread>

#include "support/temporary_directory.hpp"
#include "support/text_file.hpp"

namespace edagen {
namespace {

using testing::TemporaryDirectory;
using testing::text_of;

Descriptor opened(const std::string& path, int flags) { return Descriptor(::open(path.c_str(), flags, 0644)); }

TEST(WriteAll, WritesWhatAPipeTakesInParts) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const Descriptor from(ends[0]), to(ends[1]);
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
  EXPECT_EQ(got, text);
}

TEST(WriteAll, ReportsHowMuchWasWrittenBeforeAnError) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  const Descriptor from(ends[0]), to(ends[1]);
  std::size_t written = 0;
  EXPECT_FALSE(write_all(to.get(), std::string(300'000, 'x'), &written));
  EXPECT_EQ(errno, EAGAIN);
  EXPECT_GT(written, 0u);
  EXPECT_LT(written, 300'000u);
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
