// nightly: one night, as a timer starts it.
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "base/user_command.hpp"
#include "cli/carry_out.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/nightly_config.hpp"
#include "cli/option_group.hpp"
#include "cli/signals.hpp"
#include "cli/terminal_lines.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "nightly/night_runner.hpp"
#include "nightly/night_text.hpp"
#include "report/judgement_text.hpp"

namespace edagen {
namespace {

/// Plans, journals and tables of single runs are in their reports, and datasets stay for the next night.
bool is_of_the_night(const Event& event) {
  const auto* const left = std::get_if<DatasetLeft>(&event);
  const bool is_of_a_run = std::holds_alternative<PlanChecked>(event) || std::holds_alternative<JournalOpened>(event) ||
                           std::holds_alternative<RunFinished>(event);
  return !is_of_a_run && (!left || left->why != DatasetLeft::Why::asked);
}

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
  Console console(options.talk, true);
  if (options.dry_run) {
    std::cout << night_text(plan, console.sink());
    return exit_status::done;
  }
  const SignalWatch signals([&] {
    kill_user_command();
    console.ends_at_once();
  });
  const NightOutcome outcome = run_night(
      plan,
      [&](const Event& event) {
        if (is_of_the_night(event)) console.observe(event);
      },
      signals.token(),
      [&](const NightOutcome& judged) {
        print_text(night_title(judged.night) + "\n" + judgement_text(*judged.night.judgement),
                   options.outputs.stdout_taken());
      },
      hosts);
  int status = exit_status_of(outcome);
  if (!outcome.stuck) return status;
  if (hosts) status = hosts->conclude(status, "").status;
  ::_exit(status);  // threads in ops that never return still use what would be destroyed
}

/// Each line of a log that goes on for many nights has its time, the last line, too.
int nightly_that_logs(const NightlyOptions& options, const std::vector<std::string>& command, Hosts* hosts) {
  options.talk.apply(::isatty(STDERR_FILENO) == 0);
  try {
    return nightly(options, command, hosts);
  } catch (const Error& error) {
    if (hosts && !hosts->leads()) throw;  // the leading host prints it
    spdlog::error("{}", error.what());
    return error.kind() == Error::Kind::usage ? exit_status::usage : exit_status::run_failed;
  }
}

}  // namespace

void add_nightly_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "nightly", "One night: measure, again while in doubt; judge against earlier nights; keep the results");
  const auto options = std::make_shared<NightlyOptions>();
  OptionGroup group(*command);
  group.text("--config FILE", options->config, "What to measure and how to judge it")->required();
  group.flag("--dry-run", options->dry_run, "Print what the night would do and touch nothing");
  options->outputs.add_to(*command);
  options->talk.add_to(*command);
  line.does(
      *command, [&line, options] { return nightly_that_logs(*options, line.arguments, line.hosts); }, true);
}

}  // namespace edagen
