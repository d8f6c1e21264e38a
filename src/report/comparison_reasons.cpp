#include "report/comparison_reasons.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "report/limit_text.hpp"
#include "report/reason_text.hpp"
#include "result/flaw.hpp"

namespace edagen {
namespace {

/// A line for variants that are alike.
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
  return text;
}

std::vector<const RunFigures*> runs_with(Invalid reason, const ComparisonResult& comparison) {
  std::vector<const RunFigures*> runs;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs)
      if (std::ranges::find(run.invalid, reason) != run.invalid.end()) runs.push_back(&run);
  return runs;
}

const char* bound_remedy(RateLimit limit) {
  switch (limit) {
    case RateLimit::highest_rate: return "a higher --max-rate, higher --points or more procs (--job-sets)";
    case RateLimit::procs: return "more procs (--job-sets)";
    case RateLimit::search_time: return "a longer search (--search-time)";
    case RateLimit::host: break;
  }
  return "more processors, or more hosts";
}

/// By what limited the last runs; "" of documents that do not have it.
std::string bounds_remedy(const ComparisonResult& comparison) {
  std::set<RateLimit> limits;
  for (const VariantFigures& variant : comparison.variants) {
    if (!variant.last_run) continue;
    for (const AnswerFigures& answer : variant.last_run->at_latency_target)
      if (answer.limit) limits.insert(*answer.limit);
  }
  std::vector<const char*> remedies;
  for (const RateLimit limit : limits) remedies.push_back(bound_remedy(limit));
  return fmt::format("{}", fmt::join(remedies, "; "));
}

/// What is behind a reason in all runs that have it, where that is the same in each of them; "": nothing.
std::string cause_in_all(Invalid reason, const std::vector<const RunFigures*>& runs) {
  const std::string cause = runs.empty() ? "" : cause_beside(reason, runs.front()->invalid);
  const auto has_it = [&](const RunFigures* run) { return cause_beside(reason, run->invalid) == cause; };
  return std::ranges::all_of(runs, has_it) ? cause : "";
}

/// The remedy for a reason beside those of `before`; "": its own.
std::string remedy_beside(Invalid reason, const std::set<Invalid>& before, const ComparisonResult& comparison) {
  if (reason == Invalid::target_not_reached) return bounds_remedy(comparison);
  const std::vector<const RunFigures*> runs = runs_with(reason, comparison);
  if (std::string cause = cause_in_all(reason, runs); !cause.empty()) return cause;
  const auto is_overload = [](Invalid each) { return flaw_of(each) == Flaw::overload; };
  const bool follows =
      is_one_of(flaw_of(reason), {Flaw::overload, Flaw::uneven, Flaw::unsteady}) &&
      std::ranges::any_of(before, is_overload) &&
      std::ranges::all_of(runs, [&](const RunFigures* run) { return std::ranges::any_of(run->invalid, is_overload); });
  return follows ? "that more ops were due than ended may be why" : "";
}

/// Whether the run shows how long ops wait for their procs: in an overload its reason has the remedy, and where this
/// host was late, ops waited for a processor.
bool shows_waits(const RunFigures& run) {
  return run.work && run.has_response() && std::ranges::all_of(run.invalid, [](Invalid reason) {
           return is_one_of(flaw_of(reason), {Flaw::unsteady, Flaw::scatter});
         });
}

}  // namespace

std::string invalid_runs_text(const ComparisonResult& comparison) {
  std::set<Invalid> reasons, before;
  for (const VariantFigures& variant : comparison.variants)
    for (const RunFigures& run : variant.runs) reasons.insert(run.invalid.begin(), run.invalid.end());
  std::string text = variants_text(comparison);
  for (const Invalid reason : reasons) {
    text +=
        fmt::format("  {}: {}\n", to_string(reason), reason_text(reason, remedy_beside(reason, before, comparison)));
    before.insert(reason);
  }
  return text;
}

std::string busy_procs_text(const ComparisonResult& comparison) {
  std::vector<std::string> names;
  double least = 1;
  for (const VariantFigures& variant : comparison.variants) {
    Millis response{0}, service{0};
    double rate = 0, count = 0;
    for (const RunFigures& run : variant.runs) {
      if (!shows_waits(run)) continue;
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
