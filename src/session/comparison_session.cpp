// How a session carries out a comparison: each run as any other, on datasets that are made once.
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <regex>

#include "base/rfc3339.hpp"
#include "base/version.hpp"
#include "compare/comparison.hpp"
#include "compare/comparison_result.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "nfs/staleness.hpp"
#include "nfs/tuned_mount.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"
#include "session/measured.hpp"
#include "session/outputs.hpp"
#include "session/plan_identity.hpp"
#include "session/plan_text.hpp"
#include "session/session_work.hpp"

namespace edagen {
namespace {

const TunedExport* tuned(const Variant& variant) { return std::get_if<TunedExport>(&variant.plan.volume); }

/// Throws Error (usage) on what can be seen without touching anything.
void check(const ComparisonPlan& plan) {
  if (plan.variants.size() < 2) throw usage_error("comparison", "needs at least two variants");
  const bool mounts = std::ranges::any_of(plan.variants, tuned);
  if (mounts && ::geteuid() != 0) throw usage_error("comparison", "mounting needs root");
  if (plan.staleness && !std::ranges::all_of(plan.variants, tuned))
    throw usage_error("staleness", "is measured on an export that is mounted with tunings");
}

std::vector<std::string> all_directories(const ComparisonPlan& plan) {
  std::vector<std::string> all;
  for (const Variant& variant : plan.variants)
    for (const std::string& directory : directories_of(variant.plan.volume)) all.push_back(directory);
  return all;
}

/// Where a run's result is kept; empty: nowhere.
std::string result_file(const ComparisonPlan& plan, std::size_t variant, std::size_t repeat) {
  if (plan.results_directory.empty()) return "";
  std::string name = plan.variants[variant].name;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '=') c = '_';
  return fmt::format("{}/{}-{}-{}.json", plan.results_directory, variant + 1, name, repeat + 1);
}

/// Results that are kept, or will be, and those that an earlier comparison of other variants has kept there.
std::vector<std::string> result_files(const ComparisonPlan& plan) {
  std::vector<std::string> all;
  if (plan.results_directory.empty()) return all;
  for (std::size_t variant = 0; variant < plan.variants.size(); ++variant)
    for (std::size_t repeat = 0; repeat < plan.repeats; ++repeat) all.push_back(result_file(plan, variant, repeat));
  static const std::regex kept(R"(\d+-.*-\d+\.json)");
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(plan.results_directory, error))
    if (std::regex_match(entry.path().filename().string(), kept)) all.push_back(entry.path().string());
  return all;
}

/// What no output may replace.
std::vector<std::string> inputs_of(const ComparisonPlan& plan, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  self.begins("looking at results", plan.results_directory);
  std::vector<std::string> all = result_files(plan);
  for (const Variant& variant : plan.variants)
    all.insert(all.end(), variant.plan.inputs.begin(), variant.plan.inputs.end());
  return all;
}

/// Throws Error (usage) when results cannot be kept there. Of the path its last part alone is made: a name that was
/// mistyped is to make no tree.
void check_results_directory(const ComparisonPlan& plan, StuckWatch& watch) {
  if (plan.results_directory.empty()) return;
  namespace fs = std::filesystem;
  const Place place{"results", plan.results_directory};
  StuckWatch::Thread self(watch);
  check_not_in_dataset(place, all_directories(plan), self);
  self.begins("looking at results", place.path);
  std::error_code ignored;
  if (fs::is_directory(place.path, ignored)) return;
  const bool is_other = fs::exists(place.path, ignored);
  const fs::path itself = (fs::absolute(place.path, ignored) / "").parent_path();  // without slashes at its end
  if (is_other || !fs::is_directory(itself.parent_path(), ignored))
    throw usage_error(fmt::format("{} {}", place.name, place.path), std::strerror(is_other ? ENOTDIR : ENOENT));
}

