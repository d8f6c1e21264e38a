// From a plan to an exit status: how every command that runs something ends.
#pragma once

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "cli/console.hpp"
#include "cli/signals.hpp"

namespace edagen {

/// `plan`: a RunPlan or a ComparisonPlan of these options. With --dry-run it is printed and nothing is touched.
template <class Plan>
int carry_out(const Plan& plan, const LoadOptions& options) {
  options.talk.apply();
  Console console(options.talk, options.stdout_taken());
  if (options.dry_run) {
    std::cout << Session(console, {}, plan.stuck_after).describe(plan);
    return exit_status::done;
  }
  const SignalWatch signals;
  Session session(console, signals.token(), plan.stuck_after);
  int status = exit_status::run_failed;
  try {
    status = exit_status_of(session.run(plan));
    if (session.left_undone() && status != exit_status::interrupted) status = exit_status::run_failed;
  } catch (const std::exception& error) {
    if (!session.stuck()) throw;
    spdlog::error("{}", error.what());
  }
  if (!session.stuck()) return status;
  std::cout.flush();
  ::_exit(status);  // threads in ops that never return still use what would be destroyed
}

}  // namespace edagen
