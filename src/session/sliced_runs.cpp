#include "session/sliced_runs.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "compare/comparison_result.hpp"
#include "compare/rates_at_target.hpp"
#include "edagen/error.hpp"
#include "result/flaw.hpp"
#include "search/curve_point.hpp"
#include "session/alternation.hpp"

namespace edagen {
namespace {

/// Adds what a slice has shown. Intervals and pauses are of single slices, which are judged by them.
void add(RunStats& all, const RunStats& slice) {
  all.requested_ops_per_sec = slice.requested_ops_per_sec;
  all.length += slice.length;
  all.stuck_ops += slice.stuck_ops;
  all.too_many_errors |= slice.too_many_errors;
  all.ops.merge(slice.ops);
  all.generator_lag.merge(slice.generator_lag);
  merge_clients(all.clients, slice.clients);
  if (all.groups.empty()) {
    all.groups = slice.groups;
    return;
  }
  for (std::size_t i = 0; i < all.groups.size(); ++i) {
    GroupStats& group = all.groups[i];
    group.operations += slice.groups[i].operations;
    group.due += slice.groups[i].due;
    group.waits.merge(slice.groups[i].waits);
    group.least_proc_share = std::max(group.least_proc_share, slice.groups[i].least_proc_share);
  }
}

/// On a screen, in the live line, in CSV and in a HdrHistogram log. A name may hold anything.
std::string what_of(const Slice& slice, const std::string& name) {
  const std::string variant = one_line(name);
  switch (slice.what) {
    case Slice::What::climb: return "climb of " + variant;
    case Slice::What::warm_up: return "warm-up of " + variant;
    case Slice::What::pilot: return "settling of " + variant;
    case Slice::What::slice: return fmt::format("block {}, {}", slice.block, variant);
    case Slice::What::shape: return "curve of " + variant;
  }
  return "";
}

/// A load over the target need not reach its rate nor be steady: that the target is below it is what it shows.
void leave_out_overload(std::vector<Invalid>& reasons) {
  std::erase_if(reasons, [](Invalid reason) {
    return is_one_of(flaw_of(reason), {Flaw::overload, Flaw::uneven, Flaw::unsteady});
  });
}

}  // namespace

SlicedRuns::SlicedRuns(SessionState& session, const ComparisonPlan& plan, const std::vector<RunPlan>& plans,
                       SessionJournal& journal)
    : session_(session),
      plan_(plan),
      plans_(plans),
      journal_(journal),
      series_(slice_plan(plan)),
      runs_(plans.size()) {}

void SlicedRuns::carry_out() {
  if (!set_up(plans_)) return take_down();
  if (!plans_.front().model()) session_.emit(LoadTimeExpected{sliced_time(plan_)});
  while (const std::optional<Slice> slice = series_.next()) {
    SliceSeen seen;
    try {
      seen = measure(*slice);
    } catch (const std::exception& error) {  // also of the system, which starts no other thread
      failure_ = fmt::format("{}: {}", up_[slice->variant]->name, error.what());
      seen.end = EndReason::failure;
    }
    const std::vector<RunFigures>& slices = series_.slices(slice->variant);
    const std::size_t before = slices.size();
    series_.add(std::move(seen));
    if (slices.size() > before) journal_.lines().slice(slice->variant, slices.back());
  }
  if (const auto obstacle = series_.obstacle())
    failure_ = fmt::format("{}: {}", plan_.variants[obstacle->variant].name, obstacle->what);
  else if (series_.end() == EndReason::time && series_.slices(0).empty())
    failure_ = "the time was over before the first block of slices (--max-time, --repeat)";
  session_.emit(LoadEnded{});
  take_down();
}

/// False when a stop came first.
bool SlicedRuns::set_up(const std::vector<RunPlan>& plans) {
  for (std::size_t i = 0; i < plans.size(); ++i) {
    up_.push_back(std::make_unique<UpVariant>(plan_.variants[i].name, session_, plans[i], i));
    if (!up_.back()->run.set_up()) return false;
  }
  return true;
}

SliceSeen SlicedRuns::measure(const Slice& slice) {
  UpVariant& variant = *up_[slice.variant];
  LoadPoint load = variant.load;
  load.warmup = slice.settle;
  load.duration = slice.length;
  load.interval = slice.length / static_cast<Nanos::rep>(slice.intervals);
  load.settle = false;
  if (variant.search) load.rate = OpenLoop{slice.ops_per_sec, variant.search->arrivals};
  const std::optional<Nanos> target = variant.search ? std::optional(variant.search->targets.front()) : std::nullopt;
  const TimePoint began = now();
  const bool is_of_shape = slice.what == Slice::What::shape;
  auto [point, run] = variant.run.measure_point(load, what_of(slice, variant.name), target,
                                                is_of_shape ? Purpose::shape : Purpose::block);
  const RunStats& stats = point.stats;
  SliceSeen seen;
  if (!stats.interrupted) seen.figures = run;
  if (seen.figures && target) {
    leave_out_overload(seen.figures->invalid);
    seen.block = search_block(point, load.statistic, {*target});
    seen.block->purpose = slice.what == Slice::What::climb ? Purpose::climb : Purpose::block;
  }
  const bool is_simulated = std::holds_alternative<VolumeModel>(plans_[slice.variant].volume);
  seen.took = is_simulated ? stats.all_time() : std::max(stats.all_time(), Nanos(now() - began));
  for (const Interval& interval : stats.intervals)
    seen.interval_responses.push_back(interval.response_mean ? Millis(*interval.response_mean).count() : 0);
  session_.stuck |= stats.stuck_ops > 0;  // before any variant is taken down
  // After an interrupt ops are not waited for: those that are left need not hang.
  if (const auto loss = variant.run.loss_of_lock()) failure_ = fmt::format("{}: {}", variant.name, loss->what());
  else if (stats.interrupted || session_.stop.stop_requested()) seen.end = EndReason::interrupt;
  else if (stats.stuck_ops > 0) failure_ = fmt::format("{}: ops never returned", variant.name);
  else if (stats.too_many_errors) failure_ = fmt::format("{}: too many ops failed", variant.name);
  if (!failure_.empty()) seen.end = EndReason::failure;
  if (slice.what == Slice::What::slice && !stats.interrupted) add(variant.all, stats);
  else variant.all.stuck_ops += stats.stuck_ops;
  if (is_of_shape && !stats.interrupted) {
    point.stats.forget_latencies();
    variant.shape.push_back(std::move(point));
  }
  return seen;
}

/// All slices of a variant as one load point, and its curve.
Curve SlicedRuns::curve_of(std::size_t variant) {
  auto& [name, load, search, run, all, shape] = *up_[variant];
  Curve curve;
  curve.statistic = load.statistic;
  if (all.length > Nanos(0))
    curve.points.push_back(make_point(std::move(all), load.statistic, std::nullopt, Purpose::block));
  std::ranges::move(shape, std::back_inserter(curve.points));
  const auto answer = search ? answer_of_slices(series_.slices(variant), search->targets.front()) : std::nullopt;
  if (answer) curve.answers.push_back(*answer);
  return curve;
}

AlternationFigures SlicedRuns::alternation(AlternationFigures planned) const {
  if (series_.obstacle() && plan_.slices.use != SliceOptions::Use::required) {
    spdlog::warn("whole runs alternate: {}", failure_);
    return {.unit = Alternation::runs, .reason = failure_, .until = plan_.until};
  }
  planned.end = series_.end();
  planned.slice_seconds = to_seconds(series_.length());
  if (series_.settle()) planned.settle_seconds = to_seconds(*series_.settle());
  return planned;
}

void SlicedRuns::take_down() {
  for (std::size_t i = 0; i < up_.size(); ++i) {
    const std::uint64_t stuck_ops = up_[i]->all.stuck_ops;
    const Result result = up_[i]->run.take_down(curve_of(i), stuck_ops);
    if (result.failure && failure_.empty()) failure_ = fmt::format("{}: {}", up_[i]->name, *result.failure);
    if (series_.slices(i).empty() || result.load_points.empty()) continue;
    runs_[i] = variant_run(result);
    journal_.lines().last_run(i, *runs_[i]);
  }
  up_.clear();
}

}  // namespace edagen
