#include "cli/curve_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t simulated_job_sets = 200;

LatencyTargets targets_of(const std::string& text) {
  LatencyTargets targets{text, {}};
  for (const std::string& part : split_at(text, ',')) {
    targets.times.push_back(parse_latency(part, ""));
    if (targets.times.back() <= Nanos(0)) throw usage_error("", "must be above 0");
    if (std::ranges::count(targets.times, targets.times.back()) > 1) throw usage_error("", "has the same target twice");
  }
  std::ranges::sort(targets.times);
  return targets;
}

}  // namespace

void CurveOptions::add_to(CLI::App& app) {
  OptionGroup curve(app, "Curve");
  curve
      .parsed(
          "--latency-target TIME,...", [this](const std::string& text) { targets = targets_of(text); },
          "Find the op rate at this latency, with its unit; several are separated by commas: 1ms,2ms")
      ->default_str(targets.text);
  curve
      .word(
          "--latency-statistic", {"mean", "p50", "p95", "p99", "p99.9"},
          [this](const std::string& name) {
            statistic.percentile = LatencyStatistic::parse(name, "response").percentile;
          },
          "Statistic that is compared with the target: mean, p50, p95, p99 or p99.9")
      ->default_str(statistic.name());
  curve
      .word(
          "--latency", {"response", "service"},
          [this](const std::string& name) { statistic.service = name == "service"; },
          "Latency that is compared with the target: response (from the intended start) or service (from the "
          "actual start)")
      ->default_str("response");
  curve.parsed(
      "--max-rate RATE", [this](const std::string& text) { max_rate = parse_rate(text, ""); },
      "Highest op rate to request, in ops/s; default: no limit");
  curve.number("--precision PERCENT", precision, percentage(),
               "End a search when the half-width of its 95 % interval is at most this, in % of the rate; above 0");
  curve.duration(
      "--search-time", search_time, Nanos(1),
      "End a search after this time for each target, whatever the interval; the last load point may take longer, and "
      "the shape comes after it");
  curve
      .word(
          "--shape", {"on", "off"}, [this](const std::string& text) { shape = text == "on"; },
          "on: after the answer a load rises for about a minute through ten rates up to the answer and two beyond it, "
          "which give the plot and the overall response time; off: the curve ends with the answer")
      ->default_str("on");
  curve.parsed(
      "--points N|START:END:STEP|LOAD,...", [this](const std::string& text) { points = parse_points(text); },
      "Load points instead of a search: N points, equally spaced up to --max-rate (required); START:END:STEP, as in "
      "100:550:50; or a list, as in 2k,4k,8k. They are in ops/s, or in job sets with --scale-by job-sets");
  curve
      .word(
          "--scale-by", {"rate", "job-sets"}, [this](const std::string& name) { by_job_sets = name == "job-sets"; },
          "How load grows: rate (more ops/s from the same procs) or job-sets (more job sets at their own rate)")
      ->default_str("rate");
  exclude(app, "--points", {"--precision", "--search-time", "--shape"});
}

const std::vector<std::string>& CurveOptions::names() {
  static const std::vector<std::string> all = {"--latency-target", "--latency-statistic", "--latency",
                                               "--max-rate",       "--precision",         "--search-time",
                                               "--points",         "--scale-by",          "--shape"};
  return all;
}

void CurveOptions::give_procs(const LoadOptions& load, RunPlan& plan) const {
  if (plan.model() && !load.job_sets && !load.procs)
    plan.procs_per_client = simulated_job_sets * static_cast<std::uint64_t>(plan.workload.procs_per_job_set());
}

CurvePlan CurveOptions::curve(const LoadOptions& load, const RunPlan& plan) const {
  if (load.rate) throw usage_error("--rate", "a curve finds its rates itself", "--max-rate limits them");
  if (precision <= 0) throw usage_error("--precision", "must be above 0");
  CurvePlan made;
  made.own_rate = plan.own_ops_per_sec();
  made.load = load.load_point(plan);
  made.arrivals = load.arrivals_on(plan);
  made.load.statistic = statistic;
  made.targets = targets.times;
  made.precision = precision / 100;
  made.search_time = search_time;
  made.seed = plan.seed;
  made.max_rate = max_rate.value_or(0);
  if (shape) made.shape.emplace();
  if (by_job_sets) {
    if (plan.workload.closed_loop())
      throw usage_error("--scale-by", plan.workload.name + " has no op rate of its own, which a job set would add",
                        "--scale-by rate");
    const auto per_set = static_cast<std::uint64_t>(plan.workload.procs_per_job_set());
    if (plan.procs_per_client % per_set != 0)
      throw usage_error(
          "--scale-by",
          fmt::format("adds whole job sets of {} procs, and a client has {}", per_set, plan.procs_per_client),
          fmt::format("--job-sets N, or --procs in multiples of {}", per_set));
    made.job_sets = plan.job_sets();
    if (made.job_sets < 2) throw usage_error("--scale-by", "needs at least two job sets", "--clients or --job-sets");
    if (!max_rate) made.max_rate = made.own_rate;
    if (made.max_rate * static_cast<double>(made.job_sets) < made.own_rate)
      throw usage_error("--max-rate", "is below the rate of one job set");
  }
  if (points) made.rates = rates(made);
  return made;
}

std::vector<double> CurveOptions::rates(const CurvePlan& made) const {
  if (points->loads.empty()) {
    if (made.max_rate == 0) throw usage_error("--points", "needs --max-rate", "or no --points: a search");
    if (!by_job_sets) return equally_spaced_rates(points->count, made.max_rate);
    const double per_set = made.own_rate / static_cast<double>(made.job_sets);
    const double sets = std::floor(made.max_rate / per_set * (1 + 1e-9));
    if (sets > static_cast<double>(made.job_sets))
      throw usage_error("--max-rate", fmt::format("is above the rate of the {} job sets that there are", made.job_sets),
                        "--job-sets N");
    if (static_cast<double>(points->count) > sets)
      throw usage_error("--points",
                        fmt::format("{} load points are more than the {:.0f} job sets", points->count, sets),
                        "fewer load points, --job-sets N or a higher --max-rate");
    return equally_spaced_rates(points->count, sets * per_set);
  }
  if (max_rate) throw usage_error("--max-rate", "has no effect: --points has the loads");
  if (!by_job_sets) return points->loads;
  std::vector<double> rates;
  for (const double sets : points->loads) {
    if (sets != std::floor(sets))
      throw usage_error("--points", fmt::format("{:g} is no whole number of job sets", sets));
    if (sets > static_cast<double>(made.job_sets))
      throw usage_error("--points",
                        fmt::format("{:g} is more than the {} job sets that there are", sets, made.job_sets),
                        "--job-sets N");
    rates.push_back(made.own_rate * sets / static_cast<double>(made.job_sets));
  }
  return rates;
}

}  // namespace edagen
