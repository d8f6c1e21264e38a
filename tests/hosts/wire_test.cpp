#include "hosts/wire.hpp"

#include <gtest/gtest.h>

#include "edagen/load_runner.hpp"

namespace edagen {
namespace {

TEST(Wire, CountsOfClientsArriveAndThoseOfOtherHostsTakeNoRoom) {
  IntervalStats one(1);
  one.clients.resize(1);
  one.clients[0].counts = {1000, 3, 4096000};
  one.clients[0].time(OpKind::stat, Nanos(2'000'000), Nanos(1'000'000));
  IntervalStats among_many(1);
  among_many.clients.resize(10001);
  among_many.clients[10000] = one.clients[0];
  const std::string bytes = to_wire(among_many);
  EXPECT_LE(bytes.size(), to_wire(one).size() + 20);
  IntervalStats read(0);
  WireReader(bytes).read(read);
  ASSERT_EQ(read.clients.size(), 10001u);
  EXPECT_EQ(read.clients[10000].counts.operations, 1000u);
  EXPECT_EQ(read.clients[10000].counts.errors, 3u);
  EXPECT_EQ(read.clients[10000].counts.bytes, 4096000);
  EXPECT_EQ(read.clients[10000], one.clients[0]) << "with its latencies";
  EXPECT_EQ(read.clients[0].counts.operations, 0u);
}

TEST(Wire, ALoadArrivesAsTheLoopThatItIs) {
  for (const LoadRate& rate : {LoadRate(ClosedLoop{}), LoadRate(OpenLoop{500, Arrivals::poisson})}) {
    LoadPoint load;
    load.rate = rate;
    load.io_depth = 4;
    const auto read = from_wire<LoadPoint>(to_wire(load));
    EXPECT_EQ(read.rate, rate);
    EXPECT_EQ(read.io_depth, 4u);
  }
}

TEST(Wire, AHostArrivesWithItsFiguresAndWhatIsNeededBesidesThem) {
  HostStats host;
  host.name = "h1";
  host.errors = {{"EIO", 3}};
  host.nfs = HostNfsFigures{.requests = 1e9, .execute = Millis(0.25)};
  host.portions = 4;
  host.throttled_share = 0.5;
  host.real_time_refused = true;
  const auto read = from_wire<HostStats>(to_wire(host));
  EXPECT_EQ(read.name, "h1");
  EXPECT_EQ(read.errors, host.errors);
  ASSERT_TRUE(read.nfs);
  EXPECT_EQ(read.nfs->requests, 1e9);
  EXPECT_EQ(read.nfs->execute, Millis(0.25));
  EXPECT_EQ(read.portions, 4u);
  EXPECT_EQ(read.throttled_share, 0.5);
  EXPECT_TRUE(read.real_time_refused);
}

TEST(Wire, ALoopThatThereIsNotIsRefused) {
  EXPECT_THROW(from_wire<LoadRate>(to_wire(std::variant<int, int, int>(std::in_place_index<2>))), Error);
}

}  // namespace
}  // namespace edagen
