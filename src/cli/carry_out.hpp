// From a plan to an exit status: how every command that runs something ends.
#pragma once

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "base/user_command.hpp"
#include "cli/console.hpp"
#include "cli/live_options.hpp"
#include "cli/signals.hpp"
#include "edagen/error.hpp"
#include "hosts/hosts.hpp"
#include "nfs/host_changes.hpp"

namespace edagen {

inline std::vector<RunPlan> plans_of(const RunPlan& plan) { return {plan}; }
inline std::vector<RunPlan> plans_of(const ComparisonPlan& plan) {
  std::vector<RunPlan> plans;
  for (const Variant& variant : plan.variants) plans.push_back(variant.plan);
  return plans;
}

/// At a host that does not lead: its part of what the leader carries out of these plans.
inline int follow(const std::vector<RunPlan>& plans, LoggingOptions logging, Hosts& hosts) {
  logging.prefix = hosts.called(hosts.rank()) + ": ";
  logging.progress = When::never;
  logging.apply();
  Console console(logging, true);
  const SignalWatch signals;
  Session session(console.sink(), signals.token(), plans.front().stuck_after, &hosts);
  try {
    session.follow(plans);
  } catch (const std::exception& error) {
    if (!session.stuck()) throw;
    spdlog::error("{}", error.what());
  }
  if (!session.stuck()) return session.cleanup_incomplete() ? exit_status::run_failed : exit_status::done;
  ::_exit(hosts.conclude(exit_status::run_failed, "ops never returned").status);
}

/// `plan`: a RunPlan or a ComparisonPlan of these options. With --dry-run it is printed and nothing is touched.
template <class Plan>
int carry_out(const Plan& plan, const LoadOptions& options, Hosts* hosts) {
  if (hosts && !hosts->leads())
    return options.dry_run ? exit_status::done : follow(plans_of(plan), options.logging, *hosts);
  LoggingOptions logging = options.logging;
  if (options.streams_to_terminal()) logging.progress = When::never;
  logging.apply();
  LiveRun live(latency_targets(plan));
  Console console(logging, options.stdout_taken(), &live);
  if (options.dry_run) {
    if (options.stdout_taken())
      throw usage_error("--dry-run", "prints the plan and has no result", "no output that goes to -");
    std::cout << Session(console.sink(), {}, plan.stuck_after).describe(plan);
    return exit_status::done;
  }
  const SignalWatch signals(
      [&] {
        HostChanges::set_back_before_exit();
        kill_user_command();
        console.ends_at_once();
      },
      options.stdout_taken());
  LiveOutputs outputs(options.live, live, console.sink(), plan.stuck_after, signals.token());
  const bool shows_state = options.live.shows_state() || console.has_screen();
  const EventSink all = [&](const Event& event) {
    console.observe(event);
    outputs.observe(event);
    if (shows_state) live.observe(event);
  };
  Session session(all, signals.token(), plan.stuck_after, hosts, [&] { return outputs.write_failures(); });
  int status = exit_status::run_failed;
  try {
    status = exit_status_of(session.run(plan));
    if (session.cleanup_incomplete() && status != exit_status::interrupted) status = exit_status::run_failed;
    // Also of a signal that came after the load, as while the dataset was removed: the result is complete then.
    if (signals.token().stop_requested() && status != exit_status::run_failed) status = exit_status::interrupted;
  } catch (const std::exception& error) {
    if (!session.stuck()) throw;
    spdlog::error("{}", error.what());
  }
  if (!outputs.finish() && status != exit_status::interrupted) status = exit_status::run_failed;
  if (!session.stuck()) return status;
  std::cout.flush();
  if (hosts) status = hosts->conclude(status, "").status;
  ::_exit(status);  // threads in ops that never return still use what would be destroyed
}

}  // namespace edagen
