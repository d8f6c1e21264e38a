// run and curve: make a load, measure it, report it.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "commands.hpp"
#include "edagen/report/terminal.hpp"
#include "exit_status.hpp"
#include "edagen/core/error.hpp"
#include "load_session.hpp"
#include "series_options.hpp"
#include "signals.hpp"

namespace edagen {
namespace {

std::string load_text(const LoadPoint& load) {
  const std::string rate = load.ops_per_sec
                               ? fmt::format("{} ops/s, {} arrivals", format_count(*load.ops_per_sec),
                                             load.arrivals == Arrivals::poisson ? "poisson" : "uniform")
                               : "unpaced: each proc as fast as it goes";
  return fmt::format("{}; {} warm-up, {} measured", rate, format_duration(load.warmup), format_duration(load.duration));
}

std::string load_text(const CurvePlan& plan) {
  const std::string what = plan.points > 0 ? fmt::format("{} load points up to {} ops/s", plan.points, format_count(plan.max_rate))
                                           : std::string("search for the rate at the latency target");
  return fmt::format("{}; {} warm-up, {} measured at a full point", what, format_duration(plan.load.warmup),
                     format_duration(plan.load.duration));
}

std::string load_text(const LoadSeries& series) {
  std::string text = load_text(series.load_at(series.values.front()));
  if (!series.parameter.empty()) {
    text += fmt::format("; {}", series.parameter);
    for (const double value : series.values) text += fmt::format(" {:g}", value);
  }
  return text + (series.repeats > 1 ? fmt::format("; {} repeats", series.repeats) : "");
}

/// `what` is a LoadSeries or a CurvePlan.
template <class What>
int run_load(LoadSession& session, const LoadOptions& options, const What& what) {
  const std::string plan = session.setup().plan_text(load_text(what));
  if (options.dry_run) {
    std::cout << plan;
    return exit_status::done;
  }
  check_outputs(options, session.setup().watch());
  if (!options.talk.quiet) std::cerr << plan;
  const SignalWatch signals;
  const Result result = session.measure(what, signals.token());
  const Curve& curve = session.curve();
  const int status = status_of(curve);
  const bool stuck = !curve.points.empty() && curve.points.back().stats.stuck_ops > 0;
  if (!curve.points.empty()) write_outputs(options, result, result_text(result), session.setup().watch());
  session.journal().finish(!curve.interrupted || !options.json.empty() || curve.points.empty());
  if (stuck) {
    spdlog::error("{} ops never returned; ending without them", curve.points.back().stats.stuck_ops);
    session.setup().leave_dataset();
    session.setup().clean_up();
    std::cout.flush();
    ::_exit(status);
  }
  const bool removed = session.setup().clean_up();
  return removed || status == exit_status::interrupted ? status : exit_status::run_failed;
}

}  // namespace

void add_load_commands(CommandLine& line) {
  CLI::App* const run = line.app.add_subcommand("run", "One measured run (the default command)");
  const auto options = std::make_shared<LoadOptions>();
  const auto run_series = std::make_shared<SeriesOptions>();
  options->add_to(*run);
  run_series->add_repeat_to(*run);
  run->callback([&line, options, run_series] {
    line.chosen = [&line, options, run_series] {
      options->talk.apply();
      LoadSession session(*options, line.arguments);
      return run_load(session, *options, run_series->series(*options, session.setup()));
    };
  });

  CLI::App* const curve = line.app.add_subcommand(
      "curve", "A latency curve: load points, the rate at the latency target, overall response time");
  const auto load_options = std::make_shared<LoadOptions>();
  const auto curve_options = std::make_shared<CurveOptions>();
  load_options->add_to(*curve);
  const auto series = std::make_shared<SeriesOptions>();
  curve_options->add_to(*curve);
  series->add_sweep_to(*curve);
  series->add_repeat_to(*curve);
  curve->callback([&line, load_options, curve_options, series] {
    line.chosen = [&line, load_options, curve_options, series] {
      load_options->talk.apply();
      if (!series->sweep.empty()) {
        series->prepare(*load_options);
        LoadSession session(*load_options, line.arguments);
        return run_load(session, *load_options, series->series(*load_options, session.setup()));
      }
      if (series->repeats > 1) throw usage_error("--repeat", "is for run and for curve --sweep", "compare repeats curves");
      load_options->resolve_targets();
      if (!load_options->sim.empty()) curve_options->give_procs(*load_options);
      LoadSession session(*load_options, line.arguments);
      return run_load(session, *load_options, curve_options->plan(*load_options, session.setup()));
    };
  });
}

}  // namespace edagen
