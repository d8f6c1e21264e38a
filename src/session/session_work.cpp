#include "session/session_work.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <iterator>

#include "edagen/error.hpp"
#include "hosts/wire.hpp"
#include "nfs/staleness.hpp"
#include "nfs/tuned_mount.hpp"
#include "session/host_findings.hpp"
#include "session/measured.hpp"
#include "session/outputs.hpp"
#include "session/plan_identity.hpp"
#include "session/plan_text.hpp"
#include "session/point_recorder.hpp"
#include "session/run_header.hpp"
#include "session/run_work.hpp"

namespace edagen {

SessionWork::SessionWork(EventSink emit, std::stop_token stop, Nanos stuck_after, Hosts* hosts,
                         WriteFailures write_failures)
    : state_(std::move(emit), std::move(stop), stuck_after, hosts), write_failures_(std::move(write_failures)) {
  if (state_.hosts) {
    state_.hosts->stop_when_told(state_.stop, [this] { asked_.request_stop(); });
    on_stop_.emplace(state_.stop, [this] { asked_.request_stop(); });
    state_.stop = asked_.get_token();
  }
  state_.watch.end_with(state_.stop);
}

SessionWork::~SessionWork() {
  if (!state_.hosts) return;
  // Else the others wait for something else, until they are told of the end.
  const bool is_sound = !others_ended_ && !state_.hosts->failure() && std::uncaught_exceptions() == exceptions_;
  if (state_.hosts->leads() && is_sound) order({.what = PlanOrder::What::quit});
  state_.hosts->stop_when_told({}, nullptr);
}

void SessionWork::order(const PlanOrder& what) { state_.hosts->send_all(About::command, to_wire(what)); }

void SessionWork::check_can_run() const {
  // Threads of an earlier plan still use what a new one would.
  if (stuck_) throw usage_error("session", "ops of an earlier run never returned: this process can only end");
  if (others_ended_)
    throw usage_error("hosts", "the others have ended with an earlier run, which could not be carried out");
}

std::string SessionWork::describe(const RunPlan& plan) {
  check_places(places_of(plan), plan.inputs, directories_of(plan.volume), state_.watch, false);
  return plan_text(plan, RunSite(plan, state_));
}

/// A table goes to stdout, which may be a pipe that nobody reads.
void SessionWork::emit_result(const Event& finished) {
  StuckWatch::Thread self(state_.watch);
  self.begins("writing", "the table of the result");
  state_.emit(finished);
}

Result SessionWork::run(const RunPlan& plan, std::size_t number) {
  check_can_run();
  check_places(places_of(plan), plan.inputs, directories_of(plan.volume), state_.watch);
  SessionJournal journal(plan.journal, state_.watch, state_.emit);
  Occasion alone;
  alone.number = number;
  alone.begins = [&](const std::string& text) {
    state_.emit(PlanChecked{text});
    journal.lines();  // a journal that cannot be made is an error before the dataset is built
  };
  alone.finished = [&](const Result& result) {
    const bool measured = !result.load_points.empty();
    const bool written = !measured || write_outputs(plan.outputs, result, state_.watch);
    cleanup_incomplete_ |= journal.is_incomplete() || !written;
    const bool all_is_written = written && (result.status != Status::interrupted || !measured ||
                                            std::ranges::any_of(plan.outputs, &Output<Result>::is_document));
    journal.finish(all_is_written);
    emit_result(RunFinished{result});
  };
  std::optional<MadeDataset> kept;
  alone.made_dataset = [&](const MadeDataset& made) {
    if (plan.keep_dataset || plan.reuse_dataset) kept = made;
  };
  try {
    Result result = carry_out(plan, journal, alone);
    if (kept && !stuck_) state_.emit(kept->left);
    return result;
  } catch (...) {
    if (kept && !stuck_) state_.emit(kept->left);
    journal.finish(false);
    others_ended_ = state_.hosts != nullptr;
    throw;
  }
}

/// Of the journal and of what is written beside it.
std::vector<std::string> SessionWork::write_failures(const SessionJournal& journal) {
  std::vector<std::string> notes = journal.notes();
  StuckWatch::Thread self(state_.watch);
  self.begins("looking at what was written meanwhile", "");
  if (write_failures_) std::ranges::move(write_failures_(), std::back_inserter(notes));
  return notes;
}

HostChanges& SessionWork::host_changes() { return host_changes_ ? *host_changes_ : host_changes_.emplace(); }

Result SessionWork::carry_out(const RunPlan& plan, SessionJournal& journal, const Occasion& occasion) {
  const auto* const tuned = std::get_if<TunedExport>(&plan.volume);
  if (tuned) {
    auto mount = std::make_unique<TunedMount>(tuned->exported, tuned->tuning, state_.watch, state_.stuck_after,
                                              state_.stop, host_changes());
    const AtEnd left_behind([&] {
      if (stuck_) static_cast<void>(mount.release());
    });
    RunPlan mounted = plan;
    mounted.volume = MountDirectories{{mount->directory()}};
    Occasion mounted_occasion = occasion;
    // What building or checking the dataset has left in the client's caches is not to help one tuning and not another.
    mounted_occasion.dataset_ready = [&] { mount->drop_caches(); };
    Result result = carry_out(mounted, journal, mounted_occasion);
    result.plan = plan_identity(plan, {});
    return result;
  }
  const AtEnd nowhere_after([this] { state_.leftovers.set_current({}); });  // also of a site that is left behind
  if (state_.hosts) order({.number = occasion.number, .reuse_dataset = plan.reuse_dataset, .seed = plan.seed});
  auto work = std::make_unique<RunWork>(plan, state_);
  RunSite& site = work->site;
  site.probe();
  if (state_.hosts) state_.hosts->meet();
  occasion.begins(plan_text(plan, site));
  if (!plan.model()) state_.emit(LoadTimeExpected{expected_time(plan)});
  const bool built = site.build(state_.stop);
  if (const std::string id = site.made_dataset(); !id.empty())
    occasion.made_dataset({id, *site.left(DatasetLeft::Why::asked)});
  Result result = run_header(plan, site);
  result.plan = plan_identity(plan, site.mounts());
  journal.lines().header(result);
  Curve curve;
  curve.interrupted = true;
  PointRecorder recorder(journal.lines(), state_.emit, site.nfs_mount_points());
  const EventSink record = [&](const Event& event) { recorder.record(event); };
  if (built) {
    occasion.dataset_ready();
    state_.emit(LoadBegan{result});
    LoadRunner& runner = work->load.emplace(plan, site, state_.stop).runner();
    if (state_.hosts) state_.hosts->meet();
    try {
      curve =
          std::visit([&](const auto& measurement) { return measure(runner, measurement, record); }, plan.measurement);
    } catch (...) {
      if (work->load->end_here() > 0) {
        stuck_ = true;
        static_cast<void>(work.release());
      }
      throw;
    }
    state_.emit(LoadEnded{});
  }
  add_curve(result, curve, recorder.take_points());
  if (const auto failure = state_.hosts ? state_.hosts->failure() : std::nullopt) {
    result.status = Status::failed;
    result.failure = failure->what();
    site.leave();
  } else if (state_.hosts && built && !curve.points.empty() && curve.points.back().stats.too_many_errors) {
    result.failure = host_of_most_errors(curve.points.back().stats.hosts);
  }
  journal.lines().end(result);
  std::ranges::move(write_failures(journal), std::back_inserter(result.notes));
  const std::uint64_t stuck_ops = curve.points.empty() ? 0 : curve.points.back().stats.stuck_ops;
  stuck_ |= stuck_ops > 0;
  std::exception_ptr failure;
  try {
    occasion.finished(result);
  } catch (...) {
    failure = std::current_exception();
  }
  if (stuck_ops > 0) {
    state_.emit(OpsNeverReturned{stuck_ops});
    if (const auto left = site.left(DatasetLeft::Why::stuck_ops)) {
      state_.emit(*left);
      state_.leftovers.erase_made_on(left->mounts);
    }
    work->load->dismiss();
    static_cast<void>(work.release());
  } else {
    work->load.reset();
    if (state_.hosts && !state_.hosts->failure()) state_.hosts->meet();
    if (!outputs_are_outside(plan, site)) site.leave(), cleanup_incomplete_ = true;
    cleanup_incomplete_ |= !site.clean_up();
    if (state_.hosts && !state_.hosts->failure()) state_.hosts->meet();
  }
  if (failure) std::rethrow_exception(failure);
  return result;
}

/// Logs an output that lies in the dataset by now, as by a bind mount made during the run, and returns false.
bool SessionWork::outputs_are_outside(const RunPlan& plan, const RunSite& site) {
  std::vector<std::string> mounts;
  for (const MountDirectory& mount : site.mounts()) mounts.push_back(mount.path);
  try {
    StuckWatch::Thread self(state_.watch);
    for (const Place& place : places_of(plan)) check_not_in_dataset(place, mounts, self);
    return true;
  } catch (const Error& error) {
    spdlog::error("the dataset was not removed: {}", error.what());
    return false;
  }
}

StalenessFigures SessionWork::run(const StalenessPlan& plan) {
  StuckWatch::Thread self(state_.watch);
  for (const std::string& directory : {plan.writer, plan.reader}) {
    self.begins("looking at", directory);
    check_mounts({directory});
  }
  self.rests();
  return staleness_figures(measure_staleness(plan.writer, plan.reader, plan.duration, state_.watch, state_.stop));
}

}  // namespace edagen
