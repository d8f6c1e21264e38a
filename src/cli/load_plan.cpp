#include "cli/load_plan.hpp"

#include "cli/option_checks.hpp"
#include "edagen/error.hpp"
#include "session/plan_text.hpp"

namespace edagen {

void LoadCommand::add_to(CLI::App& app) {
  load.add_to(app);
  if (kind == Kind::curve) {
    curve.add_to(app);
    series.add_sweep_to(app);
    exclude(app, "--sweep", CurveOptions::names());
  }
  series.add_repeat_to(app);
  if (kind == Kind::run) return;
  app.get_option("--rate")->description("With --sweep: op rate of all procs together in ops/s; default: a closed loop");
  app.get_option("--repeat")->description("With --sweep: measure this many times, and give means and intervals");
}

RunPlan LoadCommand::plan(const std::vector<std::string>& command) const {
  const bool searches = kind == Kind::curve && !series.sweep;
  if (searches && series.repeats > 1)
    throw usage_error("--repeat", "is for run and for curve --sweep", "compare repeats curves");
  const LoadOptions options = series.swept(load);
  RunPlan plan = options.plan(command);
  if (plan.model()) options.check_simulated();
  if (searches) {
    curve.give_procs(options, plan);
    plan.measurement = curve.curve(options, plan);
  } else {
    plan.measurement = series.series(options, plan);
  }
  set_intervals(plan);
  return plan;
}

}  // namespace edagen
