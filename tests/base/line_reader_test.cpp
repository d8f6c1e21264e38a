#include "base/line_reader.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <vector>

#include "edagen/error.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using testing::TemporaryDirectory;

std::vector<std::string> lines_of(const std::string& text, Bytes longest = MiB) {
  const TemporaryDirectory here;
  LineReader reader(here.write("f", text), longest);
  std::vector<std::string> lines;
  while (const auto line = reader.next()) lines.emplace_back(*line);
  return lines;
}

TEST(LineReader, ReadsLinesWithAndWithoutAnEnd) {
  EXPECT_EQ(lines_of(""), std::vector<std::string>());
  EXPECT_EQ(lines_of("\n"), std::vector<std::string>{""});
  EXPECT_EQ(lines_of("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(lines_of("a\nb\n"), (std::vector<std::string>{"a", "b"}));
}

TEST(LineReader, ReadsLinesLongerThanWhatItReadsAtOnce) {
  const std::string x(700'000, 'x'), y(300'000, 'y');
  EXPECT_EQ(lines_of(x + "\n" + y + "\nz"), (std::vector<std::string>{x, y, "z"}));
}

TEST(LineReader, ReadsAFileThatIsLongerThanItsLongestLine) {
  std::string text;
  for (int i = 0; i < 300'000; ++i) text += "0123456789\n";
  EXPECT_EQ(lines_of(text, 20).size(), 300'000u);
}

TEST(LineReader, RefusesALineThatIsTooLongWithoutReadingItToItsEnd) {
  const TemporaryDirectory here;
  const std::string file = here.write("sparse", "first\n");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);
  LineReader reader(file, MiB);
  EXPECT_EQ(reader.next(), "first");
  EXPECT_THROW(reader.next(), Error);
}

TEST(LineReader, RefusesWhatIsNotARegularFile) {
  const TemporaryDirectory here;
  ASSERT_EQ(::mkfifo((here / "fifo").c_str(), 0600), 0);
  for (const std::string& path : {here / "fifo", here / "none", here.path(), std::string("/dev/zero")})
    EXPECT_THROW(LineReader(path, MiB), Error) << path;
}

}  // namespace
}  // namespace edagen
