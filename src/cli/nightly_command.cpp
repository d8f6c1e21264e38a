// nightly: one night, as a timer starts it.
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "cli/carry_out.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/nightly_config.hpp"
#include "cli/option_checks.hpp"
#include "cli/signals.hpp"
#include "cli/what_is_left.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "nightly/night_text.hpp"
#include "nightly/night_work.hpp"
#include "report/judgement_text.hpp"

namespace edagen {
namespace {

/// Without the tables of the single runs: they are in their reports.
class NightConsole final : public SessionObserver {
 public:
  explicit NightConsole(const LoggingOptions& talk) : console_(talk, true) {}
  void building(const BuildProgress& progress) override { console_.building(progress); }
  void built() override { console_.built(); }
  void will_take(Nanos time) override { console_.will_take(time); }
  void point_begins(std::optional<double> rate, const std::string& purpose) override {
    console_.point_begins(rate, purpose);
  }
  void point_measured(const PointFigures& point) override { console_.point_measured(point); }
  void load_ended() override { console_.load_ended(); }
  void warming_up(const Interval& interval, const IntervalStats& stats) override {
    console_.warming_up(interval, stats);
  }
  void measured(const Interval& interval, const IntervalStats& stats) override { console_.measured(interval, stats); }
  void op_failed(const std::string& what, OpKind kind, int error) override { console_.op_failed(what, kind, error); }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override { console_.op_stuck(what, kind, age); }
  void ops_never_returned(std::uint64_t count) override { console_.ops_never_returned(count); }
  void dataset_left(const DatasetLeft& left) override {
    if (left.why != DatasetLeft::Why::asked) console_.dataset_left(left);  // it stays for the next night
  }
  void can_tell_what_is_left(const std::function<void()>& tell) override { left_.can_tell_what_is_left(tell); }
  void hanging(const std::string& call, Nanos age) override { console_.hanging(call, age); }
  [[noreturn]] void abandon(const std::string& call) override { console_.abandon(call); }

  void ends_at_once() {
    kill_running_hook();
    left_.tell();
  }

 private:
  Console console_;
  WhatIsLeft left_;
};

struct NightlyOptions {
  std::string config;
  bool dry_run = false;
  VerdictOutputs outputs;
  LoggingOptions talk;
};

int nightly(const NightlyOptions& options, const std::vector<std::string>& command, Hosts* hosts) {
  const NightPlan plan = read_night_plan(options.config, command, options.outputs);
  if (hosts && !hosts->leads())
    return options.dry_run ? exit_status::done : follow(plans_of(plan), options.talk, *hosts);
  NightConsole console(options.talk);
  if (options.dry_run) {
    std::cout << night_text(plan, console);
    return exit_status::done;
  }
  const SignalWatch signals([&] { console.ends_at_once(); });
  const NightOutcome outcome = run_night(
      plan, console, signals.token(),
      [&](const NightOutcome& its) {
        (options.outputs.stdout_taken() ? std::cerr : std::cout) << "night of " << its.night.started_at << "\n"
                                                                 << judgement_text(*its.night.judgement) << std::flush;
      },
      hosts);
  int status = exit_status_of(outcome);
  if (!outcome.stuck) return status;
  if (hosts) status = hosts->conclude(status, "").status;
  ::_exit(status);  // threads in ops that never return still use what would be destroyed
}

/// In a log that goes on for many nights each line says when, the last one, too.
int nightly_that_logs(const NightlyOptions& options, const std::vector<std::string>& command, Hosts* hosts) {
  options.talk.apply(::isatty(STDERR_FILENO) == 0);
  try {
    return nightly(options, command, hosts);
  } catch (const Error& error) {
    if (hosts && !hosts->leads()) throw;  // the one that leads says it
    spdlog::error("{}", error.what());
    return error.kind() == Error::Kind::usage ? exit_status::usage : exit_status::run_failed;
  }
}

}  // namespace

void add_nightly_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "nightly", "One night: measure, measure again while in doubt, judge against the nights before, keep");
  const auto options = std::make_shared<NightlyOptions>();
  command->add_option("--config", options->config, "What to measure and how to judge it: a JSON file")
      ->transform(not_empty())
      ->required();
  command->add_flag("--dry-run", options->dry_run, "Print what the night would do and touch nothing");
  options->outputs.add_to(*command);
  options->talk.add_to(*command);
  command->callback([&line, options] {
    line.on_all_hosts = true;
    line.chosen = [&line, options] { return nightly_that_logs(*options, line.arguments, line.hosts); };
  });
}

}  // namespace edagen
