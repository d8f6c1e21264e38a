#include "session/session_work.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>

#include "edagen/error.hpp"
#include "nfs/staleness.hpp"
#include "nfs/tuned_mount.hpp"
#include "session/measured.hpp"
#include "session/outputs.hpp"
#include "session/plan_text.hpp"
#include "session/point_recorder.hpp"
#include "session/run_header.hpp"
#include "session/run_load.hpp"

namespace edagen {
namespace {

std::vector<std::string> directories_of(const RunPlan& plan) {
  const auto* const mounts = std::get_if<MountDirectories>(&plan.volume);
  return mounts ? mounts->paths : std::vector<std::string>();
}

/// What threads in ops that never return still use.
struct Work {
  Work(const RunPlan& plan, StuckWatch& watch, SessionObserver& observer) : site(plan, watch, observer) {}
  RunSite site;
  std::optional<RunLoad> load;
};

}  // namespace

SessionWork::SessionWork(SessionObserver& observer, std::stop_token stop, Nanos stuck_after)
    : observer_(observer),
      stop_(std::move(stop)),
      watch_(stuck_after, [&observer](const std::string& call, Nanos age) { observer.hanging(call, age); }) {
  watch_.end_with(stop_, [this](const std::string& call) { abandon(call); });
}

void SessionWork::abandon(const std::string& call) {
  {
    std::lock_guard lock(site_mutex_);
    if (const std::string touched = site_ ? site_->touched() : ""; !touched.empty())
      observer_.dataset_left(touched, DatasetLeft::hanging_call);
  }
  observer_.abandon(call);
}

void SessionWork::be_at(RunSite* site) {
  std::lock_guard lock(site_mutex_);
  site_ = site;
}

std::string SessionWork::describe(const RunPlan& plan) { return plan_text(plan, RunSite(plan, watch_, observer_)); }

Result SessionWork::run(const RunPlan& plan) {
  check_places(places_of(plan.outputs, plan.journal), plan.inputs, directories_of(plan), watch_);
  SessionJournal journal(plan.journal, watch_);
  Occasion alone;
  alone.begins = [&](const std::string& text) {
    observer_.begins(text);
    if (plan.journal) journal.lines();
  };
  alone.finished = [&](const Result& result) {
    const bool measured = !result.load_points.empty();
    const bool written = !measured || write_outputs(plan.outputs, result, watch_);
    left_undone_ |= !written;
    const bool all_is_written = written && (result.status != Status::interrupted || !measured ||
                                            std::ranges::any_of(plan.outputs, &Output<Result>::is_document));
    journal.finish(all_is_written);
    observer_.finished(result);
  };
  return carry_out(plan, journal, alone);
}

Result SessionWork::carry_out(const RunPlan& plan, SessionJournal& journal, const Occasion& occasion) {
  if (const auto* const tuned = std::get_if<TunedExport>(&plan.volume)) {
    auto mount = std::make_unique<TunedMount>(tuned->exported, tuned->tuning);
    RunPlan mounted = plan;
    mounted.volume = MountDirectories{{mount->directory()}};
    Result result = carry_out(mounted, journal, occasion);
    if (stuck_) static_cast<void>(mount.release());
    return result;
  }
  auto work = std::make_unique<Work>(plan, watch_, observer_);
  RunSite& site = work->site;
  occasion.begins(plan_text(plan, site));
  site.probe();
  be_at(&site);
  const bool built = site.build(stop_);
  if (const std::string id = site.made_dataset(); !id.empty()) occasion.made_dataset(id);
  Result result = run_header(plan, site);
  journal.lines().header(result);
  Curve curve;
  curve.interrupted = true;
  PointRecorder recorder(journal.lines(), observer_, site.nfs_mount_points());
  if (built) {
    LoadRunner& runner = work->load.emplace(plan, site, stop_).runner();
    curve =
        std::visit([&](const auto& measurement) { return measure(runner, measurement, recorder); }, plan.measurement);
    observer_.load_ended();
  }
  add_curve(result, curve, recorder.take_points());
  journal.lines().end(result);
  stuck_ = !curve.points.empty() && curve.points.back().stats.stuck_ops > 0;
  std::exception_ptr failure;
  try {
    occasion.finished(result);
  } catch (...) {
    failure = std::current_exception();
  }
  if (stuck_) {
    observer_.ops_never_returned(curve.points.back().stats.stuck_ops);
    if (!site.touched().empty()) observer_.dataset_left(site.touched(), DatasetLeft::stuck_ops);
    static_cast<void>(work.release());
  } else {
    work->load.reset();
    left_undone_ |= !site.clean_up();
  }
  be_at(nullptr);
  if (failure) std::rethrow_exception(failure);
  return result;
}

StalenessFigures SessionWork::run(const StalenessPlan& plan) {
  check_mounts({plan.writer});
  check_mounts({plan.reader});
  return staleness_figures(measure_staleness(plan.writer, plan.reader, plan.duration, stop_));
}

}  // namespace edagen