/// The plan of one repeat: on files the first run builds the dataset and the others restore it.
RunPlan plan_of_repeat(const Variant& variant, std::size_t repeat, std::optional<double> dataset_budget) {
  RunPlan plan = variant.plan;
  plan.dataset_budget = dataset_budget;
  const bool on_mounts = std::holds_alternative<MountDirectories>(plan.volume) || tuned(variant);
  if (on_mounts) plan.reuse_dataset = true;
  else plan.seed += repeat;  // else every repeat on a model is the same run
  return plan;
}

/// Of DatasetTotals or DatasetFigures.
std::string files_text(const auto& dataset) {
  return fmt::format("{}, {}", counted(dataset.files, "file"), format_bytes(static_cast<Bytes>(dataset.bytes)));
}

/// Which variants had other files than the first, as in results that were kept, or where several hosts had no common
/// look at all volumes beforehand; empty: none.
std::string different_files(const ComparisonResult& comparison) {
  const VariantFigures* first = nullptr;
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.last_run || variant.last_run->target.kind == TargetKind::sim) continue;
    if (first == nullptr) first = &variant;
    const DatasetFigures &its = variant.last_run->dataset, &of_first = first->last_run->dataset;
    if (its.files == of_first.files && its.directories == of_first.directories && its.bytes == of_first.bytes) continue;
    return fmt::format("the volumes had different files: {} ({}) and {} ({}); edagen clean removes those that are kept",
                       first->name, files_text(of_first), variant.name, files_text(its));
  }
  return "";
}

Nanos time_of(const ComparisonPlan& plan) {
  Nanos time{0};
  for (const Variant& variant : plan.variants)
    if (!variant.plan.model()) time += static_cast<Nanos::rep>(plan.repeats) * expected_time(variant.plan);
  return time;
}

ComparisonResult header(const ComparisonPlan& plan) {
  ComparisonResult comparison;
  comparison.edagen_version = std::string(program_version);
  comparison.command = plan.command;
  comparison.labels = plan.labels;
  comparison.host = this_host();
  comparison.started_at = rfc3339_now();
  comparison.at_latency_target = plan.at_latency_target;
  comparison.repeats = plan.repeats;
  return comparison;
}

}  // namespace

std::string SessionWork::describe(const ComparisonPlan& plan) {
  check(plan);
  if (std::ranges::any_of(plan.variants, tuned))
    for (const std::string& left : HostChanges::left_behind()) spdlog::warn("{}", left);
  check_results_directory(plan, watch_);
  check_places(places_of(plan), inputs_of(plan, watch_), all_directories(plan), watch_, false);
  find_dataset_budget(plan);
  return text_of(plan);
}

/// The volumes have been looked at.
std::string SessionWork::text_of(const ComparisonPlan& plan) {
  const Nanos time = time_of(plan);
  std::string text =
      fmt::format("comparison: {} x {}, interleaved, by {}{}\n", counted(plan.variants.size(), "variant"),
                  counted(plan.repeats, "repeat"),
                  plan.at_latency_target ? "the rate at " + format_duration(parse_duration(*plan.at_latency_target, ""))
                                         : "latency",
                  time > Nanos(0) ? "; " + at_most_text(time) + ", and what the datasets take" : "; simulated");
  for (const Variant& variant : plan.variants) {
    text += fmt::format("\n{} ({})\n", one_line(variant.name), one_line(variant.what));
    const TunedExport* const mount = tuned(variant);
    if (!mount && !hosts_) {
      const RunPlan its = plan_of_repeat(variant, 0, dataset_budget_);
      text += plan_text(its, RunSite(its, watch_, observer_));
      continue;
    }
    const std::string where = mount ? mount->exported + ", mounted for each run" : volume_text(variant.plan.volume);
    text += plan_head(variant.plan, where) + "  load     " + measurement_text(variant.plan) + "\n";
  }
  return text;
}

