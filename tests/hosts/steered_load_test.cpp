#include "hosts/steered_load.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>

#include "fakes/fake_network.hpp"
#include "fakes/steered_load.hpp"

namespace edagen::testing {
namespace {

using namespace std::chrono_literals;

/// What was measured, bit for bit: all that does not depend on the machine.
std::string bits(const RunStats& stats) {
  WireWriter writer;
  writer.add(stats.length, stats.warmup, stats.drain, stats.requested_ops_per_sec, stats.ops, stats.groups,
             stats.generator_lag, stats.unsteady);
  for (const Interval& interval : stats.intervals)
    writer.add(interval.start, interval.length, interval.operations, interval.errors, interval.bytes,
               interval.response_mean, interval.service_mean, interval.response_p99, interval.statistic);
  return writer.take();
}

using Work = std::function<std::vector<RunStats>(LoadRunner&)>;

std::vector<RunStats> by_one(const std::string& model, const Work& work) {
  SteeredVolume volume(model, nullptr, nullptr);
  return work(volume.runner());
}

std::vector<RunStats> by_many(int ranks, const std::string& model, const Work& work) {
  FakeNetwork network(ranks);
  std::vector<RunStats> measured;
  const auto ends = on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      LedVolume here(hosts, model);
      measured = work(here.steered);
    } else {
      EXPECT_EQ(follow(hosts, model), 0u);
    }
  });
  EXPECT_EQ(ends[0].status, 0) << ends[0].errors.size();
  for (const auto& end : ends)
    for (const std::string& error : end.errors) ADD_FAILURE() << error;
  return measured;
}

class SteeredLoadOnManyRanks : public ::testing::TestWithParam<int> {};

TEST_P(SteeredLoadOnManyRanks, GivesTheSameStatisticsBitForBitAsOneProcess) {
  const Work work = [&](LoadRunner& runner) {
    LoadPoint load = load_at(20e3, 500ms, 2s, 250ms);
    std::vector<RunStats> all{runner.run(load, ignore_events)};
    load.settle = true;  // what comes next is decided from what all have seen
    all.push_back(runner.run(load, ignore_events));
    load.settle = false;
    load.rate = ClosedLoop{};
    all.push_back(runner.run(load, ignore_events));
    return all;
  };
  const auto one = by_one("regular", work), many = by_many(GetParam(), "regular", work);
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_GT(one[i].ops.operations(), 1000u);
    EXPECT_EQ(one[i].ops.operations(), many[i].ops.operations()) << i;
    EXPECT_TRUE(bits(one[i]) == bits(many[i])) << i;
    ASSERT_EQ(many[i].hosts.size(), static_cast<std::size_t>(GetParam()));
    std::uint64_t sum = 0;
    for (const HostStats& host : many[i].hosts) sum += host.operations;
    EXPECT_EQ(sum, one[i].ops.operations());
  }
}

TEST_P(SteeredLoadOnManyRanks, IsSteeredThroughManyRatesAsOneProcessIs) {
  const Work work = [&](LoadRunner& runner) {
    std::vector<RunStats> all;
    for (const double rate : {5e3, 30e3, 60e3, 10e3}) {  // overloaded on the way
      LoadPoint load = load_at(rate, 50ms, 500ms, 100ms);
      load.stays_up = true;
      load.job_sets = rate > 20e3 ? std::nullopt : std::optional<std::size_t>(5);
      all.push_back(runner.run(load, ignore_events));
    }
    EXPECT_EQ(runner.end_load(), 0u);
    return all;
  };
  const auto one = by_one("regular", work), many = by_many(GetParam(), "regular", work);
  ASSERT_EQ(one.size(), many.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(bits(one[i]) == bits(many[i])) << i;
}

TEST_P(SteeredLoadOnManyRanks, WarmsUpUntilAllTogetherHaveSettledAsOneProcessDoes) {
  const Work work = [&](LoadRunner& runner) {
    std::vector<RunStats> all;
    for (const double rate :
         {4e3, 8e3, 12e3, 16e3, 80e3}) {  // at the first each rank has its own noise, then it trends
      LoadPoint load = load_at(rate, 400ms, 400ms, 50ms);
      load.settle = true;
      all.push_back(runner.run(load, ignore_events));
    }
    return all;
  };
  const auto one = by_one("regular", work), many = by_many(GetParam(), "regular", work);
  ASSERT_EQ(one.size(), many.size());
  EXPECT_GT(one.back().warmup, 400ms) << "it trends";
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].warmup, many[i].warmup) << i;
    EXPECT_TRUE(bits(one[i]) == bits(many[i])) << i;
  }
}

