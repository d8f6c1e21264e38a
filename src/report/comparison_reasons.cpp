#include "report/comparison_reasons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "edagen/units.hpp"
#include "report/curve_points.hpp"
#include "report/limit_text.hpp"
#include "report/point_text.hpp"
#include "report/reason_text.hpp"
#include "report/stall_text.hpp"
#include "result/flaw.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

/// "x: 3 of 10 slices stalled (in blocks 4, 5, the first of them 31 s after ...): ...", a line; "" where none did.
std::string stalled_slices_text(const VariantFigures& variant, const ComparisonResult& comparison) {
  std::set<std::uint64_t> blocks;
  std::size_t count = 0;
  Millis longest{0};
  double first = std::numeric_limits<double>::infinity();  // s
  for (const RunFigures& run : variant.runs)
    if (is_stalled_run(run, variant, comparison)) {
      ++count, blocks.insert(run.slice->block), longest = std::max(longest, run.response);
      first = std::min(first, run.slice->start_seconds);
    }
  if (count == 0) return "";
  return fmt::format(
      "  {}: {} of {} stalled (in {} {}, {}{} after the comparison's first load): mean response up to {} ms, against a "
      "median of {} ms: {}\n",
      variant.name, count, counted(variant.runs.size(), "slice"), blocks.size() == 1 ? "block" : "blocks",
      fmt::join(blocks, ", "), count > 1 ? "the first of them " : "", format_duration(from_seconds(first)), ms(longest),
      ms(Millis(median_of(responses_of(variant)))), stall_remedy);
}

/// A line for each run that stalled, or for the slices of a variant that did.
std::string stalled_runs_text(const ComparisonResult& comparison) {
  std::string text;
  if (comparison.is_sliced()) {
    for (const VariantFigures& variant : comparison.variants) text += stalled_slices_text(variant, comparison);
    return text;
  }
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      if (is_stalled_run(run, variant, comparison))
        text += stall_text(fmt::format("{}, repeat {}", variant.name, run.repeat), run.invalid, run.response,
                           Millis(median_of(responses_of(variant, &run))));
  return text;
}

/// A line for variants that are alike, and then those of runs that stalled.
std::string variants_text(const ComparisonResult& comparison) {
  std::vector<std::pair<std::string, std::vector<std::string>>> alike;  // by what is said of them
  for (const VariantFigures& variant : comparison.variants) {
    std::set<std::string_view> reasons;
    for (const RunFigures& run : variant.runs)
      for (const Invalid reason : run.invalid) reasons.insert(to_string(reason));
    if (reasons.empty()) continue;
    const auto count = std::ranges::count_if(variant.runs, [](const RunFigures& run) { return !run.valid(); });
    const std::string text = fmt::format("{} of {} {} INVALID: {}", count, variant.runs.size(),
                                         comparison.is_sliced() ? "slices" : "runs", fmt::join(reasons, ", "));
    auto found = std::ranges::find(alike, text, &std::pair<std::string, std::vector<std::string>>::first);
    if (found == alike.end()) found = alike.insert(found, {text, {}});
    found->second.push_back(variant.name);
  }
  std::string text;
  for (const auto& [said, names] : alike) text += fmt::format("{}: {}\n", fmt::join(names, "; "), said);
  return text + stalled_runs_text(comparison);
}

/// Those that stalled have a line of their own.
std::vector<const RunFigures*> runs_with(Invalid reason, const ComparisonResult& comparison) {
  std::vector<const RunFigures*> runs;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      if (std::ranges::find(run.invalid, reason) != run.invalid.end() && !is_stalled_run(run, variant, comparison))
        runs.push_back(&run);
  return runs;
}

/// What mends that the rates of these runs are lower bounds; "" of documents that do not have why.
std::string bounds_remedy(const std::vector<const RunFigures*>& runs) {
  std::vector<BoundCause> causes;
  for (const RunFigures* const run : runs)
    for (const BoundCause cause : run->bounds)
      if (std::ranges::find(causes, cause) == causes.end()) causes.push_back(cause);
  return remedy_of_bounds(causes);
}

/// The runs are curves of load points that were asked for.
bool are_of_fixed_points(const ComparisonResult& comparison) {
  return std::ranges::any_of(comparison.variants, [](const VariantFigures& variant) {
    return variant.last_run && !variant.last_run->load_points.empty() && are_fixed(variant.last_run->load_points);
  });
}

