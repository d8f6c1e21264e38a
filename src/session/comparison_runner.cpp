#include "session/comparison_runner.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/rfc3339.hpp"
#include "base/usable_processors.hpp"
#include "base/version.hpp"
#include "compare/comparison.hpp"
#include "compare/comparison_result.hpp"
#include "edagen/error.hpp"
#include "nfs/staleness.hpp"
#include "nfs/tuned_mount.hpp"
#include "session/alternation.hpp"
#include "session/dataset_removal.hpp"
#include "session/files_of_volumes.hpp"
#include "session/host_agreement.hpp"
#include "session/measured.hpp"
#include "session/outputs.hpp"
#include "session/plan_identity.hpp"
#include "session/plan_text.hpp"
#include "session/repeats_end.hpp"
#include "session/run_lifecycle.hpp"
#include "session/sliced_runs.hpp"

namespace edagen {
namespace {

const TunedExport* tuned(const Variant& variant) { return std::get_if<TunedExport>(&variant.plan.volume); }

/// The plan of one repeat: on files the first run builds the dataset and the others restore it.
RunPlan plan_of_repeat(const Variant& variant, std::size_t repeat, std::optional<double> dataset_budget) {
  RunPlan plan = variant.plan;
  if (dataset_budget) plan.dataset_budget = dataset_budget;
  if (plan.on_volume_of_user() || tuned(variant)) plan.reuse_dataset = true;
  else plan.seed += repeat;  // else every repeat on a model is the same run
  return plan;
}

}  // namespace

ComparisonRunner::ComparisonRunner(SessionState& session, const ComparisonPlan& plan)
    : session_(session), plan_(plan), kept_(plan, session.watch) {
  if (plan.variants.size() < 2)
    throw usage_error("comparison", "needs at least two variants", "--volume NAME=DIR twice or more, or two tunings");
  const bool mounts = std::ranges::any_of(plan.variants, tuned);
  if (mounts && ::geteuid() != 0) throw usage_error("comparison", "mounting needs root");
  if (plan.staleness && !std::ranges::all_of(plan.variants, tuned))
    throw usage_error("staleness", "is measured on an export that is mounted with tunings");
  check_precision(plan);
  for (const Variant& variant : plan.variants) variants_.push_back({variant, variants_.size()});
}

std::string ComparisonRunner::describe() {
  if (std::ranges::any_of(plan_.variants, tuned))
    for (const std::string& left : HostChanges::left_behind()) spdlog::warn("{}", left);
  check_places_of_results(false);
  find_dataset_budget();
  alternation_ = alternation_of(plan_, session_.hosts != nullptr);
  return text();
}

/// Throws Error (usage) when a result could not be kept or an output not be written.
void ComparisonRunner::check_places_of_results(bool touching) {
  kept_.check_directory(directories_of(plan_));
  std::vector<std::string> inputs = kept_.files();  // no output may replace one of these
  for (const Variant& variant : plan_.variants)
    inputs.insert(inputs.end(), variant.plan.inputs.begin(), variant.plan.inputs.end());
  check_places(places_of(plan_), inputs, directories_of(plan_), session_.watch, touching);
}

std::string ComparisonRunner::text_of(const Variant& variant) {
  const TunedExport* const mount = tuned(variant);
  Variant shown = variant;
  if (!is_sliced() && ends_by_data()) shown.plan.leave_out_shape();
  if (!mount && !session_.hosts) {
    const RunPlan first = is_sliced() ? plan_of_slices(shown) : plan_of_repeat(shown, 0, dataset_budget_);
    const bool draws_last_run = plan_.repeats > 1 && !is_sliced();
    return variant_plan_text(first, RunSite(first, session_), draws_last_run ? &shown.plan : nullptr);
  }
  const std::string where = mount ? mount->exported + ", mounted for each run" : volume_text(variant.plan.volume);
  return plan_head(variant.plan, where) + "  load     " + measurement_text(variant.plan) + "\n" +
         beside_measurement_text(shown.plan, plan_.repeats > 1);
}

/// The volumes have been looked at.
std::string ComparisonRunner::text() {
  std::string text = comparison_head(plan_, alternation_);
  std::string first;
  for (const Variant& variant : plan_.variants) {
    const std::string of_variant = text_of(variant);
    text += fmt::format("{}{} ({})\n{}", first.empty() ? "\n" : "", one_line(variant.name), one_line(variant.what),
                        lines_that_differ(of_variant, first));
    if (first.empty()) first = of_variant;
  }
  return text;
}

/// Volumes are compared with the same files: those that fit the one with the least room. Throws Error (usage) when a
/// volume holds a dataset of others.
void ComparisonRunner::find_dataset_budget() {
  std::map<const Variant*, std::string> fingerprints;
  std::string of_all;
  for (const Variant& variant : plan_.variants) {
    if (tuned(variant)) continue;
    const RunSite site(plan_of_repeat(variant, 0, std::nullopt), session_);
    const std::optional<double> budget = site.dataset().budget_bytes;
    if (!budget) continue;
    fingerprints[&variant] = site.dataset().fingerprint;
    if (dataset_budget_ && *dataset_budget_ <= *budget) continue;
    dataset_budget_ = budget;
    of_all = site.dataset().fingerprint;
  }
  for (const auto& [variant, fingerprint] : fingerprints) {
    if (fingerprint == of_all) continue;
    const RunSite site(plan_of_repeat(*variant, 0, dataset_budget_), session_);
    if (site.dataset().fingerprint != of_all)
      throw usage_error(variant->what,
                        fmt::format("holds a dataset of {}, and the other volumes have or get a smaller one",
                                    files_text(site.dataset().totals())),
                        "edagen clean removes it");
  }
}

/// The result that stands for a run; nullopt: there is none, or the run is to be measured again as it did not come to
/// its end. Throws Error (usage) when it is of another plan than the run. Checked at each use: another comparison may
/// have written it since the start.
std::optional<Result> ComparisonRunner::kept_result(std::size_t variant, std::size_t repeat) const {
  std::optional<Result> kept = kept_.read(variant, repeat);
  if (!kept) return std::nullopt;
  const RunPlan now = plan_of_repeat(plan_.variants[variant], repeat, dataset_budget_);
  const auto* const mounts = std::get_if<MountDirectories>(&now.volume);
  const std::string differs = identity_difference(
      kept->plan, plan_identity(now, mounts ? mounts_on_host(*mounts, session_.hosts) : std::vector<MountDirectory>()));
  if (!differs.empty())
    throw usage_error(kept_.file(variant, repeat), "is a result of another plan: " + differs,
                      "another directory for --results");
  if (kept->status != Status::complete) return std::nullopt;
  return kept;
}

ComparisonResult ComparisonRunner::run() {
  check_places_of_results(true);
  if (!session_.hosts) find_dataset_budget();  // finds what is wrong before hours pass
  for (std::size_t variant = 0; variant < plan_.variants.size(); ++variant)
    for (std::size_t repeat = 0; repeat < plan_.repeats; ++repeat) kept_result(variant, repeat);
  alternation_ = alternation_of(plan_, session_.hosts != nullptr);
  if (std::ranges::any_of(plan_.variants, tuned)) session_.changes_of_host();
  kept_.make_directory();
  session_.emit(PlanChecked{text()});
  SessionJournal journal(plan_.journal, session_.watch, session_.emit);
  ComparisonResult comparison = header();
  journal.lines().comparison(with_variants(comparison));
  try {
    measure_all(journal);
  } catch (const std::exception& error) {
    session_.others_ended = session_.hosts != nullptr;  // they are in the middle of the run, and take no orders
    const auto* const known = dynamic_cast<const Error*>(&error);
    const bool is_refused = known && known->kind() == Error::Kind::usage, is_stopped = session_.stop.stop_requested();
    if (!is_stopped && (session_.hosts || is_refused || !with_variants({}).baseline())) {
      remove_datasets();
      journal.finish(false);
      throw;
    }
    if (is_stopped) spdlog::warn("what was going on has ended, too");  // mount(8) ends by the same signal
    else failure_ = error.what();
  }
  conclude(comparison, journal);
  remove_datasets();  // which takes its time: all is written
  return comparison;
}

ComparisonResult ComparisonRunner::header() const {
  ComparisonResult comparison;
  comparison.edagen_version = std::string(program_version);
  comparison.command = plan_.command;
  comparison.labels = plan_.labels;
  comparison.host = this_host();
  comparison.started_at = rfc3339_now();
  comparison.at_latency_target = plan_.at_latency_target;
  comparison.factors = plan_.factors;
  return comparison;
}

ComparisonResult ComparisonRunner::with_variants(ComparisonResult comparison) const {
  comparison.alternation = alternation_;
  if (!is_sliced() && !plan_.until && !plan_.max_time) comparison.repeats = plan_.repeats;
  for (const VariantState& state : variants_)
    add_variant(comparison, state.variant.name, state.variant.what, state.runs, state.staleness, state.refused,
                state.last_run, state.variant.factors);
  return comparison;
}

void ComparisonRunner::conclude(ComparisonResult& comparison, SessionJournal& journal) {
  comparison.finished_at = rfc3339_now();
  if (!alternation_.end) alternation_.end = session_.stop.stop_requested() ? EndReason::interrupt : EndReason::failure;
  if (!failure_.empty()) comparison.failure = failure_;
  if (const auto failure = session_.failure_elsewhere()) comparison.failure = failure->what();
  comparison.status = comparison.failure               ? Status::failed
                      : session_.stop.stop_requested() ? Status::interrupted
                      : session_.stuck                 ? Status::failed
                                                       : Status::complete;
  comparison = with_variants(std::move(comparison));
  journal.lines().comparison_end(comparison);
  comparison.notes = session_.notes_of(journal);
  std::ranges::move(stalls_.notes_of(comparison), std::back_inserter(comparison.notes));
  if (const std::string differ = different_files(comparison); !differ.empty())
    spdlog::warn("{}", comparison.notes.emplace_back(differ));
  const bool needs_document = comparison.baseline() && comparison.status != Status::complete;
  session_.write_result(plan_.outputs, comparison, journal, true, needs_document, ComparisonFinished{comparison});
}

/// The curves are those of the last runs: of the others the rate counts.
RunPlan ComparisonRunner::plan_of_run(std::size_t variant, std::size_t repeat) const {
  RunPlan plan = plan_of_repeat(plan_.variants[variant], repeat, dataset_budget_);
  if (repeat + 1 < plan_.repeats) plan.leave_out_shape();
  return plan;
}

/// Only if all variants are simulated (a simulation beside a load in real time would take its processors), on one host
/// (many simulate in lockstep), and if nobody wants each interval of each run in a file.
void ComparisonRunner::begin_simulated_runs(const std::vector<std::size_t>& order) {
  const auto is_alone = [](const Variant& variant) { return variant.plan.model() && !variant.plan.model()->clock; };
  if (!std::ranges::all_of(plan_.variants, is_alone) || session_.hosts || plan_.journal ||
      !plan_.written_meanwhile.empty())
    return;
  std::vector<SimulatedRuns::Run> runs;
  std::vector<std::size_t> repeats(variants_.size());
  for (const std::size_t at : order) {
    const std::size_t repeat = repeats[at]++;
    if (kept_result(at, repeat)) continue;
    runs.push_back({at, repeat, plan_of_run(at, repeat)});
  }
  simulated_.emplace(std::move(runs), usable_processor_count(), session_.emit, session_.stop, plan_.stuck_after);
}

RunPlan ComparisonRunner::plan_of_slices(const Variant& variant) const {
  RunPlan plan = plan_of_repeat(variant, 0, dataset_budget_);
  plan.plans_at_once = plan_.variants.size();
  if (!slice_plan(plan_).shape) plan.leave_out_shape();
  return plan;
}

/// What was measured stands when a variant fails. False: slices turned out not to be possible, and whole runs follow.
bool ComparisonRunner::measure_slices(SessionJournal& journal) {
  std::vector<RunPlan> plans;
  for (const VariantState& state : variants_) plans.push_back(plan_of_slices(state.variant));
  SlicedRuns sliced(session_, plan_, plans, journal);
  sliced.carry_out();
  alternation_ = sliced.alternation(std::move(alternation_));
  for (VariantState& state : variants_) {
    state.runs = sliced.series().slices(state.number);
    state.last_run = sliced.run_of(state.number);
  }
  failure_ = sliced.failure();
  if (is_sliced()) return true;
  load_time_ = load_time_before_runs_ = sliced.series().spent();
  if (has_time_for_runs(plan_, load_time_)) failure_.clear();
  else failure_ += ", and what is left of --max-time is too short for whole runs";
  return !failure_.empty();
}

void ComparisonRunner::measure_all(SessionJournal& journal) {
  if (is_sliced() && measure_slices(journal)) return;
  const std::vector<std::size_t> order = interleaved(variants_.size(), plan_.repeats);
  begin_simulated_runs(order);
  bool goes_on = true;
  for (std::size_t i = 0; i < order.size() && goes_on; ++i) {
    goes_on = variants_[order[i]].refused || measure_run(variants_[order[i]], journal);
    if (goes_on && (i + 1) % variants_.size() == 0) goes_on = !repeats_have_ended((i + 1) / variants_.size());
  }
  if (!plan_.staleness) return;
  for (VariantState& state : variants_) {
    if (session_.stuck || session_.stop.stop_requested()) return;
    if (!state.refused) measure_staleness_of(state, journal);
  }
}

bool ComparisonRunner::repeats_have_ended(std::size_t repeats) {
  ComparisonResult so_far;
  so_far.at_latency_target = plan_.at_latency_target;
  alternation_.end =
      end_of_repeats(plan_, with_variants(std::move(so_far)), repeats, load_time_, load_time_before_runs_);
  return alternation_.end.has_value();
}

/// False when no other run is to come.
bool ComparisonRunner::measure_run(VariantState& of, SessionJournal& journal) {
  const bool at_target = plan_.at_latency_target.has_value();
  Result result;
  session_.emit(VariantBegan{of.variant.name, of.runs.size() + 1, plan_.repeats});
  if (!unless_refused(of, journal, [&] { result = result_of_run(of, journal); })) return true;
  if (result.status == Status::interrupted || session_.failure_elsewhere()) return false;
  of.runs.push_back(run_figures(result, at_target));
  of.runs.back().repeat = of.runs.size();
  of.last_run = variant_run(result);
  stalls_.add(of.variant.name, of.runs.size(), result);
  load_time_ += load_time(result);
  if (session_.stuck) return false;
  session_.emit(VariantMeasured{of.variant.name, of.runs.size(), plan_.repeats, of.runs.back(), at_target});
  return !session_.stop.stop_requested();
}

/// The result of the next run of a variant: kept from an earlier comparison, or measured.
Result ComparisonRunner::result_of_run(const VariantState& of, SessionJournal& journal) {
  const std::size_t repeat = of.runs.size();
  std::optional<Result> kept = kept_result(of.number, repeat);
  journal.lines().run(of.number, repeat);
  if (kept) {
    journal.lines().whole(*kept);
    return *std::move(kept);
  }
  std::optional<Result> simulated = simulated_ ? simulated_->take(of.number, repeat) : std::nullopt;
  if (simulated) journal.lines().whole(*simulated);
  Result result = simulated ? *std::move(simulated)
                            : RunLifecycle(session_, plan_of_run(of.number, repeat), of.number, &journal,
                                           RunLifecycle::Part::of_comparison)
                                  .carry_out();
  if (result.status != Status::interrupted && !result.failure)
    session_.cleanup_incomplete |= !kept_.write(of.number, repeat, result);
  return result;
}

void ComparisonRunner::measure_staleness_of(VariantState& of, SessionJournal& journal) {
  unless_refused(of, journal, [&] {
    // Two mounts with caches of their own stand for two clients.
    const auto writer = session_.mount(*tuned(of.variant), session_.stop),
               reader = session_.mount(*tuned(of.variant), session_.stop);
    of.staleness = staleness_figures(
        measure_staleness(writer->directory(), reader->directory(), *plan_.staleness, session_.watch, session_.stop));
    journal.lines().staleness(of.number, *of.staleness);
  });
}

/// False when the tuning is refused, which is noted.
bool ComparisonRunner::unless_refused(VariantState& of, SessionJournal& journal, const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const TuningRefused& refusal) {
    if (session_.stop.stop_requested()) throw;
    of.refused = refusal.reason;
    journal.lines().refused(of.number, *of.refused);
    session_.emit(VariantRefused{of.variant.name, *of.refused});
    return false;
  }
}

