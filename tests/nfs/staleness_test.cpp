#include "nfs/staleness.hpp"

#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "base/descriptor.hpp"
#include "edagen/error.hpp"
#include "support/error_of.hpp"
#include "support/quiet_watch.hpp"
#include "support/temporary_directory.hpp"

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(Staleness, OneFileSystemNeverShowsItselfAnythingStale) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory folder;
  const Staleness seen = measure_staleness(folder.path(), folder.path(), 1200ms, watch, {});
  EXPECT_GT(seen.attributes.looks, 10u);
  EXPECT_GT(seen.data.looks, 10u);
  EXPECT_GT(seen.lookups.looks, 0u);
  EXPECT_EQ(seen.attributes.stale + seen.data.stale + seen.lookups.stale, 0u);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Staleness, TwoDirectoriesThatAreNotOneAreRefused) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory writer, reader;
  check_same_directory(writer.path(), writer.path(), watch);
  const std::string error = testing::error_of([&] { check_same_directory(writer.path(), reader.path(), watch); });
  EXPECT_TRUE(error.starts_with(reader.path() + ": does not show what is made in " + writer.path())) << error;
  EXPECT_TRUE(std::filesystem::is_empty(writer.path()));
}

TEST(Staleness, WhatAKilledProcessOfTheSameNumberHasLeftIsNotInTheWayAndStays) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory folder;
  for (const char* const stem : {"edagen.staleness-", "edagen.staleness-check-"})
    std::filesystem::create_directory(folder / (stem + std::to_string(::getpid())));
  check_same_directory(folder.path(), folder.path(), watch);
  EXPECT_GT(measure_staleness(folder.path(), folder.path(), 200ms, watch, {}).data.looks, 0u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 2);
}

TEST(Staleness, AReaderThatSeesNothingIsStaleAllTheTime) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory writer, reader;
  const Staleness seen = measure_staleness(writer.path(), reader.path(), 300ms, watch, {});
  EXPECT_DOUBLE_EQ(seen.attributes.share(), 1);
  EXPECT_DOUBLE_EQ(seen.data.share(), 1);
  for (const StaleLooks* const looks : {&seen.attributes, &seen.data}) {
    ASSERT_EQ(looks->periods.size(), 4u);
    for (const Lifetime& period : looks->periods) {
      EXPECT_FALSE(period.ended) << "nobody saw it end";
      EXPECT_GT(period.lasted, 200ms);
    }
  }
}

TEST(Staleness, EachKindOfLookHasFilesThatNoOtherLooksAt) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory writer, reader;
  const std::string own = "/edagen.staleness-" + std::to_string(::getpid()) + "/";
  const std::set<std::string> all = {"attributes/f0", "data/f0", "lookups/f0/new", "lookups/f1"};
  std::set<std::string> seen;
  for (int tries = 0; tries < 10 && seen != all; ++tries) {  // on a busy machine the watcher may miss one for a second
    const std::jthread watcher([&](const std::stop_token& stop) {
      for (std::error_code error; !stop.stop_requested() && seen != all;)
        for (const std::string& name : all)
          if (std::filesystem::exists(writer.path() + own + name, error)) seen.insert(name);
    });
    measure_staleness(writer.path(), reader.path(), 1s, watch, {});
  }
  EXPECT_EQ(seen, all);
}

TEST(Staleness, TheReaderOpensNoFileThatItStats) {
  // An open would refresh what the client remembers, and so what the next stat shows.
  testing::QuietWatch watch;
  const testing::TemporaryDirectory writer, reader;
  const std::string seen = reader / ("edagen.staleness-" + std::to_string(::getpid()));
  const Descriptor opens(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  std::map<int, int> opened;
  std::map<std::string, int> watched;
  for (const std::string name : {"attributes", "data"}) {
    std::filesystem::create_directories(seen + "/" + name);
    for (int i = 0; i < 4; ++i) std::ofstream(seen + "/" + name + "/f" + std::to_string(i)) << "an old version";
    watched[name] = ::inotify_add_watch(opens.get(), (seen + "/" + name).c_str(), IN_OPEN);
    ASSERT_GE(watched[name], 0);
  }
  measure_staleness(writer.path(), reader.path(), 200ms, watch, {});
  alignas(inotify_event) std::array<char, 65536> events;
  for (ssize_t got; (got = ::read(opens.get(), events.data(), events.size())) > 0;)
    for (ssize_t at = 0; at < got;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(events.data() + at);
      ++opened[event->wd];
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    }
  EXPECT_EQ(opened[watched["attributes"]], 0);
  EXPECT_GT(opened[watched["data"]], 0);
}

TEST(Staleness, AFileThatIsNotFoundIsLookedForToTheEnd) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory writer, reader;
  const Staleness seen = measure_staleness(writer.path(), reader.path(), 1900ms, watch, {});
  ASSERT_GE(seen.lookups.periods.size(), 2u) << "created after 0.5 s, 1 s and 1.5 s";
  EXPECT_GT(seen.lookups.periods[0].lasted, 550ms) << "until the next file it would be 500";
}

TEST(Staleness, AStopRequestEndsIt) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory folder;
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(measure_staleness(folder.path(), folder.path(), 1000s, watch, stop.get_token()).data.looks, 0u);
  EXPECT_THROW(measure_staleness("/nonexistent", folder.path(), 1s, watch, {}), Error);
}

}  // namespace
}  // namespace edagen
