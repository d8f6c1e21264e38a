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

SessionWork::SessionWork(SessionObserver& observer, std::stop_token stop, Nanos stuck_after, Hosts* hosts)
    : observer_(observer),
      stop_(std::move(stop)),
      hosts_(hosts),
      stuck_after_(stuck_after),
      watch_(observer, stuck_after) {
  if (hosts_) {
    hosts_->stop_when_told(stop_, [this] { asked_.request_stop(); });
    on_stop_.emplace(stop_, [this] { asked_.request_stop(); });
    stop_ = asked_.get_token();
  }
  watch_.end_with(stop_, [this](const std::string& call) { abandon(call); });
  observer_.can_tell_what_is_left([this] { tell_what_is_left(); });
}

SessionWork::~SessionWork() {
  observer_.can_tell_what_is_left({});
  if (!hosts_) return;
  // Else the others wait for something else, until they are told of the end.
  const bool is_sound = !others_ended_ && !hosts_->failure() && std::uncaught_exceptions() == exceptions_;
  if (hosts_->leads() && is_sound) order({.what = PlanOrder::What::quit});
  hosts_->stop_when_told({}, nullptr);
}

void SessionWork::order(const PlanOrder& what) { hosts_->send_all(About::command, to_wire(what)); }

void SessionWork::tell_what_is_left() {
  std::lock_guard lock(site_mutex_);
  const auto here = site_ ? site_->left(DatasetLeft::Why::hanging_call) : std::nullopt;
  if (here) observer_.dataset_left(*here);
  for (const auto& [at, made] : made_datasets_)
    if (!here || made.left.mounts != here->mounts) tell_of(made, DatasetLeft::Why::hanging_call);
}

void SessionWork::abandon(const std::string& call) {
  tell_what_is_left();
  observer_.abandon(call);
}

void SessionWork::check_can_run() const {
  // Threads of an earlier plan still use what a new one would.
  if (stuck_) throw usage_error("session", "ops of an earlier run never returned: this process can only end");
  if (others_ended_)
    throw usage_error("hosts", "the others have ended with an earlier run, which could not be carried out");
}

void SessionWork::be_at(RunSite* site) {
  std::lock_guard lock(site_mutex_);
  site_ = site;
}

std::string SessionWork::describe(const RunPlan& plan) {
  check_places(places_of(plan), plan.inputs, directories_of(plan.volume), watch_, false);
  return plan_text(plan, RunSite(plan, watch_, observer_));
}

/// A table goes to stdout, which may be a pipe that nobody reads.
void SessionWork::tell_result(const auto& result) {
  StuckWatch::Thread self(watch_);
  self.begins("writing", "the table of the result");
  observer_.finished(result);
}
template void SessionWork::tell_result(const Result&);
template void SessionWork::tell_result(const ComparisonResult&);

Result SessionWork::run(const RunPlan& plan, std::size_t number) {
  check_can_run();
  check_places(places_of(plan), plan.inputs, directories_of(plan.volume), watch_);
  SessionJournal journal(plan.journal, watch_, observer_);
  Occasion alone;
  alone.number = number;
  alone.begins = [&](const std::string& text) {
    observer_.begins(text);
    journal.lines();  // a journal that cannot be made is an error before the dataset is built
  };
  alone.finished = [&](const Result& result) {
    const bool measured = !result.load_points.empty();
    const bool written = !measured || write_outputs(plan.outputs, result, watch_);
    left_undone_ |= journal.is_incomplete() || !written;
    const bool all_is_written = written && (result.status != Status::interrupted || !measured ||
                                            std::ranges::any_of(plan.outputs, &Output<Result>::is_document));
    journal.finish(all_is_written);
    tell_result(result);
  };
  std::optional<MadeDataset> kept;
  alone.made_dataset = [&](const MadeDataset& made) {
    if (plan.keep_dataset || plan.reuse_dataset) kept = made;
  };
  try {
    Result result = carry_out(plan, journal, alone);
    if (kept && !stuck_) observer_.dataset_left(kept->left);
    return result;
  } catch (...) {
    if (kept && !stuck_) observer_.dataset_left(kept->left);
    journal.finish(false);
    others_ended_ = hosts_ != nullptr;
    throw;
  }
}

/// Of the journal and of what observers write.
std::vector<std::string> SessionWork::notes_of_lacks(const SessionJournal& journal) {
  std::vector<std::string> notes = journal.notes();
  StuckWatch::Thread self(watch_);
  self.begins("looking at what was written meanwhile", "");
  std::ranges::move(observer_.lacks(), std::back_inserter(notes));
  return notes;
}