/// What is behind a reason in all runs that have it, where that is the same in each of them; "": nothing.
std::string cause_in_all(Invalid reason, const std::vector<const RunFigures*>& runs) {
  const std::string cause = runs.empty() ? "" : cause_beside(reason, runs.front()->invalid);
  const auto has_it = [&](const RunFigures* run) { return cause_beside(reason, run->invalid) == cause; };
  return std::ranges::all_of(runs, has_it) ? cause : "";
}

/// This host in a run.
LoadHost host_of(const RunFigures& run, const ComparisonResult& comparison) {
  const auto late = std::ranges::find(run.invalid, Invalid::generator_limited);
  return {.processors = run.host_use ? comparison.host.cpus : 0,
          .use = run.host_use.value_or(HostUse()),
          .is_late = late != run.invalid.end()};
}

/// The mean of this host in these runs, where it was a limit in half of them or more, for the same cause; nullopt
/// otherwise.
std::optional<LoadHost> busy_host_of(const std::vector<const RunFigures*>& runs, const ComparisonResult& comparison) {
  std::vector<LoadHost> hosts;
  for (const RunFigures* const run : runs)
    if (run->host_use) hosts.push_back(host_of(*run, comparison));
  if (hosts.empty()) return std::nullopt;
  LoadHost mean{
      .processors = comparison.host.cpus, .use = {}, .is_late = std::ranges::all_of(hosts, &LoadHost::is_late)};
  for (double HostUse::*const figure : {&HostUse::cpu_cores_used, &HostUse::host_busy, &HostUse::throttled_share}) {
    for (const LoadHost& host : hosts) mean.use.*figure += host.use.*figure;
    mean.use.*figure /= static_cast<double>(hosts.size());
  }
  mean.use.real_time_refused =
      std::ranges::any_of(hosts, [](const LoadHost& host) { return host.use.real_time_refused; });
  const std::string remedy = host_remedy(mean);
  const auto has_same_cause = [&](const LoadHost& host) {
    return !busy_host_text(host).empty() && host_remedy(host) == remedy;
  };
  const auto alike = static_cast<std::size_t>(std::ranges::count_if(hosts, has_same_cause));
  return !busy_host_text(mean).empty() && 2 * alike >= runs.size() ? std::optional(mean) : std::nullopt;
}

/// The busy host that may be behind a reason, as in the lines of a run; nullopt: there is none, or another reason is
/// the cause.
std::optional<LoadHost> host_behind(Invalid reason, const ComparisonResult& comparison) {
  const std::vector<const RunFigures*> runs = runs_with(reason, comparison);
  return host_may_be_why(reason) && cause_in_all(reason, runs).empty() ? busy_host_of(runs, comparison) : std::nullopt;
}

/// What mends a rate that was missed: more procs only where ops wait for them; "" of runs that do not show whether they
/// do.
std::string remedy_of_missed_rate(const ComparisonResult& comparison) {
  std::pair<Millis, std::string> longest;  // service of ops that wait for their procs, and the variant's name
  bool is_any_unknown = false;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs) {
      const bool has_missed = std::ranges::find(run.invalid, Invalid::achieved_rate_low) != run.invalid.end();
      if (!has_missed || is_stalled_run(run, variant, comparison)) continue;
      const bool is_known = run.work && run.work->service > Millis(0) && variant.last_run;
      is_any_unknown |= !is_known;
      if (is_known && mostly_wait_for_procs(run.response, run.work->service, run.ops_per_sec,
                                            static_cast<double>(variant.last_run->procs)))
        longest = std::max(longest, std::pair(run.work->service, variant.name));
    }
  const auto& [service, name] = longest;
  if (service > Millis(0)) return remedy_of_overloaded_procs(fmt::format("{} ms ({})", ms(service), name));
  return is_any_unknown ? "" : "a lower --rate";
}

bool are_simulated(const ComparisonResult& comparison) {
  return std::ranges::all_of(comparison.variants, [](const auto& variant) { return variant.what.starts_with("sim:"); });
}

