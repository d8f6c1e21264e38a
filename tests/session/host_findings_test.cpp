#include "session/host_findings.hpp"

#include <gtest/gtest.h>

namespace edagen {
namespace {

using namespace std::chrono_literals;

/// Four hosts that are alike.
std::vector<HostStats> hosts() {
  std::vector<HostStats> all(4);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].name = "h" + std::to_string(i);
    all[i].rank = i;
    all[i].clients = all[i].portions = 2;
    all[i].operations = 100'000;
    all[i].achieved_ops_per_sec = 1000;
    all[i].service_mean = NanosF(1e6);
    all[i].nfs = HostNfsFigures{.requests = 200'000};
  }
  return all;
}

TEST(HostFindings, HostsThatAreAlikeAreNotNamed) { EXPECT_TRUE(host_findings(hosts()).empty()); }

TEST(HostFindings, AHostThatIsSlowerForEachOfItsClientsIsNamed) {
  auto all = hosts();
  all[1].achieved_ops_per_sec = 700;
  all[2].clients = all[2].portions = 1;
  all[2].achieved_ops_per_sec = 500;  // half of the clients
  EXPECT_EQ(host_findings(all),
            std::vector<std::string>{"h1 (rank 1): 30 % fewer ops/s for each client than the median"});
}

TEST(HostFindings, WhatChanceExplainsIsNotNamed) {
  auto all = hosts();
  for (HostStats& host : all) host.operations = 100;
  all[1].achieved_ops_per_sec = 700;
  EXPECT_TRUE(host_findings(all).empty());
}

TEST(HostFindings, AHostThatHardlyDidAnythingIsNamed) {
  auto all = hosts();
  all[1].operations = 9;
  all[1].achieved_ops_per_sec = 0.09;
  EXPECT_EQ(host_findings(all),
            std::vector<std::string>{"h1 (rank 1): 100 % fewer ops/s for each client than the median"});
}

TEST(HostFindings, AHostThatALoadPointHasNoProcsOnIsNotNamed) {
  auto all = hosts();
  all[3].clients = all[3].portions = all[3].operations = 0;
  all[3].achieved_ops_per_sec = 0;
  all[3].service_mean = NanosF(0);
  EXPECT_TRUE(host_findings(all).empty());
}

TEST(HostFindings, EachHostWhosePausesMakeALoadPointInvalidIsNamedWithThem) {
  auto all = hosts();
  for (HostStats& host : all) host.longest_pause = 20ms, host.paused_share = 0.01;
  all[1].longest_pause = 1500ms, all[1].paused_share = 0.15;
  all[2].throttled_share = 0.4;
  EXPECT_EQ(pause_findings(all),
            (std::vector<std::string>{"h1 (rank 1): edagen was paused for up to 1,500 ms at once, 15 % of the time in "
                                      "all: that is in the figures",
                                      "h2 (rank 2): the limit of processors of its container held edagen up for 40 % "
                                      "of the time: that is in the figures"}));
}

TEST(HostFindings, WherePausesAreShortOnEachHostTheOneWithTheLongestIsNamed) {
  auto all = hosts();
  EXPECT_TRUE(pause_findings(all).empty());
  for (HostStats& host : all) host.longest_pause = 20ms, host.paused_share = 0.01;
  all[3].longest_pause = 30ms, all[3].paused_share = 0.04;
  EXPECT_EQ(
      pause_findings(all),
      std::vector<std::string>{
          "h3 (rank 3): edagen was paused for up to 30.0 ms at once, 4 % of the time in all: that is in the figures"});
}

TEST(HostFindings, OfTwoHostsTheSlowerOneIsNamed) {
  auto all = hosts();
  all.resize(2);
  all[1].service_mean = NanosF(2e6);
  EXPECT_EQ(host_findings(all), std::vector<std::string>{"h1 (rank 1): mean service 100 % longer than the other"});
}

TEST(HostFindings, TheHostForWhoseErrorsALoadWasEndedIsKnown) {
  auto all = hosts();
  EXPECT_EQ(host_of_most_errors(all), std::nullopt);
  all[0].errors = {{"EIO", 7}};
  all[2].errors = {{"EIO", 7}, {"ESTALE", 30}};
  EXPECT_EQ(host_of_most_errors(all), "h2 (rank 2): 37 of its ops failed");
}

TEST(HostFindings, AHostWhoseRequestsAreSentAgainOrFailIsNamed) {
  auto all = hosts();
  all[3].nfs->retransmissions = 8000;
  all[0].errors = {{"EIO", 7}};
  all[1].errors = {{"EIO", 1}};
  EXPECT_EQ(host_findings(all), (std::vector<std::string>{"h0 (rank 0): 7 errors", "h1 (rank 1): 1 error",
                                                          "h3 (rank 3): 4 % of its RPCs were sent again"}));
}

TEST(HostFindings, AHostThatBeginsItsOpsLateIsNamedAsThatAndNotAsSlowStorage) {
  auto all = hosts();
  for (HostStats& host : all) host.response_mean = NanosF(1.1e6);
  all[1].response_mean = NanosF(65e6), all[1].generator_lag_mean = NanosF(60e6);
  EXPECT_EQ(
      host_findings(all),
      std::vector<std::string>{"h1 (rank 1): began its ops 60.0 ms late on average, of 65.0 ms mean response: this "
                               "host is short of processors, or was stopped, and the storage is not slow there"});
  all[1].response_mean = NanosF(1.1e6), all[1].generator_lag_mean = NanosF(40e3);
  EXPECT_TRUE(host_findings(all).empty()) << "a wake-up takes as long";
}

TEST(HostFindings, AHostWhoseProcsWaitBehindTheirOpsIsNamedByItsResponse) {
  auto all = hosts();
  for (HostStats& host : all) host.response_mean = NanosF(1.1e6);
  all[2].response_mean = NanosF(4.4e6);
  EXPECT_EQ(host_findings(all), std::vector<std::string>{"h2 (rank 2): mean response 300 % longer than the median"});
}

HostStats began(Nanos first_op, Nanos clock_uncertainty) {
  HostStats host;
  host.first_op = first_op;
  host.clock_uncertainty = clock_uncertainty;
  return host;
}

TEST(FirstOpSpread, IsFromTheEarliestToTheLatestAsFarAsTheirClocksAreKnown) {
  const auto spread = first_op_spread({began(3ms, 0ns), began(7ms, 200us), began(2ms, 100us)});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->spread, 5ms);
  EXPECT_NEAR(spread->uncertainty.count(), 0.3, 1e-9);
}

TEST(FirstOpSpread, AHostOfAnUncertainClockMayBeTheLatest) {
  const auto spread = first_op_spread({began(2ms, 0ns), began(7ms, 0ns), began(6ms, 4ms)});
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->spread, 5ms);
  EXPECT_NEAR(spread->uncertainty.count(), 3, 1e-9);
}

TEST(FirstOpSpread, OfHostsWithoutAnOpNothingIsKnown) {
  EXPECT_FALSE(first_op_spread({}));
  EXPECT_FALSE(first_op_spread({began(3ms, 0ns), began(0ns, 0ns)}));
}

}  // namespace
}  // namespace edagen
