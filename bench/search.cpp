// The search for the rate at a latency target, on stations whose truth is known: scatter, bias, coverage of its
// intervals, time and exit. Times are virtual.
//
//   bench/search [--seeds 40] [--only NAME] [--set POLICY=VALUE]...
//
// --set changes a constant of SearchPolicy; --constants prints all with their values and meanings.
#include "edagen/search.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "edagen/error.hpp"
#include "stats/summary.hpp"
#include "tests/fakes/queueing_theory.hpp"
#include "tests/fakes/station_setup.hpp"
#include "tests/fakes/troubled_station.hpp"

namespace edagen {
namespace {

/// The standard deviation by the median distance from the median: a few far off do not change it. 1.4826 is one over
/// the third quartile of the normal distribution.
double robust_deviation(std::vector<double> values) {
  const double middle = median_of(values);
  for (double& value : values) value = std::abs(value - middle);
  return 1.4826 * median_of(values);
}

struct Case {
  const char* name;
  int servers;
  ServiceTimes times;
  double service_ms, target_ms;
  testing::EndOfService (*trouble)(std::uint64_t seed) = nullptr;
  double truth = 0;       ///< -1: by long runs
  double percentile = 0;  ///< that the target is of; 0: the mean
};

constexpr auto exponential = ServiceTimes::exponential, deterministic = ServiceTimes::deterministic;
const Case cases[] = {
    {"M/M/1 load 0.3", 1, exponential, 1, 1 / 0.7},
    {"M/M/1 load 0.5", 1, exponential, 1, 2},
    {"M/M/1 load 0.77", 1, exponential, 0.7, 3.0435},
    {"M/M/1 load 0.9", 1, exponential, 1, 10},
    {"M/M/1 load 0.95", 1, exponential, 1, 20},
    {"M/M/1 20 us, 0.8", 1, exponential, 0.02, 0.1},
    {"M/M/1 20 ms, 0.5", 1, exponential, 20, 40},
    {"M/M/4 2 ms", 4, exponential, 1, 2},
    {"M/M/16 1.5 ms", 16, exponential, 1, 1.5},
    {"M/D/1 2 ms", 1, deterministic, 1, 2},
    {"M/D/1 5 ms", 1, deterministic, 1, 5},
    {"pauses", 1, exponential, 0.7, 10, testing::with_pauses, -1},
    {"other guests", 2, exponential, 0.2, 2, testing::with_other_guests, -1},
    {"two speeds", 1, exponential, 0.7, 3, testing::with_two_speeds, -1},
    {"drift", 1, exponential, 0.7, 3, testing::with_drift, 0},
    {"credits", 1, exponential, 0.7, 3, testing::with_credits, 0},
    {"limit 20,000", 1, deterministic, 0.05, 2},
    {"floor below", 64, deterministic, 1.9, 2, nullptr, -1},
    {"floor above", 64, deterministic, 2.1, 2, nullptr, 0},
    {"20 ms, target 2 ms", 1, exponential, 20, 2},
    {"50 ops/s", 2, exponential, 30, 50},
    {"M/M/1 p99", 1, exponential, 0.7, 3.0435, nullptr, 0, 99},
    {"M/M/1 p95, load 0.5", 1, exponential, 1, 2, nullptr, 0, 95},
    {"M/M/1 p99.9", 1, exponential, 1, 2.9, nullptr, 0, 99.9},
};

void set_policy(SearchPolicy& policy, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (equals == std::string::npos) throw usage_error(text, "is no NAME=VALUE");
  const double value = std::stod(text.substr(equals + 1));
  bool found = false;
  fields(
      [&](const char* each, auto& constant, const char*) {
        if (name != each) return;
        constant = static_cast<std::remove_reference_t<decltype(constant)>>(value);
        found = true;
      },
      policy);
  if (!found) throw usage_error(name, "is no constant of SearchPolicy");
}

/// The table in the docs.
void print_constants(const SearchPolicy& policy) {
  fields([](const char* name, const auto& constant,
            const char* meaning) { fmt::print("| `{}` | {} | {} |\n", name, constant, meaning); },
         policy);
}

/// Prints each load point.
EventSink trace_of(bool is_on) {
  return on(
      [is_on](const PointBegan& its) {
        if (is_on || *its.ops_per_sec > 1e7)
          fmt::print("at {} {}\n", *its.ops_per_sec, its.purpose), std::fflush(stdout);
      },
      [is_on](const PointEnded& its) {
        const CurvePoint& point = its.point;
        std::fflush(stdout);
        if (is_on)
          fmt::print("  {:13} {:9.1f} {:9.1f} ops/s {:8.4f} ms {:5.2f} s{}\n", to_string(point.purpose),
                     point.stats.requested_ops_per_sec.value_or(0), point.rate, Millis(point.latency).count(),
                     to_seconds(point.stats.length), point.reached() ? "" : ", not reached");
      });
}

/// The mean response in ms of one run at a rate.
double response_ms(const Case& station, double rate, double seconds, std::uint64_t seed) {
  testing::StationSetup setup(station.servers, 1e6 * station.service_ms, station.times, seed, 1,
                              station.trouble ? station.trouble(seed) : nullptr);
  LoadPoint load;
  load.rate = OpenLoop{rate, Arrivals::poisson};
  load.duration = from_seconds(seconds);
  load.interval = load.duration;
  return setup.runner().run(load, ignore_events).ops.response().mean() / 1e6;
}

/// By bisection of runs of 2,000 s.
double rate_of_long_runs(const Case& station) {
  double low = 0, high = 1000.0 * station.servers / station.service_ms;
  for (int i = 0; i < 14; ++i) {
    const double rate = (low + high) / 2;
    (response_ms(station, rate, 2000, 1) < station.target_ms ? low : high) = rate;
  }
  return low;
}

/// The scatter, relative to the rate, of an estimator that spends that time at the true rate and knows the slope of
/// the latency there: both by runs of that length. The slope from the same ops at rates of 2 % less and more.
double simulated_least_scatter(const Case& station, double rate, double seconds) {
  constexpr std::uint64_t runs = 200, of_slope = 50;
  std::vector<double> means;
  double rise = 0;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    means.push_back(response_ms(station, rate, seconds, seed));
    if (seed <= of_slope)
      rise += response_ms(station, 1.02 * rate, seconds, seed) - response_ms(station, 0.98 * rate, seconds, seed);
  }
  return std::sqrt(variance_of(means)) * 0.04 / (rise / of_slope);
}

void run(const Case& station, const SearchPolicy& policy, std::uint64_t seeds, double seconds, double precision,
         bool trace, bool list) {
  const bool troubled = station.trouble || station.truth < 0;
  const double truth = list ? 0
                       : troubled
                           ? rate_of_long_runs(station)
                           : testing::true_rate(station.servers, station.times, station.service_ms, station.target_ms);
  std::vector<double> answers, times, half_widths;
  int covered = 0, valid = 0, answered = 0, wrong = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    testing::StationSetup setup(station.servers, 1e6 * station.service_ms, station.times, seed, 1,
                                station.trouble ? station.trouble(seed) : nullptr);
    CurvePlan plan;
    plan.arrivals = Arrivals::poisson;
    plan.load.duration = std::chrono::seconds(20);
    plan.load.warmup = std::chrono::seconds(5);
    // The response of M/M/1 is exponential: so many times its mean.
    const double times_mean = station.percentile > 0 ? -std::log1p(-station.percentile / 100) : 1;
    plan.load.statistic.percentile = station.percentile;
    plan.targets = {from_seconds(times_mean * station.target_ms / 1e3)};
    plan.own_rate = 100;
    plan.seed = seed;
    plan.search_time = from_seconds(seconds);
    plan.precision = precision;
    plan.policy = policy;
    const Curve curve = measure(setup.runner(), plan, trace_of(trace));
    const AtTarget& answer = curve.answers[0];
    if (trace)
      fmt::print("seed {}: {:.4f} of the truth, {:.4f} to {:.4f}\n", seed, answer.ops_per_sec / truth,
                 answer.low / truth, answer.high / truth);
    Nanos time{0};
    for (const CurvePoint& point : curve.points) time += point.stats.all_time();
    if (list) {
      fmt::print("{}\t{}\t{:.10g}\t{:.10g}\t{:.10g}\t{}\t{:.3f}\n", station.name, seed, answer.ops_per_sec, answer.low,
                 answer.high, answer.invalid.empty() ? "valid" : to_string(answer.invalid.front()), to_seconds(time));
      std::fflush(stdout);
    }
    times.push_back(to_seconds(time));
    if (!answer.met || answer.limit) continue;
    ++answered;
    answers.push_back(answer.ops_per_sec / truth);
    half_widths.push_back((answer.high - answer.low) / 2 / truth);
    const bool holds = answer.low <= truth && truth <= answer.high;
    covered += holds ? 1 : 0;
    wrong += !holds && answer.invalid.empty() ? 1 : 0;
    valid += answer.invalid.empty() ? 1 : 0;
  }
  if (list) return;
  if (answers.empty()) {
    fmt::print("{:20} no answers\n", station.name);
    return;
  }
  const double deviation = std::sqrt(variance_of(answers)), bias = mean_of(answers) - 1;
  // Of a limit there is no slope, of a percentile another estimator.
  const bool has_least = !troubled && station.percentile == 0 && station.target_ms < 30 * station.service_ms;
  const bool is_textbook = station.servers == 1 && station.times == exponential;
  const double least = !has_least    ? 0
                       : is_textbook ? testing::least_scatter(station.service_ms, truth, mean_of(times))
                                     : simulated_least_scatter(station, truth, mean_of(times));
  fmt::print("{:20} {:9.0f} {:6.2f} {:6.2f} {:5.2f} {:7.2f} {:6.1f} {:5} {:6.2f} {:5} {:5} {:6.0f}\n", station.name,
             truth, 100 * deviation, 100 * robust_deviation(answers), least > 0 ? deviation / least : 0, 100 * bias,
             100.0 * covered / answered, answered, 100 * median_of(half_widths), valid, wrong, mean_of(times));
  std::fflush(stdout);
}

}  // namespace
}  // namespace edagen

