#include "live/stream.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "live/hdr_log.hpp"
#include "live/interval_csv.hpp"
#include "session/audience.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

TEST(Stream, AFileThatIsRemovedOrReplacedDuringTheRunIsMissed) {
  const testing::TemporaryDirectory here;
  const std::string csv_path = here / "i.csv", log_path = here / "log";
  IntervalCsv csv({"--interval-csv", csv_path});
  HdrLog log({"--hdr-log", log_path});
  Audience audience({&csv, &log});
  EXPECT_TRUE(audience.lacks().empty()) << "there is no file yet";
  audience.load_begins(Result());
  EXPECT_TRUE(audience.lacks().empty());
  std::filesystem::remove(csv_path);
  std::filesystem::rename(log_path, here / "away");
  std::ofstream(log_path) << "of somebody else";
  const std::string why = "was removed or replaced during the run";
  EXPECT_EQ(csv.lost(), why);
  EXPECT_EQ(log.lost(), why);
  EXPECT_EQ(audience.lacks(),
            (std::vector{"--interval-csv " + csv_path + ": " + why, "--hdr-log " + log_path + ": " + why}));
}

}  // namespace
}  // namespace edagen