TEST_P(SteeredLoadOnManyRanks, EmitsWhenAWindowBeginsAndEndsAsOneProcessDoes) {
  for (const Nanos warmup : {0ms, 200ms}) {
    std::string of_one, of_many;  // begins and ends of windows
    const auto work = [&](std::string& windows) {
      return [&windows, warmup](LoadRunner& runner) {
        const EventSink note =
            on([&](const WindowBegan&) { windows += "("; }, [&](const WindowEnded&) { windows += ")"; });
        const LoadPoint load = load_at(10e3, warmup, 500ms, 100ms);
        return std::vector<RunStats>{runner.run(load, note), runner.run(load, note)};
      };
    };
    by_one("regular", work(of_one));
    by_many(GetParam(), "regular", work(of_many));
    EXPECT_EQ(of_one, "()()");
    EXPECT_EQ(of_many, of_one);
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, SteeredLoadOnManyRanks, ::testing::Values(3, 10));

TEST(SteeredLoad, NoRankDecidesForItselfWhetherItHasSettled) {
  FakeNetwork network(2);
  std::array<AskedRunner, 2> asked;
  on_hosts(network, [&](Hosts& hosts) {
    AskedRunner& here = asked.at(static_cast<std::size_t>(hosts.rank()));
    LoadPoint load = load_at(10e3, 100ms, 1s, 100ms);
    load.settle = true;
    if (hosts.leads()) {
      NoCounters none;
      LedLoad led(hosts, mixed_kinds);
      SteeredLoad(hosts, led, here, none, {all_clients}).run(load, ignore_events);
    } else {
      FollowedLoad followed(hosts);
      follow(hosts, followed, here);
    }
  });
  for (const AskedRunner& rank : asked) {
    ASSERT_EQ(rank.loads.size(), 1u);
    EXPECT_FALSE(rank.loads[0].settle);
  }
}

TEST(SteeredLoad, AHostIsToldByTheClientsAndJobSetsThatTheLoadPointHasAtWorkThere) {
  FakeNetwork network(2);
  std::vector<HostStats> of_clients, of_job_sets;
  on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      LedVolume here(hosts);
      LoadPoint load = load_at(1e3, 0ms, 200ms, 100ms);
      load.clients = 3;
      of_clients = here.steered.run(load, ignore_events).hosts;
      load.clients.reset();
      load.job_sets = all_clients + 1;
      of_job_sets = here.steered.run(load, ignore_events).hosts;
      return;
    }
    follow(hosts);
  });
  ASSERT_EQ(of_clients.size(), 2u);
  ASSERT_EQ(of_job_sets.size(), 2u);
  EXPECT_EQ(of_clients[0].clients, 2u);
  EXPECT_EQ(of_clients[1].clients, 1u);
  EXPECT_EQ(of_job_sets[0].clients, 4u);
  EXPECT_EQ(of_job_sets[0].portions, 5u);
  EXPECT_EQ(of_job_sets[1].portions, 4u);
}

/// Data of the load is lost when it is flushed at the end.
struct FailedFlush final : LoadRunner {
  explicit FailedFlush(LoadRunner& its_load) : load(its_load) {}
  RunStats run(const LoadPoint& point, const EventSink& emit) override {
    RunStats stats = load.run(point, emit);
    stats.ops.record_error(OpKind::fsync, EIO);
    stats.sync_errors = {EIO};
    return stats;
  }
  LoadRunner& load;
};

TEST(SteeredLoad, AnErrorOfTheLastFlushOnAnyHostIsOneOfTheLoad) {
  FakeNetwork network(2);
  RunStats measured;
  on_hosts(network, [&](Hosts& hosts) {
    if (hosts.leads()) {
      measured = LedVolume(hosts).steered.run(load_at(1e3, 0ms, 200ms, 100ms), ignore_events);
      return;
    }
    FollowedLoad followed(hosts);
    SteeredVolume volume("regular", &hosts, &followed);
    FailedFlush here(volume.runner());
    follow(hosts, followed, here);
  });
  EXPECT_EQ(measured.ops.errors(), (std::map<int, std::uint64_t>{{EIO, 1}}));
}

}  // namespace
}  // namespace edagen::testing
