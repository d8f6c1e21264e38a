// run and curve: make a load, measure it, report it.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "commands.hpp"
#include "edagen/core/error.hpp"
#include "edagen/report/terminal.hpp"
#include "exit_status.hpp"
#include "output.hpp"
#include "run_reporter.hpp"
#include "run_setup.hpp"
#include "signals.hpp"

namespace edagen {
namespace {

/// A curve on a modelled volume costs nothing per proc: so many job sets that procs, being serial, are not the limit.
constexpr std::uint64_t simulated_job_sets = 200;

struct CurveOptions {
  std::string targets = "2ms", statistic = "mean", latency = "response", scale_by = "rate", max_rate;
  std::size_t points = 0;

  void add_to(CLI::App& app) {
    const char* const curve = "Curve";
    app.add_option("--latency-target", targets, "One or more, separated by commas: 1ms,2ms")->capture_default_str()->group(curve);
    app.add_option("--latency-statistic", statistic, "mean, p50, p95, p99 or p99.9")->capture_default_str()->group(curve);
    app.add_option("--latency", latency, "response (from the intended start) or service")->capture_default_str()->group(curve);
    auto* const most = app.add_option("--max-rate", max_rate, "Highest requested ops/s; default: search")->group(curve);
    app.add_option("--points", points, "So many load points, equally spaced up to --max-rate; default: search")
        ->check(CLI::Range(2, 10'000))
        ->group(curve);
    app.add_option("--scale-by", scale_by, "Load is added as: rate (of the same procs), job-sets (up to all of them)")
        ->check(CLI::IsMember({"rate", "job-sets"}))
        ->capture_default_str()
        ->group(curve);
    static_cast<void>(most);
  }

  CurvePlan plan(const LoadOptions& load, const RunSetup& setup) const {
    if (!load.rate.empty()) throw usage_error("--rate", "a curve finds its rates itself", "--max-rate limits them");
    CurvePlan made;
    made.own_rate = setup.own_ops_per_sec();
    made.load = load.load_point(made.own_rate, setup.is_station());
    made.load.statistic = LatencyStatistic::parse(statistic, latency);
    for (std::size_t at = 0; at <= targets.size();) {
      const std::size_t comma = std::min(targets.find(',', at), targets.size());
      made.targets.push_back(parse_duration(targets.substr(at, comma - at), "--latency-target"));
      if (made.targets.back() <= Nanos(0)) throw usage_error("--latency-target", "is not above 0");
      at = comma + 1;
    }
    std::sort(made.targets.begin(), made.targets.end());
    made.points = points;
    if (!max_rate.empty()) made.max_rate = parse_rate(max_rate, "--max-rate");
    if (scale_by == "job-sets") {
      made.job_sets = setup.job_sets();
      if (made.job_sets < 2) throw usage_error("--scale-by", "needs at least two job sets", "--clients or --job-sets");
      if (made.max_rate == 0) made.max_rate = made.own_rate;
    }
    if (points > 0 && made.max_rate == 0) throw usage_error("--points", "needs --max-rate", "or no --points: a search");
    return made;
  }
};

std::string load_text(const LoadPoint& load) {
  const std::string rate = load.ops_per_sec
                               ? fmt::format("{} ops/s, {} arrivals", format_count(*load.ops_per_sec),
                                             load.arrivals == Arrivals::poisson ? "poisson" : "uniform")
                               : "unpaced: each proc as fast as it goes";
  return fmt::format("{}; {} warm-up, {} measured", rate, format_duration(load.warmup), format_duration(load.duration));
}

std::string plan_text(const CurvePlan& plan) {
  const std::string what = plan.points > 0 ? fmt::format("{} load points up to {} ops/s", plan.points, format_count(plan.max_rate))
                                           : std::string("search for the rate at the latency target");
  return fmt::format("{}; {} warm-up, {} measured at a full point", what, format_duration(plan.load.warmup),
                     format_duration(plan.load.duration));
}

/// One load point as a curve without targets.
Curve single_point(LoadRunner& runner, const LoadPoint& load, CurveObserver& observer) {
  Curve curve;
  curve.points.push_back(make_point(runner.run(load, observer), load.statistic, "load point"));
  curve.interrupted = curve.points.back().stats.interrupted;
  observer.point_done(curve.points.back());
  return curve;
}

int status_of(const Curve& curve) {
  if (curve.interrupted) return exit_status::interrupted;
  if (curve.points.empty() || curve.points.back().stats.too_many_errors || curve.points.back().stats.ops.operations() == 0)
    return exit_status::run_failed;
  for (const AtTarget& answer : curve.answers)
    if (!answer.met) return exit_status::target_not_met;
  if (curve.answers.empty()) return curve.points.back().invalid.empty() ? exit_status::done : exit_status::invalid;
  // In a search, points beyond the volume's limits are its business; the last word must be valid.
  const bool judged = curve.points.back().purpose == "judged" && !curve.points.back().invalid.empty();
  return judged ? exit_status::invalid : exit_status::done;
}

/// Makes the load as `measure` says, and reports it.
int run_load(LoadOptions& options, const std::vector<std::string>& arguments, RunSetup& setup, const std::string& plan,
             const std::function<Curve(LoadRunner&, CurveObserver&)>& measure) {
  static_cast<void>(options.engine_options());
  if (options.dry_run) {
    std::cout << setup.plan_text(plan);
    return exit_status::done;
  }
  check_outputs(options);
  RunJournal journal(options);
  if (!options.talk.quiet) std::cerr << setup.plan_text(plan);

  SignalWatch signals;
  if (!setup.build_dataset(signals.token())) {
    journal.finish(true);
    return exit_status::interrupted;
  }
  LoadRunner& runner = setup.runner(signals.token());
  Document result = setup.document(arguments);
  journal.lines().append("header", result);
  RunReporter reporter(journal.lines(), options.talk.live_line(), setup.nfs_mount_points());
  const Curve curve = measure(runner, reporter);
  reporter.finish();

  const int status = status_of(curve);
  finish_document(result, curve, status == exit_status::run_failed ? "failed"
                                 : status == exit_status::interrupted ? "interrupted" : "complete");
  journal.lines().append("end", {{"status", result["status"]},
                                 {"finished_at", result["finished_at"]},
                                 {"at_latency_target", result["at_latency_target"]},
                                 {"ort_ms", result["ort_ms"]}});
  write_outputs(options, result, result_text(result));
  journal.finish(!curve.interrupted || !options.json.empty());
  if (!curve.points.empty() && curve.points.back().stats.stuck_ops > 0) {
    spdlog::error("{} ops never returned; ending without them", curve.points.back().stats.stuck_ops);
    setup.leave_dataset();
    setup.clean_up();
    std::cout.flush();
    ::_exit(status);
  }
  setup.clean_up();
  return status;
}

}  // namespace

void add_load_commands(CommandLine& line) {
  CLI::App* const run = line.app.add_subcommand("run", "One measured run (the default command)");
  const auto options = std::make_shared<LoadOptions>();
  options->add_to(*run);
  run->callback([&line, options] {
    line.chosen = [&line, options] {
      options->talk.apply();
      RunSetup setup(*options);
      const LoadPoint load = options->load_point(setup.own_ops_per_sec(), setup.is_station());
      return run_load(*options, line.arguments, setup, load_text(load), [&](LoadRunner& runner, CurveObserver& observer) {
        return single_point(runner, load, observer);
      });
    };
  });

  CLI::App* const curve = line.app.add_subcommand(
      "curve", "A latency curve: load points, the rate at the latency target, overall response time");
  const auto load_options = std::make_shared<LoadOptions>();
  const auto curve_options = std::make_shared<CurveOptions>();
  load_options->add_to(*curve);
  curve_options->add_to(*curve);
  curve->callback([&line, load_options, curve_options] {
    line.chosen = [&line, load_options, curve_options] {
      load_options->talk.apply();
      load_options->resolve_targets();
      if (!load_options->sim.empty() && load_options->job_sets == 0 && load_options->procs == 0)
        load_options->job_sets = simulated_job_sets;
      RunSetup setup(*load_options);
      const CurvePlan plan = curve_options->plan(*load_options, setup);
      return run_load(*load_options, line.arguments, setup, plan_text(plan), [&](LoadRunner& runner, CurveObserver& observer) {
        return measure_curve(runner, plan, observer);
      });
    };
  });
}

}  // namespace edagen
