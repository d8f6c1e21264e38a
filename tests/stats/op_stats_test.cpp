#include "edagen/parts/op_stats.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(OpStats, CountsBytesErrorsAndLatenciesPerKind) {
  OpStats stats;
  stats.record(OpKind::read_rand, {3ms, 1ms, 2ms}, {0, 8192, 0});
  stats.record(OpKind::write_rand, {1ms, 1ms, 0ms}, {ENOSPC, 0, 100});
  EXPECT_EQ(stats.operations(), 2u);
  EXPECT_EQ(stats.bytes_read(), 8192);
  EXPECT_EQ(stats.bytes_written(), 100);
  EXPECT_EQ(stats.errors(), (std::map<int, std::uint64_t>{{ENOSPC, 1}}));
  EXPECT_EQ(stats.of(OpKind::read_rand).response().max(), 3ms);
  EXPECT_EQ(stats.of(OpKind::read_rand).lag.max(), 2ms);
  EXPECT_DOUBLE_EQ(stats.response().mean(), 2e6);
  EXPECT_DOUBLE_EQ(stats.service().mean(), 1e6);
}

TEST(OpStats, ClosedLoopOpsHaveTheirServiceTimeAsResponse) {
  OpStats stats;
  stats.of(OpKind::stat).time_closed_loop(1ms);
  EXPECT_EQ(stats.response().max(), 1ms);
  EXPECT_EQ(stats.of(OpKind::stat).response().count(), 1u);
  EXPECT_EQ(stats.lag().count(), 0u);
}

TEST(OpStats, TheResponseCountsOpsOfClosedAndOpenLoopsInAnyOrder) {
  OpStats closed, open;
  closed.of(OpKind::stat).time_closed_loop(1ms);
  open.record(OpKind::stat, {5ms, 2ms, 3ms}, {});
  OpStats closed_first = closed, open_first = open;
  closed_first.record(OpKind::stat, {5ms, 2ms, 3ms}, {});
  open_first.of(OpKind::stat).time_closed_loop(1ms);
  OpStats closed_and_open = closed, open_and_closed = open;
  closed_and_open.merge(open);
  open_and_closed.merge(closed);
  OpStats none;
  none.merge(closed_and_open);
  for (const OpStats& stats : {closed_first, open_first, closed_and_open, open_and_closed, none}) {
    EXPECT_EQ(stats.response().count(), 2u);
    EXPECT_DOUBLE_EQ(stats.response().mean(), 3e6);
    EXPECT_DOUBLE_EQ(stats.service().mean(), 1.5e6);
    EXPECT_EQ(stats.lag().count(), 1u);
  }
}

TEST(OpStats, MergingAddsUpAndClearingForgets) {
  OpStats a, b;
  a.record(OpKind::stat, {1ms, 1ms, 0ms}, {EIO, 0, 0});
  b.record(OpKind::stat, {3ms, 3ms, 0ms}, {EIO, 0, 0});
  b.record(OpKind::create, {5ms, 5ms, 0ms}, {});
  a.merge(b);
  EXPECT_EQ(a.operations(), 3u);
  EXPECT_EQ(a.of(OpKind::stat).errors.at(EIO), 2u);
  a.clear();
  EXPECT_EQ(a.operations(), 0u);
  EXPECT_EQ(a.error_count(), 0u);
  EXPECT_EQ(a.response().count(), 0u);
}

TEST(OpStats, ErrorsOfWhatIsNoOpAreMergedAndForgottenToo) {
  OpStats a, b;
  b.record_error(OpKind::fsync, EIO);
  a.merge(b);
  EXPECT_EQ(a.errors(), (std::map<int, std::uint64_t>{{EIO, 1}}));
  EXPECT_EQ(a.operations(), 0u);
  a.clear();
  EXPECT_EQ(a.error_count(), 0u);
}

}  // namespace
}  // namespace edagen
