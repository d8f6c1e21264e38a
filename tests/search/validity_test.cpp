#include "search/validity.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace edagen {
namespace {

using namespace std::chrono_literals;
using Reasons = std::vector<Invalid>;

/// 1,000 ops of two kinds of procs in 1 s, as requested.
RunStats good() {
  RunStats stats;
  stats.length = 1s;
  stats.requested_ops_per_sec = 1000;
  for (int i = 0; i < 1000; ++i) stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {});
  stats.groups = {{.name = "functional", .requested_ops_per_sec = 600, .share = 0.6, .operations = 600, .due = 600},
                  {.name = "physical", .requested_ops_per_sec = 400, .share = 0.4, .operations = 400, .due = 400}};
  return stats;
}

TEST(Validity, APointThatReachedItsRatesIsValid) { EXPECT_EQ(invalid_reasons(good()), Reasons{}); }

TEST(Validity, LessThan95PercentOfTheRateIsTooLow) {
  RunStats stats = good();
  // 1 op in flight on average: 1 + 3 may be missing by chance.
  stats.groups[0].due = 656;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[0].due = 658;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::achieved_rate_low});
}

TEST(Validity, MoreOpsThanWereDueAreThoseThatAStopInTheWarmUpLeftBehind) {
  RunStats stats = good();
  stats.groups[0].due = 549;  // 996 of 949 ops by more than chance: 1.0495
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[0].due = 548;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::unsteady});
  stats.requested_ops_per_sec.reset();
  EXPECT_EQ(invalid_reasons(stats), Reasons{}) << "in a closed loop none is due";
}

TEST(Validity, AClosedLoopIsUnsteadyWhereAStopInTheWarmUpTookMuchOfTheWindow) {
  RunStats stats = good();
  stats.requested_ops_per_sec.reset();
  ProcWaits& waits = stats.groups[0].waits;
  waits.carried_ops = 2, waits.carried = 60ms;  // beside 1,000 ops of 1 ms
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::unsteady});
  waits.carried = 50ms;
  EXPECT_EQ(invalid_reasons(stats), Reasons{}) << "less than 5 % of the time";
  waits.carried_ops = 30, waits.carried = 60ms;
  EXPECT_EQ(invalid_reasons(stats), Reasons{}) << "ops in flight at the begin of any window";
}

TEST(Validity, AProcBelow75PercentOfItsRateIsTooLow) {
  RunStats stats = good();
  stats.groups[1].least_proc_share = 0.74;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::proc_rate_low});
}

TEST(Validity, AKindOfProcThatIsMoreThanFivePointsOffItsShareSpoilsTheMix) {
  RunStats stats = good();
  stats.groups[0].operations = 649, stats.groups[1].operations = 351;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[0].operations = 651, stats.groups[1].operations = 349;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::mix_off});
}

TEST(Validity, AKindWithoutProcsSpoilsTheMix) {
  RunStats stats = good();
  stats.groups[0].share = 1, stats.groups[0].operations = stats.groups[0].due = 1000;
  stats.groups[1] = {.name = "physical"};
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::mix_off});
}

RunStats with_generator_lag(Nanos most, Nanos worst) {
  RunStats stats = good();
  for (int i = 0; i < 1000; ++i) stats.generator_lag.record(i < 980 ? most : worst);
  return stats;
}

TEST(Validity, TheGeneratorsOwnDelayIsHeldAgainstTheResponseThatIsReported) {
  EXPECT_EQ(invalid_reasons(with_generator_lag(99us, 99us)), Reasons{});
  EXPECT_EQ(invalid_reasons(with_generator_lag(102us, 102us)), Reasons{Invalid::generator_limited});
  const LatencyStatistic p99{99};
  EXPECT_EQ(invalid_reasons(with_generator_lag(10us, 200us), p99), Reasons{Invalid::generator_limited});
  EXPECT_EQ(invalid_reasons(with_generator_lag(10us, 200us)), Reasons{});
}

TEST(Validity, OfABlockTheMeanAloneCounts) {
  // As when 2 % of the ops wait for a processor for 5 ms once, in a slice of 500 ms.
  const RunStats stats = with_generator_lag(1us, 4ms);
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_limited});
  EXPECT_EQ(invalid_reasons(stats, {}, std::nullopt, Purpose::block), Reasons{});
  EXPECT_EQ(invalid_reasons(with_generator_lag(102us, 102us), {}, std::nullopt, Purpose::block),
            Reasons{Invalid::generator_limited});
}

TEST(Validity, TheGeneratorsOwnDelayIsHeldAgainstTheTarget) {
  EXPECT_EQ(invalid_reasons(with_generator_lag(190us, 190us), {}, 2ms), Reasons{});
  EXPECT_EQ(invalid_reasons(with_generator_lag(210us, 210us), {}, 2ms), Reasons{Invalid::generator_limited});
}

TEST(Validity, WhatMeetsALowTargetIsNotMostlyTheGeneratorsDelay) {
  RunStats stats = good();
  stats.ops.clear();
  for (int i = 0; i < 1000; ++i) {
    stats.ops.record(OpKind::stat, {51us, 11us, 40us}, {});
    stats.generator_lag.record(40us);
  }
  EXPECT_EQ(invalid_reasons(stats, {}, 100us), Reasons{Invalid::generator_limited});
  EXPECT_EQ(invalid_reasons(stats, {99}, 300us), Reasons{Invalid::generator_limited});
  EXPECT_EQ(invalid_reasons(stats), Reasons{}) << "without a target it is what waking a thread takes";
}

