// From a plan to an exit status: how every command that runs something ends.
#pragma once

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
  const auto result = session.run(plan);
  const int status = exit_status_of(result);
  if (session.stuck()) {
    std::cout.flush();
    ::_exit(status);  // threads in ops that never return still use what would be destroyed
  }
  return session.left_undone() && status != exit_status::interrupted ? exit_status::run_failed : status;
}

}  // namespace edagen