HostChanges& SessionWork::host_changes() { return host_changes_ ? *host_changes_ : host_changes_.emplace(); }

Result SessionWork::carry_out(const RunPlan& plan, SessionJournal& journal, const Occasion& occasion) {
  const auto* const tuned = std::get_if<TunedExport>(&plan.volume);
  if (tuned) {
    auto mount =
        std::make_unique<TunedMount>(tuned->exported, tuned->tuning, watch_, stuck_after_, stop_, host_changes());
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
  const AtEnd nowhere_after([this] { be_at(nullptr); });  // after the site's own clean-up, however this ends
  if (hosts_) order({.number = occasion.number, .reuse_dataset = plan.reuse_dataset, .seed = plan.seed});
  auto work = std::make_unique<RunWork>(plan, watch_, observer_, hosts_);
  RunSite& site = work->site;
  site.probe();
  if (hosts_) hosts_->meet();
  occasion.begins(plan_text(plan, site));
  if (!plan.model()) observer_.will_take(expected_time(plan));
  be_at(&site);
  const bool built = site.build(stop_);
  if (const std::string id = site.made_dataset(); !id.empty())
    occasion.made_dataset({id, *site.left(DatasetLeft::Why::asked)});
  Result result = run_header(plan, site);
  result.plan = plan_identity(plan, site.mounts());
  journal.lines().header(result);
  Curve curve;
  curve.interrupted = true;
  PointRecorder recorder(journal.lines(), observer_, site.nfs_mount_points());
  if (built) {
    occasion.dataset_ready();
    observer_.load_begins(result);
    LoadRunner& runner = work->load.emplace(plan, site, stop_).runner();
    if (hosts_) hosts_->meet();
    try {
      curve =
          std::visit([&](const auto& measurement) { return measure(runner, measurement, recorder); }, plan.measurement);
    } catch (...) {
      if (work->load->end_here() > 0) {
        stuck_ = true;
        static_cast<void>(work.release());
      }
      throw;
    }
    observer_.load_ended();
  }
  add_curve(result, curve, recorder.take_points());
  if (const auto failure = hosts_ ? hosts_->failure() : std::nullopt) {
    result.status = Status::failed;
    result.failure = failure->what();
    site.leave();
  } else if (hosts_ && built && !curve.points.empty() && curve.points.back().stats.too_many_errors) {
    result.failure = host_of_most_errors(curve.points.back().stats.hosts);
  }
  journal.lines().end(result);
  std::ranges::move(notes_of_lacks(journal), std::back_inserter(result.notes));
  const std::uint64_t stuck_ops = curve.points.empty() ? 0 : curve.points.back().stats.stuck_ops;
  stuck_ |= stuck_ops > 0;
  std::exception_ptr failure;
  try {
    occasion.finished(result);
  } catch (...) {
    failure = std::current_exception();
  }
  if (stuck_ops > 0) {
    observer_.ops_never_returned(stuck_ops);
    if (const auto left = site.left(DatasetLeft::Why::stuck_ops)) {
      observer_.dataset_left(*left);
      std::lock_guard lock(site_mutex_);
      std::erase_if(made_datasets_, [&](const auto& made) { return made.second.left.mounts == left->mounts; });
    }
    work->load->dismiss();
    static_cast<void>(work.release());
  } else {
    work->load.reset();
    if (hosts_ && !hosts_->failure()) hosts_->meet();
    if (!outputs_are_outside(plan, site)) site.leave(), left_undone_ = true;
    left_undone_ |= !site.clean_up();
    if (hosts_ && !hosts_->failure()) hosts_->meet();
  }
  if (failure) std::rethrow_exception(failure);
  return result;
}

/// Logs an output that lies in the dataset by now, as by a bind mount made during the run, and returns false.
bool SessionWork::outputs_are_outside(const RunPlan& plan, const RunSite& site) {
  std::vector<std::string> mounts;
  for (const MountDirectory& mount : site.mounts()) mounts.push_back(mount.path);
  try {
    StuckWatch::Thread self(watch_);
    for (const Place& place : places_of(plan)) check_not_in_dataset(place, mounts, self);
    return true;
  } catch (const Error& error) {
    spdlog::error("the dataset was not removed: {}", error.what());
    return false;
  }
}

StalenessFigures SessionWork::run(const StalenessPlan& plan) {
  StuckWatch::Thread self(watch_);
  for (const std::string& directory : {plan.writer, plan.reader}) {
    self.begins("looking at", directory);
    check_mounts({directory});
  }
  self.rests();
  return staleness_figures(measure_staleness(plan.writer, plan.reader, plan.duration, watch_, stop_));
}

}  // namespace edagen