TEST(Validity, APauseOfTheGeneratorIsAReasonHoweverSlowTheResponse) {
  RunStats stats = good();
  stats.longest_pause = 99ms;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.longest_pause = 100ms;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_paused});
}

TEST(Validity, OpsThatNeverEndedAreAReason) {
  RunStats stats = good();
  stats.ops.record_outstanding(1s);
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::ops_outstanding});
}

TEST(Validity, ErrorsStuckOpsAndEarlyEndsAreReasons) {
  RunStats stats = good();
  stats.ops.record(OpKind::stat, {1ms, 1ms, 0ms}, {EIO, 0, 0});
  stats.stuck_ops = 1;
  stats.interrupted = true;
  EXPECT_EQ(invalid_reasons(stats), (Reasons{Invalid::errors, Invalid::stuck_ops, Invalid::interrupted}));
  EXPECT_EQ(invalid_reasons(RunStats{}), Reasons{Invalid::nothing_measured});
}

TEST(Validity, AClosedLoopPointHasNoRateToMissButAMix) {
  RunStats stats = good();
  stats.requested_ops_per_sec.reset();
  for (GroupStats& group : stats.groups) group.requested_ops_per_sec.reset(), group.due = 0;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[0].operations = 10;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::mix_off});
}

TEST(Validity, OfALoadThatEndedInItsWarmUpItIsSaidThatNothingWasMeasuredAndNoMore) {
  RunStats stats = good();
  stats.ops.clear();
  stats.length = 0s;
  stats.groups[0].least_proc_share = 0.1;
  stats.longest_pause = 1s;
  stats.interrupted = true;
  for (GroupStats& group : stats.groups) group.operations = 0;
  EXPECT_EQ(invalid_reasons(stats), (Reasons{Invalid::nothing_measured, Invalid::interrupted}));
}

TEST(Validity, ShortPausesThatDelayTheOpsOfBusyProcsAreAReasonInAnOpenLoop) {
  RunStats stats = good();
  stats.pause_delay = 99us;  // of 1 ms
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.pause_delay = 101us;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_paused});
  EXPECT_EQ(invalid_reasons(stats, {}, 2ms), Reasons{}) << "a tenth of the target";
  stats.requested_ops_per_sec.reset();
  EXPECT_EQ(invalid_reasons(stats), Reasons{}) << "nothing falls due in a closed loop";
}

TEST(Validity, PausesAddUpAndSoDoesTheTimeThatAContainersLimitHeldEdagenUp) {
  RunStats stats = good();
  stats.paused_share = stats.throttled_share = 0.049;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.paused_share = 0.05;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_paused});
  stats.paused_share = 0, stats.throttled_share = 0.3;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_paused});
  stats.requested_ops_per_sec.reset();
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_paused}) << "also in a closed loop";
}

TEST(Validity, WithoutATargetP99IsJudgedBesideTheMean) {
  EXPECT_EQ(invalid_reasons(with_generator_lag(10us, 260us)), Reasons{Invalid::generator_limited});
  EXPECT_EQ(invalid_reasons(with_generator_lag(10us, 260us), {}, 2ms), Reasons{})
      << "the mean is held against a target";
}

/// Two kinds of procs in a closed loop, whose procs wait so long on average before each op.
RunStats closed_loop(Nanos functional, Nanos physical) {
  RunStats stats = good();
  stats.requested_ops_per_sec.reset();
  stats.groups[0].waits = {100 * functional, 100};
  stats.groups[1].waits = {100 * physical, 100};
  return stats;
}

TEST(Validity, ProcsOfAClosedLoopThatWaitForAWorkerMakeAnotherLoad) {
  EXPECT_EQ(invalid_reasons(closed_loop(99us, 99us)), Reasons{}) << "a tenth of the response";
  EXPECT_EQ(invalid_reasons(closed_loop(110us, 110us)), Reasons{Invalid::generator_limited});
}

TEST(Validity, AKindThatWaitsForItsShareIsNotHeldUpByTheHost) {
  RunStats stats = closed_loop(9ms, 1us);
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[0].paced = false;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_limited}) << "without a rate it has none";
}

TEST(Validity, AClosedLoopOnABusyHostIsThatOfTheHost) {
  RunStats stats = closed_loop(1us, 1us);
  stats.host_busy = 0.94;
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.host_busy = 0.95;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::generator_limited});
}

TEST(Validity, KindsWithoutARateHaveNoShareInAClosedLoopAndOneWhereARateIsAskedFor) {
  RunStats stats = good();
  stats.groups[0].operations = 990, stats.groups[1].operations = 10;
  stats.groups[0].paced = stats.groups[1].paced = false;
  EXPECT_EQ(invalid_reasons(stats), Reasons{Invalid::mix_off});
  stats.requested_ops_per_sec.reset();
  EXPECT_EQ(invalid_reasons(stats), Reasons{});
  stats.groups[1].paced = true;
  EXPECT_EQ(invalid_reasons(stats), Reasons{}) << "one that has a rate keeps its share among those that have one";
}

}  // namespace
}  // namespace edagen
