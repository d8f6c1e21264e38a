#include "nfs/staleness.hpp"

#include <gtest/gtest.h>

#include "edagen/error.hpp"
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

TEST(Staleness, AReaderThatSeesNothingIsStaleAllTheTime) {
  testing::QuietWatch watch;
  const testing::TemporaryDirectory writer, reader;
  const Staleness seen = measure_staleness(writer.path(), reader.path(), 300ms, watch, {});
  EXPECT_DOUBLE_EQ(seen.attributes.share(), 1);
  EXPECT_DOUBLE_EQ(seen.data.share(), 1);
  EXPECT_EQ(seen.data.periods.count(), 4u);
  EXPECT_GT(seen.data.periods.percentile(50), 200ms);
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
