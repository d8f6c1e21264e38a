#include "cli/curve_options.hpp"

#include <algorithm>

#include "cli/option_checks.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t simulated_job_sets = 200;

std::vector<Nanos> targets_of(const std::string& text) {
  std::vector<Nanos> targets;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    targets.push_back(parse_duration(text.substr(at, comma - at), "--latency-target"));
    if (targets.back() <= Nanos(0)) throw usage_error("--latency-target", "must be above 0");
    if (std::ranges::count(targets, targets.back()) > 1)
      throw usage_error("--latency-target", "has the same target twice");
    at = comma + 1;
  }
  std::ranges::sort(targets);
  return targets;
}

}  // namespace

void CurveOptions::add_to(CLI::App& app) {
  const char* const curve = "Curve";
  app.add_option("--latency-target", targets,
                 "Find the op rate at this latency; several are separated by commas: 1ms,2ms")
      ->transform(latencies())
      ->capture_default_str()
      ->group(curve);
  app.add_option("--latency-statistic", statistic,
                 "Statistic that is compared with the target: mean, p50, p95, p99 or p99.9")
      ->transform(one_of({"mean", "p50", "p95", "p99", "p99.9"}))
      ->capture_default_str()
      ->group(curve);
  app.add_option("--latency", latency,
                 "Latency that is compared with the target: response (from the intended start) or service (from the "
                 "actual start)")
      ->transform(one_of({"response", "service"}))
      ->capture_default_str()
      ->group(curve);
  app.add_option("--max-rate", max_rate, "Highest op rate to request, in ops/s; default: no limit")
      ->transform(a_rate())
      ->group(curve);
  app.add_option("--precision", precision,
                 "End a search when the half-width of its 95 % interval is at most this, in % of the rate; above 0")
      ->transform(percentage())
      ->capture_default_str()
      ->group(curve);
  app.add_option(
         "--search-time", search_time,
         "End a search after this time for each target, whatever the interval; the last load point may take longer")
      ->transform(a_duration())
      ->capture_default_str()
      ->group(curve);
  app.add_option("--points", points,
                 "Measure this many load points, equally spaced up to --max-rate, which it needs, instead of a search")
      ->transform(whole_number(2, 10'000))
      ->group(curve);
  app.add_option("--scale-by", scale_by,
                 "How load grows: rate (more ops/s from the same procs) or job-sets (more job sets at their own rate)")
      ->transform(one_of({"rate", "job-sets"}))
      ->capture_default_str()
      ->group(curve);
  exclude(app, "--points", {"--precision", "--search-time"});
}

const std::vector<std::string>& CurveOptions::names() {
  static const std::vector<std::string> all = {"--latency-target", "--latency-statistic", "--latency", "--max-rate",
                                               "--precision",      "--search-time",       "--points",  "--scale-by"};
  return all;
}

void CurveOptions::give_procs(const LoadOptions& load, RunPlan& plan) const {
  if (plan.model() && load.job_sets == 0 && load.procs == 0)
    plan.procs_per_client = simulated_job_sets * static_cast<std::uint64_t>(plan.workload.procs_per_job_set());
}

CurvePlan CurveOptions::curve(const LoadOptions& load, const RunPlan& plan) const {
  if (!load.rate.empty()) throw usage_error("--rate", "a curve finds its rates itself", "--max-rate limits them");
  CurvePlan made;
  made.own_rate = plan.own_ops_per_sec();
  made.load = load.load_point(plan);
  made.arrivals = load.arrivals_on(plan);
  made.load.statistic = LatencyStatistic::parse(statistic, latency);
  made.targets = targets_of(targets);
  made.points = points;
  made.precision = precision / 100;
  if (made.precision <= 0) throw usage_error("--precision", "must be above 0");
  made.search_time = parse_duration(search_time, "--search-time");
  if (made.search_time <= Nanos(0)) throw usage_error("--search-time", "must be above 0");
  made.seed = plan.seed;
  if (!max_rate.empty()) made.max_rate = parse_rate(max_rate, "--max-rate");
  if (scale_by == "job-sets") {
    made.job_sets = plan.job_sets();
    if (made.job_sets < 2) throw usage_error("--scale-by", "needs at least two job sets", "--clients or --job-sets");
    if (made.max_rate == 0) made.max_rate = made.own_rate;
    if (made.max_rate * static_cast<double>(made.job_sets) < made.own_rate)
      throw usage_error("--max-rate", "is below the rate of one job set");
  }
  if (points > 0 && made.max_rate == 0) throw usage_error("--points", "needs --max-rate", "or no --points: a search");
  return made;
}

}  // namespace edagen
