#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iostream>

#include "commands.hpp"
#include "edagen/core/error.hpp"
#include "edagen/curve/validity.hpp"
#include "edagen/report/journal.hpp"
#include "edagen/report/terminal.hpp"
#include "exit_status.hpp"
#include "progress.hpp"
#include "run_setup.hpp"
#include "signals.hpp"

namespace edagen {
namespace {

/// Shows and writes down what happens while the load is made.
class RunReporter final : public RunObserver {
 public:
  RunReporter(const LoadPoint& load, Journal& journal, bool live) : load_(load), journal_(journal), progress_(live) {}

  void warming_up(const Interval& interval) override { note("warmup", "warm-up", load_.warmup, interval); }
  void measured(const Interval& interval) override { note("measure", "measuring", load_.duration, interval); }
  void op_failed(const std::string& what, OpKind kind, int error) override {
    const char* const text = error < short_read_error ? std::strerror(error) : "the file system broke its promise";
    spdlog::warn("{} {}: {} ({})", to_string(kind), what, error_name(error), text);
  }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override {
    progress_.clear();
    spdlog::warn("stuck for {}: {} {}", format_duration(age), to_string(kind), what);
  }
  void finish() { progress_.clear(); }

 private:
  void note(const char* phase, const char* shown, Nanos length, const Interval& interval) {
    Document line = {{"point", 0}, {"phase", phase}};
    line.update(interval_json(interval));
    journal_.append("interval", std::move(line));
    progress_.show(fmt::format("{} {:.0f} of {:.0f} s  {} ops/s  {:.1f} MiB/s  response mean {:.3f} ms, p99 {:.3f} ms{}",
                               shown, to_seconds(interval.start + interval.length), to_seconds(length),
                               format_count(interval.ops_per_sec()),
                               static_cast<double>(interval.bytes) / 0x1p20 / to_seconds(interval.length),
                               interval.response_mean_ns / 1e6, to_millis(interval.response_p99),
                               interval.errors > 0 ? fmt::format("  {} ERRORS", interval.errors) : ""));
  }

  const LoadPoint& load_;
  Journal& journal_;
  Progress progress_;
};

void write_text(const std::string& path, const std::string& text, const char* option) {
  std::ofstream file(path);
  file << text;
  file.flush();
  if (!file) throw run_error(fmt::format("{} {}", option, path), std::strerror(errno));
}

/// Where a result is to go must be writable before anything is run.
void check_output(const std::string& path, const char* option) {
  if (path.empty() || path == "-") return;
  std::ofstream file(path, std::ios::app);
  if (!file) throw usage_error(fmt::format("{} {}", option, path), std::strerror(errno));
}

std::string load_text(const LoadPoint& load) {
  const std::string rate = load.ops_per_sec
                               ? fmt::format("{} ops/s, {} arrivals", format_count(*load.ops_per_sec),
                                             load.arrivals == Arrivals::poisson ? "poisson" : "uniform")
                               : "unpaced: each proc as fast as it goes";
  return fmt::format("{}; {} warm-up, {} measured", rate, format_duration(load.warmup), format_duration(load.duration));
}

int status_of(const RunStats& stats, const std::vector<std::string>& invalid) {
  if (stats.interrupted) return exit_status::interrupted;
  if (stats.too_many_errors || stats.ops.operations() == 0) return exit_status::run_failed;
  return invalid.empty() ? exit_status::done : exit_status::invalid;
}

int run(const LoadOptions& options, const std::vector<std::string>& arguments) {
  options.talk.apply();
  RunSetup setup(options);
  const LoadPoint load = options.load_point(setup.own_ops_per_sec());
  static_cast<void>(options.engine_options());
  if (options.dry_run) {
    std::cout << setup.plan_text(load_text(load));
    return exit_status::done;
  }
  check_output(options.json, "--json");
  Journal journal(options.journal.empty() ? Journal::default_path() : options.journal);
  if (!options.talk.quiet) std::cerr << setup.plan_text(load_text(load));

  SignalWatch signals;
  if (!setup.build_dataset(signals.token())) {
    setup.clean_up();
    if (options.journal.empty()) journal.remove();
    return exit_status::interrupted;
  }
  Engine& engine = setup.engine(signals.token());
  Document result = setup.document(arguments);
  journal.append("header", result);
  RunReporter reporter(load, journal, options.talk.live_line());
  const RunStats stats = engine.run(load, reporter);
  reporter.finish();

  const std::vector<std::string> invalid = invalid_reasons(stats);
  const int status = status_of(stats, invalid);
  result["load_points"].push_back(load_point_json(stats, invalid));
  result["finished_at"] = rfc3339_now();
  result["status"] = stats.interrupted ? "interrupted" : stats.too_many_errors ? "failed" : "complete";
  Document point = {{"point", 0}};
  point.update(result["load_points"][0]);
  journal.append("point", std::move(point));
  journal.append("end", {{"status", result["status"]}, {"finished_at", result["finished_at"]}});

  const bool json_on_stdout = options.json == "-";
  if (json_on_stdout) std::cout << result.dump(2) << std::endl;
  else if (!options.json.empty()) write_text(options.json, result.dump(2) + "\n", "--json");
  (json_on_stdout ? std::cerr : std::cout) << run_text(result) << std::flush;
  if (options.journal.empty() && (stats.ops.operations() == 0 || !options.json.empty() || !stats.interrupted))
    journal.remove();
  else if (options.journal.empty()) spdlog::info("the journal is {}", journal.path());
  if (stats.stuck_ops > 0) {
    spdlog::error("{} ops never returned; ending without them", stats.stuck_ops);
    setup.leave_dataset();
    setup.clean_up();
    std::cout.flush();
    ::_exit(status);
  }
  setup.clean_up();
  return status;
}

}  // namespace

void add_run_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand("run", "One measured run (the default command)");
  const auto options = std::make_shared<LoadOptions>();
  options->add_to(*command);
  command->callback([&line, options] { line.chosen = [&line, options] { return run(*options, line.arguments); }; });
}

}  // namespace edagen
