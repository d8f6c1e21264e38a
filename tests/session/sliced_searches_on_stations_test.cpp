// The ratio of rates at a latency target, by slices and by whole searches, on stations whose truth is known.
#include <gtest/gtest.h>

#include <cmath>

#include "compare/comparison.hpp"
#include "compare/rates_at_target.hpp"
#include "compare/run_figures.hpp"
#include "compare/slice_series.hpp"
#include "fakes/queueing_theory.hpp"
#include "fakes/station_setup.hpp"
#include "fakes/troubled_station.hpp"
#include "search/curve_point.hpp"
#include "stats/summary.hpp"
#include "support/skip.hpp"

namespace edagen::sliced_searches {
namespace {

using namespace std::chrono_literals;
using testing::StationSetup;

/// Two stations, of which the second takes `factor` times as long to serve an op.
struct Case {
  int servers = 1;
  double service_ms = 1, target_ms = 4, factor = 1.02;
  enum class Disturbance { none, common, independent } disturbance = Disturbance::common;
  bool with_whole_searches = false;
  std::optional<double> until = {};
  Nanos time = 750s;  ///< as three searches of each take

  /// The rate at the target, in ops/s, of a station whose service takes `by` times as long as that of the first one.
  double rate(double by = 1) const {
    return testing::true_rate(servers, ServiceTimes::exponential, by * service_ms, target_ms);
  }
  double truth() const { return rate(factor) / rate(); }
};

struct TwoStations {
  TwoStations(const Case& of, std::uint64_t seed)
      : a(of.servers, 1e6 * of.service_ms, ServiceTimes::exponential, 2 * seed, 1, disturbance(of, seed), clock),
        b(of.servers, 1e6 * of.service_ms * of.factor, ServiceTimes::exponential, 2 * seed + 1, 1,
          disturbance(of, of.disturbance == Case::Disturbance::independent ? seed + 1'000'000 : seed), clock) {}

  static testing::EndOfService disturbance(const Case& of, std::uint64_t seed) {
    if (of.disturbance == Case::Disturbance::none) return {};
    return testing::with_disturbance(seed);
  }

  std::shared_ptr<double> clock = std::make_shared<double>(0);
  StationSetup a, b;
  LoadRunner& runner(std::size_t variant) { return (variant == 0 ? a : b).runner(); }
};

CurvePlan search_of(const Case& of, std::uint64_t seed) {
  CurvePlan plan;
  plan.arrivals = Arrivals::poisson;
  plan.load.duration = 20s;
  plan.load.warmup = 5s;
  plan.targets = {from_seconds(of.target_ms / 1e3)};
  plan.own_rate = 100;
  plan.seed = seed;
  return plan;
}

SliceSeen measured(LoadRunner& runner, const Slice& slice, const CurvePlan& search) {
  LoadPoint load = search.at(slice.ops_per_sec);
  load.warmup = slice.settle;
  load.duration = slice.length;
  load.interval = slice.length / static_cast<Nanos::rep>(slice.intervals);
  load.settle = false;
  const CurvePoint point =
      make_point(runner.run(load, ignore_events), load.statistic, search.targets[0], Purpose::block);
  SliceSeen seen{.figures = RunFigures()};
  seen.figures->ops_per_sec = point.rate;
  seen.figures->response = Millis(NanosF(point.stats.ops.response().mean()));
  seen.block = search_block(point, load.statistic, search.targets);
  seen.block->purpose = slice.what == Slice::What::climb ? Purpose::climb : Purpose::block;
  for (const Interval& interval : point.stats.intervals)
    seen.interval_responses.push_back(Millis(interval.response_mean.value_or(NanosF(0))).count());
  seen.took = point.stats.all_time();
  return seen;
}

struct Found {
  Difference difference, stated;  ///< `stated`: as a comparison has it, which allows for the error of a model
  double rate = 0;                ///< of the first station, ops/s
  bool is_valid = false;
};

Found by_slices(const Case& of, std::uint64_t seed) {
  TwoStations stations(of, seed);
  const CurvePlan searches[] = {search_of(of, 2 * seed), search_of(of, 2 * seed + 1)};
  SlicePlan plan{.variants = 2,
                 .searches = {&searches[0], &searches[1]},
                 .warmup = 5s,
                 .until = of.until,
                 .max_time = of.time,
                 .seed = seed};
  SliceSeries series(plan);
  while (const std::optional<Slice> slice = series.next())
    series.add(measured(stations.runner(slice->variant), *slice, searches[slice->variant]));
  const Difference nothing{.ratio = 1, .low = 1e-17, .high = 1e17, .p = {}};
  if (series.obstacle()) return {nothing, nothing, of.rate(), false};
  const std::vector<RunFigures> a = at_target(series.slices(0)), b = at_target(series.slices(1));
  const SliceBlocks blocks = slice_blocks(a, b, ComparedBy::rate);
  const double confidence = 1 - error_left(true, of.until.has_value());
  Found found{difference_of_blocks(blocks.log_ratios, confidence),
              difference_of_blocks(blocks.log_ratios, confidence, bias_of_answers), 0, are_enough_blocks(blocks, a, b)};
  for (const RunFigures& slice : a) found.rate += slice.ops_per_sec / static_cast<double>(a.size());
  return found;
}

/// Three searches of each, in the order of a comparison.
Difference by_whole_searches(const Case& of, std::uint64_t seed) {
  TwoStations stations(of, seed);
  std::vector<double> rates[2];
  std::uint64_t number = 6 * seed;
  for (const std::size_t variant : interleaved(2, 3)) {
    const CurvePlan plan = search_of(of, number++);
    rates[variant].push_back(measure(stations.runner(variant), plan, ignore_events).answers.front().ops_per_sec);
  }
  return difference_of(rates[0], rates[1]);
}

bool holds(const Difference& difference, double truth) { return difference.low <= truth && truth <= difference.high; }

struct Tally {
  int held = 0, held_as_stated = 0, verdicts = 0, misleading = 0, held_by_searches = 0;
  std::vector<double> widths = {}, search_widths = {}, errors = {}, rate_errors = {};

