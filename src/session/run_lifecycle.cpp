#include "session/run_lifecycle.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <iterator>
#include <mutex>

#include "compare/comparison_result.hpp"
#include "edagen/error.hpp"
#include "search/curve_point.hpp"
#include "session/host_findings.hpp"
#include "session/measured.hpp"
#include "session/plan_identity.hpp"
#include "session/plan_text.hpp"
#include "session/prepared_load.hpp"
#include "session/run_header.hpp"

namespace edagen {

/// The one list: a stage at which hosts meet is over on all of them before the next begins on any.
const RunLifecycle::Stage RunLifecycle::stages[] = {
    {&RunLifecycle::order_followers, leader},
    {&RunLifecycle::look_at_volume, all, When::always, true},
    {&RunLifecycle::announce, measuring, When::run_is_whole},
    {&RunLifecycle::expect_time, measuring},
    {&RunLifecycle::build_dataset, all},
    {&RunLifecycle::write_header, measuring},
    {&RunLifecycle::make_load, all, When::dataset_is_there, true},
    {&RunLifecycle::measure_load, measuring, When::dataset_is_there},
    {&RunLifecycle::follow_load, follower, When::dataset_is_there},
    {&RunLifecycle::conclude, measuring},
    {&RunLifecycle::write_outputs, measuring, When::run_is_whole},
    {&RunLifecycle::leave_behind, all, When::ops_are_stuck},
    {&RunLifecycle::end_load, all, When::no_op_is_stuck, true},
    {&RunLifecycle::remove_dataset, all, When::no_op_is_stuck, true},
};

RunLifecycle::RunLifecycle(SessionState& session, const RunPlan& plan, std::size_t number, SessionJournal* journal,
                           Part part)
    : session_(session),
      plan_(plan),
      number_(number),
      journal_(journal),
      part_(part),
      role_(session.hosts ? leader : alone) {
  curve_.interrupted = true;  // until it was measured
}

RunLifecycle::RunLifecycle(SessionState& session, const RunPlan& plan)
    : session_(session), plan_(plan), number_(0), journal_(nullptr), part_(Part::of_comparison), role_(follower) {}

RunLifecycle::~RunLifecycle() {
  if (resources_) release_resources();
}

Result RunLifecycle::carry_out() {
  struct End {
    RunLifecycle& run;
    ~End() { run.release_resources(); }
  } const end{*this};
  carry_out_until(std::end(stages));
  if (write_failure_) std::rethrow_exception(write_failure_);
  if (std::holds_alternative<TunedExport>(plan_.volume)) result_.plan = plan_identity(plan_, {});
  return std::move(result_);
}

void RunLifecycle::carry_out_until(const Stage* end) {
  try {
    for (; next_stage_ != end; ++next_stage_) {
      if (!is_due(*next_stage_)) continue;
      (this->*next_stage_->carry_out)();
      if (next_stage_->hosts_meet) meet();
    }
  } catch (...) {
    if (role_ != alone && resources_) site().leave();  // on no host alone: the leader names the dataset that stays
    throw;
  }
}

const RunLifecycle::Stage* RunLifecycle::load_stage() {
  return std::ranges::find(stages, &RunLifecycle::measure_load, &Stage::carry_out);
}

bool RunLifecycle::set_up() {
  in_slices_ = true;
  carry_out_until(load_stage());
  return built_;
}

RunLifecycle::MeasuredPoint RunLifecycle::measure_point(const LoadPoint& load, const std::string& what,
                                                        std::optional<Nanos> target, Purpose purpose) {
  session_.emit(LoadBegan{result_});
  const EventSink record = [this](const Event& event) { recorder_->record(event); };
  record(PointBegan{load.requested_ops_per_sec(), what, /*is_slice=*/true});
  try {
    CurvePoint point = make_point(resources_->load->runner().run(load, record), load.statistic, target, purpose);
    record(PointEnded{point});
    Result of_point = result_;
    of_point.load_points = recorder_->take_points();
    return {std::move(point), run_figures(of_point, false)};
  } catch (...) {
    note_stuck_ops(resources_->load->end_here());
    throw;
  }
}

Result RunLifecycle::take_down(Curve curve, std::uint64_t stuck_ops) {
  next_stage_ = load_stage() + 1;
  note_stuck_ops(stuck_ops);
  curve_ = std::move(curve);
  for (const CurvePoint& point : curve_.points) points_.push_back(point_figures(point, {}, site().load_mounts()));
  carry_out_until(std::end(stages));
  release_resources();
  return std::move(result_);
}

/// Removes what is left of the run. What threads in ops that never return still use is kept until the process ends, and
/// so is what other runs have open: closing a file on the same server may never return, either.
void RunLifecycle::release_resources() {
  static std::mutex mutex;
  static auto& still_used = *new std::vector<std::unique_ptr<RunResources>>;
  if (resources_ && (stuck_ops_ > 0 || session_.stuck)) {
    site().leave_tuned_mount();
    std::lock_guard lock(mutex);
    still_used.push_back(std::move(resources_));
  }
  resources_.reset();
  session_.leftovers.set_current({});
}

bool RunLifecycle::is_due(const Stage& stage) const {
  if ((stage.roles & role_) == 0) return false;
  switch (stage.when) {
    case When::always: return true;
    case When::dataset_is_there: return built_;
    case When::no_op_is_stuck: return stuck_ops_ == 0 && !session_.stuck;
    case When::ops_are_stuck: return stuck_ops_ > 0;
    case When::run_is_whole: return part_ == Part::whole;
  }
  return true;
}

void RunLifecycle::meet() {
  if (role_ == alone) return;
  if (is_concluded_ && session_.failure_elsewhere()) return;  // the result names it
  session_.hosts->meet();
}

void RunLifecycle::order_followers() {
  session_.order({.number = number_, .reuse_dataset = plan_.reuse_dataset, .seed = plan_.seed});
}

void RunLifecycle::look_at_volume() {
  Hosts* const hosts = session_.hosts;
  resources_.reset(new RunResources{{plan_, session_, hosts, hosts ? plan_identity(plan_, {}) : PlanIdentity()}, {}});
  site().probe();
}

void RunLifecycle::announce() {
  session_.emit(PlanChecked{plan_text(plan(), site())});
  if (journal_) journal_->lines();  // a journal that cannot be made is an error before the dataset is built
}

void RunLifecycle::expect_time() {
  if (!plan_.model()) session_.emit(LoadTimeExpected{expected_time(plan_)});
}

void RunLifecycle::build_dataset() {
  try {
    built_ = site().build(session_.stop);
  } catch (const Error& error) {  // after a signal a server that does not answer in time is not waited for
    if (role_ != alone || error.kind() != Error::Kind::run || !session_.stop.stop_requested()) throw;
    session_.emit(DatasetBuilt{});
    spdlog::warn("{}", error.what());
  }
  const std::string id = site().made_dataset();
  if (id.empty()) return;
  made_ = MadeDataset{id, *site().left(DatasetLeft::Why::asked)};
  if (role_ == follower) made_->left.mounts = site().mounts_of_this_host();
  if (role_ == follower || part_ == Part::whole || std::holds_alternative<FreshDirectory>(plan_.volume)) return;
  if (std::holds_alternative<TunedExport>(plan_.volume)) made_->left.mounts.clear();  // the mount ends with the run
  session_.leftovers.add_made(number_, *made_);
}

void RunLifecycle::write_header() {
  result_ = run_header(plan(), site());
  result_.plan = plan_identity(plan(), site().mounts());
  Journal* const lines = journal_ ? &journal_->lines() : nullptr;
  if (lines) lines->header(result_);
  recorder_.emplace(lines, session_.emit, site().load_mounts(), site().nfs_window());
}

void RunLifecycle::make_load() {
  site().drop_caches_of_tuned_mount();
  if (role_ != follower && !in_slices_) session_.emit(LoadBegan{result_});  // each slice begins a load of its own
  if (role_ != follower) site().watch_lock();
  resources_->load.emplace(plan(), site(), site().load_stop());
}

void RunLifecycle::measure_load() {
  PreparedLoad runner(resources_->load->runner(), plan_.before_point, site().load_stop());
  const EventSink record = [this](const Event& event) { recorder_->record(event); };
  try {
    curve_ =
        std::visit([&](const auto& measurement) { return measure(runner, measurement, record); }, plan_.measurement);
  } catch (...) {
    note_stuck_ops(resources_->load->end_here());
    throw;
  }
  preparation_note_ = runner.note();
  recorder_->add_stuck_ops(curve_);
  points_ = recorder_->take_points();
  session_.emit(LoadEnded{});
}

void RunLifecycle::follow_load() {
  try {
    resources_->load->follow(session_.emit, stuck_ops_);
  } catch (...) {
    session_.stuck |= stuck_ops_ > 0;
    throw;
  }
  session_.stuck |= stuck_ops_ > 0;
}

void RunLifecycle::conclude() {
  add_curve(result_, curve_, std::move(points_));
  const RunStats* const last = curve_.points.empty() ? nullptr : &curve_.points.back().stats;
  const auto failure = session_.failure_elsewhere();
  if (failure) {
    result_.status = Status::failed;
    result_.failure = failure->what();
    site().leave();
  } else if (role_ == leader && built_ && last && last->too_many_errors) {
    result_.failure = host_of_most_errors(last->hosts);
  }
  const bool is_sound = result_.status == Status::complete && !session_.stuck && !(last && last->stuck_ops > 0);
  if (const auto loss = failure ? std::nullopt : site().loss_of_lock(is_sound)) {  // two runs had one dataset at once
    leave_dataset();
    if (part_ == Part::of_comparison && !in_slices_) throw Error(*loss);
    result_.status = Status::failed;
    result_.failure = loss->what();
  }
  if (!preparation_note_.empty()) result_.notes.push_back(preparation_note_);
  if (journal_) {
    journal_->lines().end(result_);
    std::ranges::move(session_.notes_of(*journal_), std::back_inserter(result_.notes));
  }
  if (last) note_stuck_ops(last->stuck_ops);
  is_concluded_ = true;
}

/// The dataset is another run's by now: neither this run nor its comparison removes it.
void RunLifecycle::leave_dataset() {
  site().leave(DatasetLeft::Why::taken);
  made_.reset();
  if (part_ != Part::of_comparison) return;
  const bool is_mounted_for_run = std::holds_alternative<TunedExport>(plan_.volume);  // the name of that mount ends
  if (!is_mounted_for_run) session_.emit(*site().left(DatasetLeft::Why::taken));
  session_.leftovers.erase_made_with_id(site().dataset_id());
}

void RunLifecycle::note_stuck_ops(std::uint64_t ops) {
  stuck_ops_ = std::max(stuck_ops_, ops);
  session_.stuck |= stuck_ops_ > 0;
}

void RunLifecycle::write_outputs() {
  const bool is_measured = !result_.load_points.empty();
  try {
    session_.write_result(plan_.outputs, result_, *journal_, is_measured,
                          is_measured && result_.status == Status::interrupted, RunFinished{result_});
  } catch (...) {
    write_failure_ = std::current_exception();  // the dataset is removed all the same
  }
}

void RunLifecycle::leave_behind() {
  session_.emit(OpsNeverReturned{stuck_ops_});
  if (role_ == follower) return;
  if (const auto left = site().left(DatasetLeft::Why::stuck_ops)) {
    session_.emit(*left);
    session_.leftovers.erase_made_on(left->mounts);
  }
  resources_->load->dismiss();
}

void RunLifecycle::end_load() { resources_->load.reset(); }

void RunLifecycle::remove_dataset() {
  if (role_ != follower && !outputs_are_outside()) site().leave(), session_.cleanup_incomplete = true;
  session_.cleanup_incomplete |= !site().clean_up();
  resources_.reset();
}

/// Logs an output that lies in the dataset by now, as by a bind mount made during the run, and returns false.
bool RunLifecycle::outputs_are_outside() const {
  std::vector<std::string> mounts;
  for (const MountDirectory& mount : site().mounts()) mounts.push_back(mount.path);
  try {
    StuckWatch::Thread self(session_.watch);
    for (const Place& place : places_of(plan_)) check_not_in_dataset(place, mounts, self);
    return true;
  } catch (const Error& error) {
    spdlog::error("the dataset was not removed: {}", error.what());
    return false;
  }
}

}  // namespace edagen
