#include "result/history_directory.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryDirectory;

TEST(HistoryDirectory, ItsLinesItsLockAndItsResultsAreKeptByWhateverName) {
  const TemporaryDirectory here;
  fs::create_directories(here / "results/2026-01-31T01-00-00Z");
  here.write("lock", "");
  EXPECT_TRUE(is_kept_in_history(here / "lock")) << "of the first night, which has no line yet";
  here.write("nights.jsonl", "");
  here.write("results/2026-01-31T01-00-00Z/edagen.night", "");
  const std::string result = here.write("results/2026-01-31T01-00-00Z/m-1.json", "{}");
  fs::create_symlink(result, here / "link");
  for (const std::string& path : {here / "nights.jsonl", here / "./lock", result, here / "link"})
    EXPECT_TRUE(is_kept_in_history(path)) << path;
}

TEST(HistoryDirectory, WhatIsNotThereYetOrBesideItsOwnFilesIsFree) {
  const TemporaryDirectory here;
  fs::create_directories(here / "results/2026-01-31T01-00-00Z");
  here.write("nights.jsonl", "");
  here.write("results/2026-01-31T01-00-00Z/edagen.night", "");
  fs::create_directory(here / "elsewhere");
  here.write("elsewhere/lock", "of another program");
  here.write("index.html", "the page");
  for (const char* const name : {"lock", "results/2026-01-31T01-00-00Z/m-2.json", "elsewhere/lock", "index.html", "-"})
    EXPECT_FALSE(is_kept_in_history(here / name)) << name;
}

}  // namespace
}  // namespace edagen
