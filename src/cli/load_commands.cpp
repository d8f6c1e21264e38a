// run and curve: make a load, measure it, report it.
#include "cli/carry_out.hpp"
#include "cli/commands.hpp"
#include "cli/curve_options.hpp"
#include "cli/series_options.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

void add_run_command(CommandLine& line) {
  CLI::App* const run = line.app.add_subcommand("run", "Run a load and measure it (the default command)");
  const auto options = std::make_shared<LoadOptions>();
  const auto series = std::make_shared<SeriesOptions>();
  options->add_to(*run);
  series->add_repeat_to(*run);
  run->callback([&line, options, series] {
    line.chosen = [&line, options, series] {
      RunPlan plan = options->plan(line.arguments);
      plan.measurement = series->series(*options, plan);
      return carry_out(plan, *options);
    };
  });
}

void add_curve_command(CommandLine& line) {
  CLI::App* const curve =
      line.app.add_subcommand("curve", "Measure latency over op rate, and find the op rate at a latency target");
  const auto options = std::make_shared<LoadOptions>();
  const auto curve_options = std::make_shared<CurveOptions>();
  const auto series = std::make_shared<SeriesOptions>();
  options->add_to(*curve);
  curve_options->add_to(*curve);
  series->add_sweep_to(*curve);
  series->add_repeat_to(*curve);
  curve->callback([&line, options, curve_options, series] {
    line.chosen = [&line, options, curve_options, series] {
      if (series->sweep.empty() && series->repeats > 1)
        throw usage_error("--repeat", "is for run and for curve --sweep", "compare repeats curves");
      series->prepare(*options);
      RunPlan plan = options->plan(line.arguments);
      if (series->sweep.empty()) {
        curve_options->give_procs(*options, plan);
        plan.measurement = curve_options->curve(*options, plan);
      } else {
        plan.measurement = series->series(*options, plan);
      }
      return carry_out(plan, *options);
    };
  });
}

}  // namespace

void add_load_commands(CommandLine& line) {
  add_run_command(line);
  add_curve_command(line);
}

}  // namespace edagen