  double gain() const { return std::exp(mean_of(search_widths) - mean_of(widths)); }
};

double log_width(const Difference& difference) {
  return std::log(std::log(std::max(difference.high, 1e-9) / std::max(difference.low, 1e-9)));
}

Tally tally(const Case& of, int seeds, std::uint64_t first = 1) {
  Tally tally;
  const double truth = of.truth();
  for (int i = 0; i < seeds; ++i) {
    const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
    const Found found = by_slices(of, seed);
    tally.held += holds(found.difference, truth) ? 1 : 0;
    tally.held_as_stated += holds(found.stated, truth) ? 1 : 0;
    tally.misleading += found.is_valid && !holds(found.stated, truth) ? 1 : 0;
    tally.verdicts += found.is_valid && found.stated.p && *found.stated.p <= error_left(true, false) ? 1 : 0;
    tally.widths.push_back(log_width(found.difference));
    tally.errors.push_back(std::log(found.difference.ratio / truth));
    tally.rate_errors.push_back(std::log(found.rate / of.rate()));
    if (!of.with_whole_searches) continue;
    const Difference whole = by_whole_searches(of, seed);
    tally.held_by_searches += holds(whole, truth) ? 1 : 0;
    tally.search_widths.push_back(log_width(whole));
  }
  std::cerr << "truth " << truth << ", held " << tally.held << " (" << tally.held_as_stated << " as stated, misleading "
            << tally.misleading << "), by searches " << tally.held_by_searches << ", verdicts " << tally.verdicts
            << " of " << seeds << ", width " << std::exp(mean_of(tally.widths)) << ", gain "
            << (of.with_whole_searches ? tally.gain() : 0) << ", bias " << mean_of(tally.errors) << ", scatter "
            << std::sqrt(variance_of(tally.errors)) << ", bias of the rate " << mean_of(tally.rate_errors) << "\n";
  return tally;
}

TEST(SlicedSearchesOnStations, OfACommonDisturbanceTheIntervalIsNarrowerThanThatOfWholeSearches) {
  const Tally found = tally({.with_whole_searches = true}, 4);
  EXPECT_GE(found.gain(), 3);
  EXPECT_GE(found.held, 3);
}

TEST(SlicedSearchesOnStationsOverManySeeds, OfACommonDisturbance) {
  EDAGEN_SLOW_TEST();
  const Tally found = tally({.with_whole_searches = true}, 200);
  EXPECT_GE(found.gain(), 3);
  EXPECT_GE(found.held, 186);
  EXPECT_LE(found.held, 198);
}

TEST(SlicedSearchesOnStationsOverManySeeds, AnAgainstAHasAVerdictInAtMostFiveOfAHundred) {
  EDAGEN_SLOW_TEST();
  EXPECT_LE(tally({.factor = 1}, 400).verdicts, 20);
}

TEST(SlicedSearchesOnStationsOverManySeeds, OfFourServersAndALargeDifference) {
  EDAGEN_SLOW_TEST();
  EXPECT_GE(tally({.servers = 4, .target_ms = 2}, 200).held, 186);
  EXPECT_GE(tally({.factor = 1.5}, 200).held_as_stated, 186);
}

TEST(SlicedSearchesOnStationsOverManySeeds, WithoutADisturbanceAndWhereTheCurveIsFlat) {
  EDAGEN_SLOW_TEST();
  using enum Case::Disturbance;
  EXPECT_GE(tally({.disturbance = none, .with_whole_searches = true}, 200).held, 186);
  EXPECT_LE(tally({.servers = 2, .target_ms = 1.2, .factor = 1.1, .disturbance = none}, 200).misleading, 14);
}

TEST(SlicedSearchesOnStationsOverManySeeds, OfIndependentDisturbancesTheyAreNoWorseThanWholeSearches) {
  EDAGEN_SLOW_TEST();
  const Tally found =
      tally({.factor = 1, .disturbance = Case::Disturbance::independent, .with_whole_searches = true}, 200);
  EXPECT_GE(found.gain(), 1);
  EXPECT_GE(found.held, std::min(found.held_by_searches, 186));
}

TEST(SlicedSearchesOnStationsOverManySeeds, AnEndAtAPrecisionKeepsTheCoverage) {
  EDAGEN_SLOW_TEST();
  EXPECT_GE(tally({.until = 0.03, .time = 1500s}, 200).held_as_stated, 186);
}

}  // namespace
}  // namespace edagen::sliced_searches
