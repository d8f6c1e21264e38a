// A journal whose file system is full for a while.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/paths.hpp"
#include "support/program.hpp"
#include "support/skip.hpp"
#include "support/small_disk.hpp"
#include "support/stall_fs.hpp"
#include "support/temporary_directory.hpp"

namespace edagen::testing {
namespace {

/// Of the lines of a journal, which are all whole.
std::vector<std::string> types_of(const std::string& file) {
  std::vector<std::string> types = {};
  std::ifstream journal(file);
  for (std::string line; std::getline(journal, line);) {
    const nlohmann::json document = nlohmann::json::parse(line, nullptr, false);
    EXPECT_FALSE(document.is_discarded()) << "torn: " << line;
    types.push_back(document.is_object() ? document.value("type", "") : "");
  }
  if (types.empty()) types.emplace_back("nothing");
  return types;
}

TEST(FullDisk, AJournalGoesOnWithWholeLinesWhenThereIsRoomAgain) {
  const TemporaryDirectory folder;
  const SmallDisk disk(folder / "disk", 512);  // room for all of it
  if (!disk.mounted()) EDAGEN_SKIP("mounting a tmpfs is not allowed");
  const std::string file = folder / "disk/j.jsonl";
  Program run(
      edagen_words({"run", "--phase", "functional", "--procs", "1", "--rate", "50", "--warmup", "0s", "--duration",
                    "1s", "--repeat", "8", "--dataset-scale", "0.0001", "--mount", folder.path(), "--journal", file}));
  for (int i = 0; i < 3000 && (!std::filesystem::exists(file) || std::filesystem::file_size(file) == 0); ++i)
    ::usleep(10'000);
  disk.fill();
  ASSERT_TRUE(run.wait_for_stderr("lines are missing"));
  ::usleep(2'000'000);  // a load point takes 1 s
  disk.make_room();
  const Outcome outcome = run.wait();
  EXPECT_EQ(outcome.status, 1) << "what was asked for is not whole";
  EXPECT_NE(outcome.err.find("j.jsonl: No space left on device; lines are missing"), std::string::npos) << outcome.err;
  const std::vector<std::string> types = types_of(file);
  EXPECT_EQ(types.back(), "end");
  const auto points = std::ranges::count(types, "point");
  EXPECT_GE(points, 1) << "of those after there was room again";
  EXPECT_LT(points, 8);
  const Outcome report = edagen({"report", file});
  EXPECT_EQ(report.status, 0) << report.err;
  EXPECT_NE(report.err.find("j.jsonl: load points are missing: their lines were not written"), std::string::npos)
      << report.err;
}

TEST(FullDisk, BeyondTheLimitOfFileSizesAJournalKeepsWholeLinesAndTheRunGoesOn) {
  const TemporaryDirectory folder;
  const std::string file = folder / "j.jsonl";
  const Outcome outcome =
      Program({"bash", "-c",
               std::string("set -o pipefail; (ulimit -f 6; exec ") + edagen_path() +
                   " run --phase functional --target sim:regular --rate 100 --warmup 0s --duration 1s "
                   "--repeat 2 --json - --journal " +
                   file + ") | cat"})
          .wait();
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  const nlohmann::json result = nlohmann::json::parse(outcome.out);
  ASSERT_EQ(result["notes"].size(), 1u);
  EXPECT_NE(result["notes"][0].get<std::string>().find(" missing: File too large"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("Note: journal " + file), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("j.jsonl: File too large; lines are missing"), std::string::npos) << outcome.err;
  EXPECT_EQ(types_of(file).front(), "header");
}

TEST(FullDisk, AJournalThatTheStorageHasNotTakenIsNamed) {
  const StallFs fs;
  if (!fs.mounted()) EDAGEN_SKIP("FUSE is not to be had");
  fs.order("fail " + std::to_string(EIO) + " fsync");  // as of a thin volume that is full behind the page cache
  const Outcome outcome = edagen({"--phase", "functional", "--target", "sim:mm1", "--rate", "300", "--warmup", "0s",
                                  "--duration", "10s", "--journal", fs.path() + "/j.jsonl"});
  EXPECT_EQ(outcome.status, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("/j.jsonl: lines may be missing: Input/output error"), std::string::npos) << outcome.err;
}

TEST(FullDisk, AQuietRunSaysThatItsJournalIsIncomplete) {
  const TemporaryDirectory folder;
  const Outcome outcome = edagen({"run", "--phase", "functional", "--target", "sim:regular", "--warmup", "0s",
                                  "--duration", "1s", "-q", "--journal", "/dev/full"});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("--journal /dev/full: "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("missing: No space left on device"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace edagen::testing