int main(int argc, char** argv) {
  std::uint64_t seeds = 40;
  double seconds = 120, precision = 0.02;
  std::string only;
  bool trace = false, list = false, constants = false;
  std::vector<std::string> settings;
  CLI::App app("The search for the rate at a latency target, on stations whose truth is known");
  app.add_option("--seeds", seeds, "Searches of each station");
  app.add_option("--search-time", seconds, "Seconds, virtual");
  app.add_option("--precision", precision, "Half-width that ends a search, relative");
  app.add_option("--only", only, "Stations with this in their names");
  app.add_option("--set", settings, "CONSTANT=VALUE of SearchPolicy");
  app.add_flag("--constants", constants, "Print the constants as a table for the docs, and search nothing");
  app.add_flag("--list", list, "List each answer (ops/s, its interval, validity, seconds) and no summary");
  app.add_flag("--trace", trace, "Show each load point");
  CLI11_PARSE(app, argc, argv);
  edagen::SearchPolicy policy;
  for (const std::string& setting : settings) edagen::set_policy(policy, setting);
  if (constants) {
    edagen::print_constants(policy);
    return 0;
  }
  if (!list)
    fmt::print("{:20} {:>9} {:>6} {:>6} {:>5} {:>7} {:>6} {:>5} {:>6} {:>5} {:>5} {:>6}\n", "station", "truth", "sd %",
               "mad %", "least", "bias %", "cover", "of", "half %", "valid", "wrong", "time s");
  for (const edagen::Case& station : edagen::cases)
    if (std::string(station.name).find(only) != std::string::npos)
      edagen::run(station, policy, seeds, seconds, precision, trace, list);
}
