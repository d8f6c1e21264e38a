#include "base/text_file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

std::string refusal_to_read(const std::string& path, Bytes most = MiB) {
  return testing::error_of([&] { static_cast<void>(read_text_file(path, most)); }).substr(path.size());
}

TEST(TextFile, AFileIsReadWholeUpToItsLimit) {
  const testing::TemporaryDirectory folder;
  const std::string text = std::string(100'000, 'x') + '\0' + "end";
  EXPECT_EQ(read_text_file(folder.write("a", text), static_cast<Bytes>(text.size())), text);
  EXPECT_EQ(read_text_file(folder.write("b", ""), 0), "");
  EXPECT_EQ(refusal_to_read(folder / "a", 4096), ": is larger than 4 KiB");
}

TEST(TextFile, TheKernelsTablesAreReadThoughTheySayThatTheyAreEmpty) {
  EXPECT_NE(read_text_file("/proc/self/mountinfo", MiB).find(" / "), std::string::npos);
}

TEST(TextFile, WhatIsNoFileIsNamedAndBlocksNobody) {
  const testing::TemporaryDirectory folder;
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder / "socket";
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refusal_to_read(folder / "fifo"), ": is a FIFO, not a file");
  EXPECT_EQ(refusal_to_read(folder.path()), ": is a directory, not a file");
  EXPECT_EQ(refusal_to_read("/dev/zero"), ": is a device, not a file");
  EXPECT_EQ(refusal_to_read(path), ": cannot be read: No such device or address");
  EXPECT_EQ(refusal_to_read(folder / "gone"), ": cannot be read: No such file or directory");
  EXPECT_EQ(refusal_to_read(""), ": cannot be read: No such file or directory");
  ::close(socket);
}

}  // namespace
}  // namespace edagen