/// Volumes are compared with the same files: those that fit the one with the least room. Throws Error (usage) when a
/// volume holds a dataset of others.
void SessionWork::find_dataset_budget(const ComparisonPlan& plan) {
  dataset_budget_.reset();
  std::map<const Variant*, std::string> fingerprints;
  std::string of_all;
  for (const Variant& variant : plan.variants) {
    if (tuned(variant)) continue;
    const RunPlan its = plan_of_repeat(variant, 0, std::nullopt);
    const RunSite site(its, watch_, observer_);
    const std::optional<double> budget = site.dataset().budget_bytes;
    if (!budget) continue;
    fingerprints[&variant] = site.dataset().fingerprint;
    if (dataset_budget_ && *dataset_budget_ <= *budget) continue;
    dataset_budget_ = budget;
    of_all = site.dataset().fingerprint;
  }
  for (const auto& [variant, fingerprint] : fingerprints) {
    if (fingerprint == of_all) continue;
    const RunPlan its = plan_of_repeat(*variant, 0, dataset_budget_);
    const RunSite site(its, watch_, observer_);
    if (site.dataset().fingerprint != of_all)
      throw usage_error(variant->what,
                        fmt::format("holds a dataset of {}, and the other volumes have or get a smaller one",
                                    files_text(site.dataset().totals())),
                        "edagen clean removes it");
  }
}

ComparisonResult SessionWork::run(const ComparisonPlan& plan) {
  check(plan);
  check_can_run();
  check_results_directory(plan, watch_);
  check_places(places_of(plan), inputs_of(plan, watch_), all_directories(plan), watch_);
  if (!hosts_) find_dataset_budget(plan);  // says what is wrong before hours pass
  check_kept_results(plan);
  if (std::ranges::any_of(plan.variants, tuned)) host_changes();  // undoes what a killed comparison has left
  make_results_directory(plan);
  observer_.begins(text_of(plan));
  SessionJournal journal(plan.journal, watch_, observer_);
  ComparisonResult comparison = header(plan);
  std::vector<std::vector<RunFigures>> figures(plan.variants.size());
  std::vector<std::optional<StalenessFigures>> stale(plan.variants.size());
  std::vector<std::optional<std::string>> refused(plan.variants.size());
  std::vector<std::optional<VariantRun>> last_runs(plan.variants.size());
  const auto so_far = [&] {
    ComparisonResult all = comparison;
    for (std::size_t i = 0; i < plan.variants.size(); ++i)
      add_variant(all, plan.variants[i].name, plan.variants[i].what, figures[i], stale[i], refused[i], last_runs[i]);
    return all;
  };
  journal.lines().comparison(so_far());
  try {
    measure_variants(plan, journal, figures, stale, refused, last_runs);
  } catch (...) {
    if (!stop_.stop_requested()) {
      if (!stuck_) remove_datasets(plan);
      journal.finish(false);
      throw;
    }
    spdlog::warn("what was going on has ended, too");  // mount(8) ends by the same signal
  }
  comparison.finished_at = rfc3339_now();
  if (const auto failure = hosts_ ? hosts_->failure() : std::nullopt) comparison.failure = failure->what();
  comparison.status = comparison.failure       ? Status::failed
                      : stop_.stop_requested() ? Status::interrupted
                      : stuck_                 ? Status::failed
                                               : Status::complete;
  comparison = so_far();
  journal.lines().comparison_end(comparison);
  comparison.notes = notes_of_lacks(journal);
  if (const std::string differ = different_files(comparison); !differ.empty()) {
    spdlog::warn("{}", differ);
    comparison.notes.push_back(differ);
  }
  const bool written = write_outputs(plan.outputs, comparison, watch_);
  left_undone_ |= journal.is_incomplete() || !written;
  const bool measured = std::ranges::any_of(figures, [](const auto& runs) { return !runs.empty(); });
  journal.finish(written && (comparison.status == Status::complete || !measured ||
                             std::ranges::any_of(plan.outputs, &Output<ComparisonResult>::is_document)));
  tell_result(comparison);
  if (!stuck_) remove_datasets(plan);  // which takes its time: all is written
  else                                 // touching a mount again might hang
    for (const auto& [at, made] : made_datasets_) tell_of(made, DatasetLeft::Why::stuck_ops);
  return comparison;
}

