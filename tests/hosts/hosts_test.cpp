#include "hosts/hosts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "fakes/fake_network.hpp"

namespace edagen::testing {
namespace {

TEST(Hosts, GatherInTheOrderOfRanksAndHearTheLeader) {
  FakeNetwork network(4);
  std::atomic<int> right{0};
  on_hosts(network, [&](Hosts& hosts) {
    const auto all = hosts.gather("of " + std::to_string(hosts.rank()));
    if (hosts.leads()) {
      EXPECT_EQ(all, (std::vector<std::string>{"of 0", "of 1", "of 2", "of 3"}));
    }
    right += hosts.broadcast(hosts.leads() ? "said" : "") == "said" ? 1 : 0;
    hosts.meet();
  });
  EXPECT_EQ(right, 4);
  EXPECT_TRUE(network.aborted().empty());
}

TEST(Hosts, ShareOutEachClientOnce) {
  FakeNetwork network(3);
  std::mutex mutex;
  std::vector<int> owners(7, 0);
  on_hosts(network, [&](Hosts& hosts) {
    std::lock_guard lock(mutex);
    for (std::uint64_t client = 0; client < 7; ++client) owners[client] += hosts.has(client, {7, 1}) ? 1 : 0;
  });
  EXPECT_EQ(owners, std::vector<int>(7, 1));
}

TEST(Hosts, EachHasAClientOnEachMount) {
  for (const std::uint64_t mounts : {1u, 2u, 3u, 4u, 6u, 8u}) {
    FakeNetwork network(4);
    std::mutex mutex;
    std::map<std::pair<int, std::uint64_t>, int> clients;  // by rank and mount
    on_hosts(network, [&](Hosts& hosts) {
      std::lock_guard lock(mutex);
      for (std::uint64_t client = 0; client < 4 * mounts; ++client)
        if (hosts.has(client, {4 * mounts, mounts})) ++clients[{hosts.rank(), client % mounts}];
    });
    EXPECT_EQ(clients.size(), 4 * mounts);
  }
}

TEST(Hosts, KnowTheClocksOfTheOthers) {
  FakeNetwork network(3);
  on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      hosts.synchronize();
      for (int rank = 1; rank < 3; ++rank) {
        // They are one clock here: the offset is within what is not known of it.
        EXPECT_LE(std::chrono::abs(hosts.clock(rank).offset), hosts.clock(rank).uncertainty + Nanos(1));
        EXPECT_LT(hosts.clock(rank).uncertainty, Nanos::max());
      }
    }
    hosts.meet();
  });
}

TEST(Hosts, AnErrorOfOneEndsAllAndIsToldByTheLeader) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.rank() == 2) throw usage_error("mount /m", "is not there");
    hosts.meet();
  });
  EXPECT_EQ(ends[0].status, 2);
  ASSERT_FALSE(ends[0].errors.empty());
  EXPECT_EQ(ends[0].errors.front(), "host2 (rank 2): mount /m: is not there");
  EXPECT_NE(ends[1].status, 0);
  EXPECT_TRUE(network.aborted().empty());
}

TEST(Hosts, EachFinishesWithTheStatusOfItsProcess) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.rank() == 2) throw usage_error("mount /m", "is not there");
    while (hosts.leads() && !hosts.failure()) hosts.rest();
  });
  EXPECT_EQ(network.finished(), (std::map<int, int>{{0, ends[0].status}, {1, 0}, {2, 2}}));
  EXPECT_EQ(ends[0].status, 2);
}

TEST(Hosts, ARankThatFailsFinishesWithTheStatusOfTheLeader) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.rank() == 2) throw usage_error("mount /m", "is not there");
    while (hosts.leads() && !hosts.failure()) hosts.rest();
    if (hosts.leads()) throw run_error("the night", "has failed");
  });
  EXPECT_EQ(network.finished(), (std::map<int, int>{{0, 1}, {1, 0}, {2, 1}}));
  EXPECT_EQ(ends[2].status, 1);
}

TEST(Hosts, ARankThatFallsSilentIsNamedAndAllEnd) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        hosts.meet();
        if (hosts.rank() == 1) network.cut(1);
        hosts.meet();
      },
      std::chrono::seconds(2));
  EXPECT_EQ(ends[0].status, 1);
  ASSERT_FALSE(ends[0].errors.empty());
  EXPECT_NE(ends[0].errors.front().find("host1 (rank 1)"), std::string::npos) << ends[0].errors.front();
  EXPECT_NE(ends[1].status, 0);
  EXPECT_FALSE(network.aborted().empty());
}

TEST(Hosts, ARankThatFallsSilentWhileClocksAreMeasuredIsNamedOnAllOthers) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        hosts.meet();
        if (hosts.leads()) {
          network.cut(1);
          hosts.synchronize();
        }
        hosts.meet();
      },
      std::chrono::seconds(2));
  for (const std::size_t rank : {0u, 2u}) {
    ASSERT_FALSE(ends[rank].errors.empty());
    EXPECT_NE(ends[rank].errors.front().find("host1 (rank 1)"), std::string::npos) << ends[rank].errors.front();
  }
}

