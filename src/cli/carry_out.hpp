// From a plan to an exit status: how every command that runs something ends.
#pragma once

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <iostream>

#include "cli/console.hpp"
#include "cli/live_options.hpp"
#include "cli/signals.hpp"
#include "cli/what_is_left.hpp"
#include "edagen/error.hpp"
#include "hosts/hosts.hpp"
#include "session/audience.hpp"

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
  Session session(console, signals.token(), plans.front().stuck_after, &hosts);
  try {
    session.follow(plans);
  } catch (const std::exception& error) {
    if (!session.stuck()) throw;
    spdlog::error("{}", error.what());
  }
  if (!session.stuck()) return session.left_undone() ? exit_status::run_failed : exit_status::done;
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
    std::cout << Session(console, {}, plan.stuck_after).describe(plan);
    return exit_status::done;
  }
  WhatIsLeft left;
  const SignalWatch signals(
      [&] {
        console.ends_at_once();
        left.tell();
      },
      options.stdout_taken());
  const auto abandon = [&](const std::string& call) {
    left.tell();
    console.abandon(call);
  };
  LiveOutputs outputs(options.live, live, console, {plan.stuck_after, signals.token(), abandon});
  std::vector<SessionObserver*> observers = outputs.observers();
  observers.insert(observers.begin(), &console);
  observers.push_back(&left);
  if (options.live.shows_state() || console.has_screen()) observers.push_back(&live);
  Audience audience(std::move(observers));
  Session session(audience, signals.token(), plan.stuck_after, hosts);
  int status = exit_status::run_failed;
  try {
    status = exit_status_of(session.run(plan));
    if (session.left_undone() && status != exit_status::interrupted) status = exit_status::run_failed;
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