void SessionWork::check_kept_results(const ComparisonPlan& plan) {
  for (std::size_t variant = 0; variant < plan.variants.size(); ++variant)
    for (std::size_t repeat = 0; repeat < plan.repeats; ++repeat) {
      const std::string file = result_file(plan, variant, repeat);
      const std::optional<Result> kept = kept_result(file);
      if (!kept) continue;
      const RunPlan now = plan_of_repeat(plan.variants[variant], repeat, dataset_budget_);
      const auto* const mounts = std::get_if<MountDirectories>(&now.volume);
      const std::string differs = identity_difference(
          kept->plan, plan_identity(now, mounts ? check_mounts(mounts->paths) : std::vector<MountDirectory>()));
      if (!differs.empty())
        throw usage_error(file, "is a result of another plan: " + differs, "another directory for --results");
    }
}

void SessionWork::make_results_directory(const ComparisonPlan& plan) {
  if (plan.results_directory.empty()) return;
  StuckWatch::Thread self(watch_);
  self.begins("making", plan.results_directory);
  std::error_code error;
  std::filesystem::create_directory(plan.results_directory, error);
  if (error) throw usage_error("results " + plan.results_directory, error.message());
}

void SessionWork::measure_variants(const ComparisonPlan& plan, SessionJournal& journal,
                                   std::vector<std::vector<RunFigures>>& figures,
                                   std::vector<std::optional<StalenessFigures>>& stale,
                                   std::vector<std::optional<std::string>>& refused,
                                   std::vector<std::optional<VariantRun>>& last_runs) {
  for (const std::size_t at : interleaved(plan.variants.size(), plan.repeats)) {
    if (refused[at]) continue;
    const std::size_t repeat = figures[at].size();
    Result result;
    const auto measure = [&] { result = variant_result(plan, at, repeat, journal); };
    if (!unless_refused(plan, at, journal, refused[at], measure)) continue;
    if (result.status == Status::interrupted || (hosts_ && hosts_->failure())) break;
    figures[at].push_back(run_figures(result, plan.at_latency_target.has_value()));
    figures[at].back().repeat = repeat + 1;
    last_runs[at] = variant_run(result);
    if (stuck_) break;
    observer_.variant_run(plan.variants[at].name, figures[at].size(), plan.repeats, figures[at].back(),
                          plan.at_latency_target.has_value());
    if (stop_.stop_requested()) break;
  }
  if (plan.staleness) measure_staleness_of(plan, journal, stale, refused);
}

void SessionWork::measure_staleness_of(const ComparisonPlan& plan, SessionJournal& journal,
                                       std::vector<std::optional<StalenessFigures>>& stale,
                                       std::vector<std::optional<std::string>>& refused) {
  for (std::size_t i = 0; i < plan.variants.size(); ++i) {
    if (stuck_ || stop_.stop_requested()) return;
    if (refused[i]) continue;
    unless_refused(plan, i, journal, refused[i], [&] {
      // Two mounts with caches of their own stand for two clients.
      const TunedExport& mount = *tuned(plan.variants[i]);
      const TunedMount writer(mount.exported, mount.tuning, watch_, stuck_after_, stop_, host_changes()),
          reader(mount.exported, mount.tuning, watch_, stuck_after_, stop_, host_changes());
      stale[i] =
          staleness_figures(measure_staleness(writer.directory(), reader.directory(), *plan.staleness, watch_, stop_));
      journal.lines().staleness(i, *stale[i]);
    });
  }
}

bool SessionWork::unless_refused(const ComparisonPlan& plan, std::size_t variant, SessionJournal& journal,
                                 std::optional<std::string>& refused, const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const TuningRefused& refusal) {
    if (stop_.stop_requested()) throw;
    refused = refusal.reason;
    journal.lines().refused(variant, *refused);
    observer_.variant_refused(plan.variants[variant].name, *refused);
    return false;
  }
}