TEST(Hosts, ARankThatNoMessageReachesIsLostByName) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        hosts.meet();
        if (!hosts.leads()) hosts.meet();
        network.break_way_to(2);
        hosts.send(2, About::facts, "");
        while (!hosts.failure()) hosts.rest();
        throw Error(*hosts.failure());
      },
      std::chrono::seconds(2));
  EXPECT_EQ(ends[0].status, 1);
  ASSERT_FALSE(ends[0].errors.empty());
  EXPECT_EQ(ends[0].errors.front().find("host2 (rank 2): no message reaches it"), 0u) << ends[0].errors.front();
  EXPECT_NE(ends[1].status, 0);
}

TEST(Hosts, TheOthersWaitForAsLongAsTheLeaderWorks) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(
      network,
      [&](Hosts& hosts) {
        if (hosts.leads()) std::this_thread::sleep_for(std::chrono::milliseconds(1500));
      },
      std::chrono::seconds(10), "", std::chrono::seconds(1));
  for (const Hosts::End& end : ends) EXPECT_EQ(end.status, 0);
  EXPECT_TRUE(network.aborted().empty());
}

TEST(Hosts, AnErrorThatTheLeaderEndsWithIsNotToldAgain) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.rank() == 2) throw usage_error("mount /m", "is not there");
    while (hosts.leads() && !hosts.failure()) hosts.rest();
    if (hosts.leads()) throw Error(*hosts.failure());
  });
  EXPECT_EQ(ends[0].errors, std::vector<std::string>{"host2 (rank 2): mount /m: is not there"});
}

TEST(Hosts, RefuseAnotherVersion) {
  FakeNetwork network(2);
  const Ends ends = on_hosts(
      network, [&](Hosts& hosts) { hosts.meet(); }, std::chrono::seconds(10), "2");
  EXPECT_EQ(ends[0].status, 2);
  EXPECT_NE(ends[0].errors.at(0).find("is edagen 2, here it is 1"), std::string::npos) << ends[0].errors.at(0);
}

TEST(Hosts, OneWhoseOpDoesNotReturnIsNamedWithIt) {
  for (const int hanging : {0, 2}) {
    FakeNetwork network(3);
    const Ends ends = on_hosts(network, [&](Hosts& hosts) {
      if (hosts.rank() == hanging) hosts.tell_hanging("stuck for 30 s: stat f000001");
      while (hosts.leads() && !hosts.failure()) hosts.rest();
      if (hosts.leads()) throw Error(*hosts.failure());
    });
    const std::string name = hanging == 0 ? "host0 (rank 0)" : "host2 (rank 2)";
    EXPECT_EQ(ends[0].status, 1);
    EXPECT_EQ(ends[0].errors.at(0).find(name + ": stuck for 30 s: stat f000001"), 0u) << ends[0].errors.at(0);
    EXPECT_TRUE(network.aborted().empty()) << "all can end";
  }
}

TEST(Hosts, AllWhoseOpsHaveNeverReturnedAreNamed) {
  FakeNetwork network(3);
  const Ends ends = on_hosts(network, [&](Hosts& hosts) {
    if (!hosts.leads()) return;
    hosts.end_for_hanging({1, 2});
    throw Error(*hosts.failure());
  });
  EXPECT_EQ(ends[0].errors.at(0).find("host1 (rank 1), host2 (rank 2): ops never returned"), 0u)
      << ends[0].errors.at(0);
}

TEST(Hosts, AStopOfAnyRankEndsAllOthers) {
  for (const int stopped : {0, 1}) {
    FakeNetwork network(3);
    std::array<std::atomic<bool>, 3> ended{};
    on_hosts(network, [&](Hosts& hosts) {
      std::stop_source signal;
      std::atomic<bool>& is_ended = ended[static_cast<std::size_t>(hosts.rank())];
      hosts.stop_when_told(signal.get_token(), [&] { is_ended = true; });
      if (hosts.rank() == stopped) signal.request_stop();
      const TimePoint until = now() + std::chrono::seconds(5);
      while (hosts.rank() != stopped && !is_ended && now() < until) hosts.rest();
      hosts.meet();
      hosts.stop_when_told({}, nullptr);
    });
    for (int rank = 0; rank < 3; ++rank)
      EXPECT_TRUE(rank == stopped || ended[static_cast<std::size_t>(rank)]) << rank << " of a stop at " << stopped;
  }
}

TEST(Hosts, ASignalAtOneEndsTheLeader) {
  FakeNetwork network(2);
  std::atomic<bool> ended{false};
  on_hosts(network, [&](Hosts& hosts) {
    std::stop_source signal;
    hosts.stop_when_told(signal.get_token(), [&] { ended = true; });
    if (!hosts.leads()) signal.request_stop();
    while (hosts.leads() && !ended) hosts.rest();
    hosts.meet();
    hosts.stop_when_told({}, nullptr);
  });
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace edagen::testing
