#include "edagen/session.hpp"

#include <spdlog/spdlog.h>

#include "edagen/error.hpp"
#include "nfs/staleness.hpp"
#include "session/comparison_runner.hpp"
#include "session/dataset_removal.hpp"
#include "session/measured.hpp"
#include "session/plan_text.hpp"
#include "session/run_lifecycle.hpp"

namespace edagen {
namespace {

void check_can_run(const SessionState& state) {
  // Threads of an earlier plan still use what a new one would.
  if (state.stuck) throw usage_error("session", "ops of an earlier run never returned: this process can only end");
  if (state.others_ended)
    throw usage_error("hosts", "the others have ended with an earlier run, which could not be carried out");
}

/// Mounts of this host alone are emptied here, by order of the leader.
void remove_dataset_of_this_host(SessionState& state, const MadeDataset& made) {
  for (const std::string& mount : made.left.mounts) try {
      remove_dataset_at(mount, state.watch, made.id);
    } catch (const std::exception& error) {  // also of the system, which starts no thread
      state.cleanup_incomplete = true;
      spdlog::error("the dataset was not removed: {}", error.what());
    }
}

}  // namespace

Session::Session(EventSink emit, std::stop_token stop, Nanos stuck_after, Hosts* hosts, WriteFailures write_failures)
    : state_(std::make_unique<SessionState>(std::move(emit), std::move(stop), stuck_after, hosts,
                                            std::move(write_failures))) {}

Session::~Session() = default;

bool Session::stuck() const { return state_->stuck; }

bool Session::cleanup_incomplete() const { return state_->cleanup_incomplete; }

std::string Session::describe(const RunPlan& plan) {
  check_places(places_of(plan), plan.inputs, directories_of(plan.volume), state_->watch, false);
  return plan_text(plan, RunSite(plan, *state_));
}

std::string Session::describe(const ComparisonPlan& plan) { return ComparisonRunner(*state_, plan).describe(); }

Result Session::run(const RunPlan& plan, std::size_t number) {
  check_can_run(*state_);
  check_places(places_of(plan), plan.inputs, directories_of(plan.volume), state_->watch);
  SessionJournal journal(plan.journal, state_->watch, state_->emit);
  RunLifecycle run(*state_, plan, number, &journal, RunLifecycle::Part::whole);
  const auto emit_kept = [&] {
    const bool is_kept = run.made_dataset() && (plan.keep_dataset || plan.reuse_dataset);
    if (is_kept && !state_->stuck) state_->emit(run.made_dataset()->left);
  };
  try {
    Result result = run.carry_out();
    emit_kept();
    return result;
  } catch (...) {
    emit_kept();
    journal.finish(false);
    state_->others_ended = state_->hosts != nullptr;
    throw;
  }
}

ComparisonResult Session::run(const ComparisonPlan& plan) {
  check_can_run(*state_);
  return ComparisonRunner(*state_, plan).run();
}

StalenessFigures Session::run(const StalenessPlan& plan) {
  StuckWatch::Thread self(state_->watch);
  std::vector<MountDirectory> mounts;
  for (const std::string& directory : {plan.writer, plan.reader}) {
    self.call_started("looking at", directory);
    mounts.push_back(check_mounts({directory}).front());
  }
  self.pause();
  if (mounts[0].info.is_nfs() && mounts[0].info.device == mounts[1].info.device)
    throw usage_error(plan.reader, "shares one cache of the NFS client with " + plan.writer + ": nothing is ever stale",
                      "the same directory on another mount, made with nosharecache");
  check_same_directory(plan.writer, plan.reader, state_->watch);
  return staleness_figures(measure_staleness(plan.writer, plan.reader, plan.duration, state_->watch, state_->stop));
}

void Session::follow(const std::vector<RunPlan>& plans) {
  std::map<std::size_t, MadeDataset> made_here;  // by number of the plan
  while (!state_->stuck) {
    const auto order = from_wire<PlanOrder>(state_->hosts->receive(0, About::command));
    if (order.what == PlanOrder::What::quit) return;
    if (order.what == PlanOrder::What::remove) {
      if (const auto made = made_here.extract(order.number)) remove_dataset_of_this_host(*state_, made.mapped());
      state_->hosts->meet();  // the leader waits, however long it takes
      continue;
    }
    RunPlan plan = plans.at(order.number);
    plan.reuse_dataset = order.reuse_dataset;
    plan.seed = order.seed;
    RunLifecycle run(*state_, plan);
    run.carry_out();
    if (run.made_dataset()) made_here[order.number] = *run.made_dataset();
  }
}

}  // namespace edagen