void ComparisonRunner::emit_left(const MadeDataset& made, DatasetLeft::Why why) const {
  DatasetLeft left = made.left;
  left.why = why;
  if (!left.mounts.empty()) session_.emit(left);
}

/// Removes what this comparison has made, or names it: after ops that never returned, touching a mount might hang.
void ComparisonRunner::remove_datasets() {
  if (session_.stuck)
    for (const auto& [variant, made] : session_.leftovers.made()) emit_left(made, DatasetLeft::Why::stuck_ops);
  while (!session_.stuck && !session_.leftovers.made().empty()) {
    const auto& [number, made] = *session_.leftovers.made().begin();
    const Variant& variant = plan_.variants[number];
    // Another host may also fail during the removal of an earlier one.
    const bool all_stay = session_.others_ended || session_.failure_elsewhere();
    const bool stays = all_stay || variant.plan.keep_dataset || variant.plan.reuse_dataset;
    if (session_.hosts && !stays) session_.order({.what = PlanOrder::What::remove, .number = number});
    if (stays) emit_left(made, DatasetLeft::Why::asked);
    else remove_dataset_of(variant, made);
    if (session_.hosts && !stays) session_.await_removal_elsewhere(variant.name);
    session_.leftovers.erase_made(number);
  }
}

void ComparisonRunner::remove_dataset_of(const Variant& variant, const MadeDataset& made) {
  const TunedExport* const mount = tuned(variant);
  try {
    const auto mounted = mount ? session_.mount(*mount, std::stop_token()) : nullptr;
    const std::vector<std::string> directories = mounted ? std::vector{mounted->directory()} : made.left.mounts;
    std::vector<Place> outputs = places_of(plan_);
    if (!plan_.results_directory.empty()) outputs.push_back({"results", plan_.results_directory});
    StuckWatch::Thread self(session_.watch);
    for (const std::string& directory : directories)
      if (!is_nfs_url(directory))
        for (const Place& place : outputs) check_not_in_dataset(place, {directory}, self);
    self.pause();
    for (const std::string& directory : directories) remove_dataset_at(directory, session_.watch, made.id);
  } catch (const std::exception& error) {  // also of the system, which starts no thread
    session_.cleanup_incomplete = true;
    spdlog::error("the dataset of {} was not removed: {}", variant.name, error.what());
    emit_left(made, DatasetLeft::Why::not_removed);
    if (mount) spdlog::error("edagen clean removes it where {} is mounted", mount->exported);
  }
}

}  // namespace edagen
