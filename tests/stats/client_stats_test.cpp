#include "edagen/parts/client_stats.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

TEST(ClientStats, OutstandingOpsCountInTheResponseWithTheirAgeAndNotInTheService) {
  ClientStats open, closed;
  open.time(OpKind::stat, 3ms, 1ms);
  open.record_outstanding(5s);
  closed.time_closed_loop(OpKind::stat, 1ms);
  closed.record_outstanding(5s);
  for (const ClientStats* const client : {&open, &closed}) {
    EXPECT_EQ(client->response().count(), 2u);
    EXPECT_EQ(client->response().max(), 5s);
    EXPECT_EQ(client->service.max(), 1ms);
    EXPECT_EQ(client->outstanding, 1u);
  }
}

TEST(ClientStats, OpsOfOpenAndClosedLoopsMayBeMerged) {
  ClientStats open, closed, all;
  open.time(OpKind::stat, 3ms, 1ms);
  closed.time_closed_loop(OpKind::open, 2ms);
  all.merge(closed);
  all.merge(open);
  all.merge(closed);
  EXPECT_EQ(all.response().count(), 3u);
  EXPECT_EQ(all.service.count(), 3u);
  EXPECT_EQ(all.timed[static_cast<std::size_t>(OpKind::open)], 2u);
  EXPECT_EQ(all.response().mean(), NanosF(7e6 / 3));
  EXPECT_EQ(all.service.mean(), NanosF(5e6 / 3));
  all.clear();
  EXPECT_EQ(all, ClientStats());
}

TEST(ClientSlices, AWindowOfAnyLengthHasAtMost64SlicesAndNoOpIsLost) {
  for (const std::size_t intervals : {1u, 63u, 64u, 65u, 1000u}) {
    ClientSlices slices;
    for (std::size_t i = 0; i < intervals; ++i) {
      std::vector<ClientStats> clients(i < 3 ? 1 : 2);  // another client comes later
      clients[0].time(OpKind::stat, 1ms, 1ms);
      MeanOfKinds means{};
      means[static_cast<std::size_t>(OpKind::stat)] = 2e6;
      slices.add_interval(clients, means);
    }
    ASSERT_LE(slices.slices().size(), 64u);
    EXPECT_GE(slices.slices().size(), std::min<std::size_t>(intervals, 32));
    ResponseSum all;
    for (const auto& slice : slices.slices()) all.merge(slice.at(0));
    EXPECT_DOUBLE_EQ(all.total, 1e6 * static_cast<double>(intervals));
    EXPECT_DOUBLE_EQ(all.over_expected(), 0.5);
  }
}

}  // namespace
}  // namespace edagen
