#include "load_session.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/core/error.hpp"
#include "edagen/result/measured.hpp"
#include "exit_status.hpp"
#include "option_checks.hpp"

namespace edagen {
namespace {

constexpr std::uint64_t simulated_job_sets = 200;

}  // namespace

void CurveOptions::add_to(CLI::App& app) {
  const char* const curve = "Curve";
  app.add_option("--latency-target", targets, "One or more, separated by commas: 1ms,2ms")
      ->transform(latencies())
      ->capture_default_str()
      ->group(curve);
  app.add_option("--latency-statistic", statistic, "mean, p50, p95, p99 or p99.9")->capture_default_str()->group(curve);
  app.add_option("--latency", latency, "response (from the intended start) or service")->capture_default_str()->group(curve);
  app.add_option("--max-rate", max_rate, "Highest requested ops/s; default: search")
      ->transform(a_rate())
      ->group(curve);
  app.add_option("--points", points, "So many load points, equally spaced up to --max-rate; default: search")
      ->transform(whole_number(2, 10'000))
      ->group(curve);
  app.add_option("--scale-by", scale_by, "Load is added as: rate (of the same procs), job-sets (up to all of them)")
      ->check(CLI::IsMember({"rate", "job-sets"}))
      ->capture_default_str()
      ->group(curve);
}

void CurveOptions::give_procs(LoadOptions& load) const {
  if (load.job_sets == 0 && load.procs == 0) load.job_sets = simulated_job_sets;
}

CurvePlan CurveOptions::plan(const LoadOptions& load, const RunSetup& setup) const {
  if (!load.rate.empty()) throw usage_error("--rate", "a curve finds its rates itself", "--max-rate limits them");
  CurvePlan made;
  made.own_rate = setup.own_ops_per_sec();
  made.load = load.load_point(setup.workload(), made.own_rate, setup.is_station());
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

LoadSession::LoadSession(LoadOptions& options, std::vector<std::string> arguments)
    : options_(options), arguments_(std::move(arguments)), setup_(options) {
  static_cast<void>(options.engine_options());
}

Result LoadSession::measure(const CurvePlan& plan, std::stop_token stop) {
  return carry_out(stop, [&](LoadRunner& runner, CurveObserver& observer) { return measure_curve(runner, plan, observer); });
}

Result LoadSession::measure(const LoadSeries& series, std::stop_token stop) {
  return carry_out(stop, [&](LoadRunner& runner, CurveObserver& observer) { return measure_series(runner, series, observer); });
}

Result LoadSession::carry_out(std::stop_token stop, const std::function<Curve(LoadRunner&, CurveObserver&)>& measure) {
  setup_.end_with(stop);
  if (!options_.journal.empty()) open_journal();
  Curve interrupted;
  interrupted.interrupted = true;
  curve_ = interrupted;
  const bool built = setup_.build_dataset(stop);
  if (!journal_) open_journal();  // in the default place: not before there is something to write
  Result result = setup_.result(arguments_);
  if (built) {
    LoadRunner& runner = setup_.runner(stop);
    journal_->lines().header(result);
    RunReporter reporter(journal_->lines(), options_.talk.live_line(), setup_.nfs_mount_points());
    curve_ = measure(runner, reporter);
    reporter.finish();
  }
  const int status = status_of(curve_);
  add_curve(result, curve_, status == exit_status::run_failed    ? Status::failed
                            : status == exit_status::interrupted ? Status::interrupted
                                                                 : Status::complete);
  journal_->lines().end(result);
  return result;
}

void LoadSession::open_journal() {
  StuckWatch::Thread self(setup_.watch());
  self.begins("opening --journal", options_.journal);
  journal_ = std::make_unique<RunJournal>(options_);
}

int status_of(const Curve& curve) {
  if (curve.interrupted) return exit_status::interrupted;
  if (curve.points.empty() || curve.points.back().stats.too_many_errors || curve.points.back().stats.ops.operations() == 0)
    return exit_status::run_failed;
  for (const AtTarget& answer : curve.answers)
    if (!answer.met) return exit_status::target_not_met;
  const auto valid = [](const auto& measured) { return measured.invalid.empty(); };
  // A search measures beyond the limits on purpose: of its points those at the answers count.
  const bool searched = !curve.answers.empty() && curve.points.front().purpose != Purpose::load_point;
  const bool sound = std::all_of(curve.answers.begin(), curve.answers.end(), valid) &&
                     (searched || std::all_of(curve.points.begin(), curve.points.end(), valid));
  return sound ? exit_status::done : exit_status::invalid;
}

}  // namespace edagen