/// The remedy for a reason beside those of `before`; "": its own.
std::string remedy_beside(Invalid reason, const std::set<Invalid>& before, const ComparisonResult& comparison) {
  const std::vector<const RunFigures*> runs = runs_with(reason, comparison);
  if (reason == Invalid::target_not_reached) return bounds_remedy(runs);
  if (std::string cause = cause_in_all(reason, runs); !cause.empty()) return cause;
  if (reason == Invalid::not_demonstrated && are_of_fixed_points(comparison))
    return "what helps the load points that are invalid";
  if (std::string of_model = remedy_of_model(reason); !of_model.empty() && are_simulated(comparison)) return of_model;
  const auto is_overload = [](Invalid each) { return flaw_of(each) == Flaw::overload; };
  const bool follows =
      follows_from_overload(reason) && std::ranges::any_of(before, is_overload) &&
      std::ranges::all_of(runs, [&](const RunFigures* run) { return std::ranges::any_of(run->invalid, is_overload); });
  if (follows) return overload_may_be_why;
  if (reason == Invalid::achieved_rate_low && !host_behind(reason, comparison))
    return remedy_of_missed_rate(comparison);
  const auto is_real_time_refused = [](const RunFigures* run) {
    return run->host_use && run->host_use->real_time_refused;
  };
  if (reason == Invalid::generator_limited && !host_behind(reason, comparison))
    return remedy_of_late_host(std::ranges::any_of(runs, is_real_time_refused));
  return reason == Invalid::window_short && comparison.is_sliced()
             ? "longer slices (--slices), whole runs (--slices off), or a lower --rate where there is one"
             : "";
}

/// Whether the run shows how long ops wait for their procs: in an overload its reason has the remedy, and where this
/// host was late, ops waited for a processor.
bool shows_waits(const RunFigures& run) {
  return run.work && run.has_response() && std::ranges::all_of(run.invalid, [](Invalid reason) {
           return is_one_of(flaw_of(reason), {Flaw::unsteady, Flaw::scatter});
         });
}

}  // namespace

bool has_stalled_run(const VariantFigures& variant, const ComparisonResult& comparison) {
  return std::ranges::any_of(variant.runs,
                             [&](const RunFigures& run) { return is_stalled_run(run, variant, comparison); });
}

std::string invalid_runs_text(const ComparisonResult& comparison) {
  std::set<Invalid> reasons, before;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      if (!is_stalled_run(run, variant, comparison)) reasons.insert(run.invalid.begin(), run.invalid.end());
  std::string text = variants_text(comparison);
  for (const Invalid reason : reasons) {
    const std::string beside = remedy_beside(reason, before, comparison);
    const std::optional<LoadHost> host = beside.empty() ? host_behind(reason, comparison) : std::nullopt;
    const bool are_several = runs_with(reason, comparison).size() > 1;
    const std::string used = host ? busy_host_text(*host) + (are_several ? " on average" : "") : "";
    const std::string remedy =
        host && is_one_of(flaw_of(reason), {Flaw::generator, Flaw::overload}) ? host_remedy(*host) : beside;
    text += fmt::format("  {}: {}\n", to_string(reason), reason_text(reason, remedy, used));
    before.insert(reason);
  }
  return text;
}

std::string later_windows_text(const ComparisonResult& comparison) {
  std::map<std::string, std::vector<std::string>> later;  // the names by what happened
  std::size_t measured = 0, later_ones = 0;
  bool are_caches_why = false;
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.last_run || variant.last_run->load_points.size() != 1) continue;
    ++measured;
    const VariantPoint& point = variant.last_run->load_points.front();
    const std::string settling = settling_text(point.longer_warmup, point.first_window);
    if (settling.empty()) continue;
    later[settling].push_back(variant.name);
    ++later_ones;
    are_caches_why |= point.valid();  // else it still trends, as in an overload
  }
  std::string text;
  for (const auto& [settling, names] : later)
    text += fmt::format("{}: {} (last run)\n", fmt::join(names, ", "), settling);
  if (are_caches_why && later_ones < measured)
    text +=
        "The other variants were measured sooner after their start, perhaps with colder caches: a longer --warmup "
        "measures all alike\n";
  return text;
}

std::string busy_procs_text(const ComparisonResult& comparison) {
  std::vector<std::string> names;
  double least = 1;
  for (const VariantFigures& variant : comparison.variants) {
    Millis response{0}, service{0};
    double rate = 0, count = 0;
    for (const RunFigures& run : variant.runs) {
      if (!shows_waits(run) || is_stalled_run(run, variant, comparison)) continue;
      response += run.response, service += run.work->service;
      rate += run.ops_per_sec, ++count;
    }
    if (count == 0 || !variant.last_run) continue;
    if (!mostly_wait_for_procs(response / count, service / count, rate / count,
                               static_cast<double>(variant.last_run->procs)))
      continue;
    names.push_back(variant.name);
    least = std::min(least, 1 - service / response);
  }
  if (names.empty()) return "";
  return fmt::format(
      "{}: {}{:.0f} % of the response is waiting: ops wait until their proc has ended the op before; more procs "
      "(--job-sets) would show the limit of the storage\n",
      fmt::join(names, ", "), names.size() > 1 ? "at least " : "", 100 * least);
}

}  // namespace edagen