Result SessionWork::variant_result(const ComparisonPlan& plan, std::size_t variant, std::size_t repeat,
                                   SessionJournal& journal) {
  const std::string file = result_file(plan, variant, repeat);
  std::optional<Result> kept = kept_result(file);
  journal.lines().run(variant, repeat);
  if (kept) {
    journal.lines().whole(*kept);
    return *std::move(kept);
  }
  Occasion occasion;
  occasion.number = variant;
  occasion.made_dataset = [&](const MadeDataset& made) {
    const Volume& volume = plan.variants[variant].plan.volume;
    if (std::holds_alternative<FreshDirectory>(volume)) return;
    std::lock_guard lock(site_mutex_);
    made_datasets_[variant] = made;
    if (tuned(plan.variants[variant])) made_datasets_[variant].left.mounts.clear();  // they are unmounted after the run
  };
  Result result = carry_out(plan_of_repeat(plan.variants[variant], repeat, dataset_budget_), journal, occasion);
  if (!file.empty() && result.status != Status::interrupted && !result.failure) {
    const Output<Result> output{{"result", file}, json_text<Result>, true};
    left_undone_ |= !write_outputs(std::vector{output}, result, watch_);
  }
  return result;
}

/// A run that ended, in an earlier comparison; nullopt: none.
std::optional<Result> SessionWork::kept_result(const std::string& file) {
  if (file.empty()) return std::nullopt;
  StuckWatch::Thread self(watch_);
  self.begins("reading", file);
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  Result result = read_result(file);
  return result.status == Status::interrupted ? std::nullopt : std::optional(std::move(result));
}

void SessionWork::tell_of(const MadeDataset& made, DatasetLeft::Why why) {
  DatasetLeft left = made.left;
  left.why = why;
  if (!left.mounts.empty()) observer_.dataset_left(left);
}

/// Those that were made here go when nobody asked to keep them.
void SessionWork::remove_datasets(const ComparisonPlan& plan) {
  const bool all_stay = hosts_ && hosts_->failure();  // as of a run that has failed elsewhere
  while (!made_datasets_.empty()) {
    const auto& [at, made] = *made_datasets_.begin();
    const Variant& variant = plan.variants[at];
    const bool stays = all_stay || variant.plan.keep_dataset || variant.plan.reuse_dataset;
    if (stays) tell_of(made, DatasetLeft::Why::asked);
    else remove_dataset_of(plan, variant, made);
    if (hosts_ && !stays) order({.what = PlanOrder::What::remove, .number = at});
    std::lock_guard lock(site_mutex_);
    made_datasets_.erase(made_datasets_.begin());
  }
}

void SessionWork::remove_dataset_of(const ComparisonPlan& plan, const Variant& variant, const MadeDataset& made) {
  const TunedExport* const mount = tuned(variant);
  try {
    std::optional<TunedMount> mounted;
    if (mount) mounted.emplace(mount->exported, mount->tuning, watch_, stuck_after_, std::stop_token(), host_changes());
    const std::vector<std::string> directories = mounted ? std::vector{mounted->directory()} : made.left.mounts;
    std::vector<Place> outputs = places_of(plan);
    if (!plan.results_directory.empty()) outputs.push_back({"results", plan.results_directory});
    StuckWatch::Thread self(watch_);
    for (const Place& place : outputs) check_not_in_dataset(place, directories, self);
    self.rests();
    for (const std::string& directory : directories)
      remove_dataset(dataset_place(check_mounts({directory}).front()), 4, watch_, made.id);
  } catch (const Error& error) {
    left_undone_ = true;
    spdlog::error("the dataset of {} was not removed: {}", variant.name, error.what());
    tell_of(made, DatasetLeft::Why::not_removed);
    if (mount) spdlog::error("edagen clean removes it where {} is mounted", mount->exported);
  }
}

}  // namespace edagen
