#include "live/stream.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "live/hdr_log.hpp"
#include "live/interval_csv.hpp"
#include "support/quiet_watch.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(Stream, AFileThatIsRemovedOrReplacedDuringTheRunIsMissed) {
  const testing::TemporaryDirectory here;
  const std::string csv_path = here / "i.csv", log_path = here / "log";
  testing::QuietWatch watch;
  IntervalCsv csv({"--interval-csv", csv_path}, watch);
  HdrLog log({"--hdr-log", log_path}, watch);
  EXPECT_EQ(csv.stream().write_failure() + log.stream().write_failure(), "") << "there is no file yet";
  const Result header;
  csv.observe(LoadBegan{header});
  log.observe(LoadBegan{header});
  EXPECT_EQ(csv.stream().write_failure() + log.stream().write_failure(), "");
  std::filesystem::remove(csv_path);
  std::filesystem::rename(log_path, here / "away");
  std::ofstream(log_path) << "of somebody else";
  const std::string why = "was removed or replaced during the run";
  EXPECT_EQ(csv.stream().lost(), why);
  EXPECT_EQ(log.stream().lost(), why);
  EXPECT_EQ(csv.stream().write_failure(), "--interval-csv " + csv_path + ": " + why);
  EXPECT_EQ(log.stream().write_failure(), "--hdr-log " + log_path + ": " + why);
}

TEST(Stream, OpeningAFifoThatNobodyReadsIsNamed) {
  const testing::TemporaryDirectory here;
  ASSERT_EQ(::mkfifo((here / "fifo").c_str(), 0600), 0);
  std::promise<std::string> named;
  StuckWatch watch(std::chrono::milliseconds(10), [&](const std::string& call, Nanos) { named.set_value(call); });
  std::jthread opener([&] {
    Stream stream({"--hdr-log", here / "fifo"}, watch);
    EXPECT_TRUE(stream.opens());
  });
  EXPECT_EQ(named.get_future().get(), "opening --hdr-log " + (here / "fifo"));
  const Descriptor reader(::open((here / "fifo").c_str(), O_RDONLY));  // so that the opening ends
}

TEST(Stream, WritingToAPipeThatNobodyReadsIsNamed) {
  const testing::TemporaryDirectory here;
  ASSERT_EQ(::mkfifo((here / "fifo").c_str(), 0600), 0);
  const Descriptor reader(::open((here / "fifo").c_str(), O_RDWR));
  std::promise<std::string> named;
  StuckWatch watch(std::chrono::milliseconds(10), [&](const std::string& call, Nanos) { named.set_value(call); });
  Stream stream({"--interval-csv", here / "fifo"}, watch);
  EXPECT_TRUE(stream.opens());
  std::jthread writer([&] { stream.add(std::string(70'000, 'x')); });  // a pipe holds 65,536
  EXPECT_EQ(named.get_future().get(), "writing --interval-csv " + (here / "fifo"));
  std::string text(70'000, 0);
  while (::read(reader.get(), text.data(), text.size()) == 65'536) continue;
}

}  // namespace
}  // namespace edagen
