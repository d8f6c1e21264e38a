#include "report/reason_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "edagen/units.hpp"
#include "report/curve_points.hpp"
#include "report/late_host_text.hpp"
#include "report/limit_text.hpp"
#include "report/point_text.hpp"
#include "report/stall_text.hpp"
#include "result/flaw.hpp"
#include "result/validity_limits.hpp"

namespace edagen {
namespace {

struct Words {
  Invalid reason;
  const char* what;    ///< happened
  const char* remedy;  ///< or where to look
};

constexpr Words words[] = {
    {Invalid::nothing_measured, "no op ended in the window",
     "a longer --duration, or look whether the storage answers"},
    {Invalid::achieved_rate_low, "less than 95 % of the requested rate was reached", lower_rate_or_more_procs},
    {Invalid::proc_rate_low, "a proc reached less than 75 % of its rate",
     "a lower --rate, or look for a mount or directory that is slower than the others"},
    {Invalid::mix_off, "a kind of procs is more than 5 points off its share of the ops, or has no procs",
     "a lower --rate or a longer --duration, and whole job sets (--job-sets)"},
    {Invalid::generator_limited, "edagen began ops too late", less_late_host},
    {Invalid::generator_paused,
     "edagen was stopped, suspended or without a processor for 100 ms or more, for 5 % of the time, or often enough to "
     "delay the ops of busy procs",
     "a host that is not suspended, moved or overloaded meanwhile"},
    {Invalid::unsteady, "the latency still changed during the window", "a longer --warmup or --duration"},
    {Invalid::window_short,
     "the latency rises and falls more slowly than the window is long, so that another window would have another mean",
     "a longer --warmup or --duration; where the volume is near its limit, a lower --rate"},
    {Invalid::ops_outstanding, "ops that were due had not ended a while after the window",
     "a lower --rate: ops are due faster than they end"},
    {Invalid::errors, "ops failed", "the logs of the storage and of each host's kernel; no op fails by design"},
    {Invalid::stuck_ops, "ops never returned", "look at the mount, the network and the server"},
    {Invalid::too_many_errors, "the run was ended because too many ops failed",
     "mend what makes them fail, or allow more (--max-errors)"},
    {Invalid::interrupted, "the run was ended before its time", "run it again"},
    {Invalid::no_load_meets_target, "every load was over the target",
     "a higher --latency-target, or lower load points where those were asked for"},
    {Invalid::target_not_reached,
     "the target is beyond the loads that were measured, so that the rate is a lower bound",
     "more procs (--job-sets), a higher --max-rate, higher --points or a longer search (--search-time)"},
    {Invalid::not_demonstrated, "no valid load point of full length met the target near the rate",
     "a longer search (--search-time), or less other load on the storage"},
    {Invalid::imprecise, "the rate at the target is not known to ±10 %",
     "a longer search (--search-time), a lower --latency-target, or less other load on the storage"}};

// The sentences above have these limits in words.
static_assert(validity_limits::reached_share == 0.95 && validity_limits::proc_share == 0.75 &&
              validity_limits::mix_share == 0.05 && validity_limits::paused_share == 0.05 &&
              validity_limits::answer_half_width_share == 0.1);

// Each reason has its words, in the order of the reasons.
static_assert([] {
  for (std::size_t i = 0; i < std::size(words); ++i)
    if (words[i].reason != static_cast<Invalid>(i)) return false;
  return std::size(words) == enum_names<Invalid>.size();
}());

const Words& words_of(Invalid reason) { return words[static_cast<std::size_t>(reason)]; }

bool is_full_volume(const ErrorCounts& errors) {
  return !errors.empty() && std::ranges::all_of(errors, [](const auto& error) {
    return error.first == "ENOSPC" || error.first == "EDQUOT";
  });
}

/// Why edagen was without a processor.
std::string pause_text(const PointFigures& point) {
  constexpr const char* in_all = "which is in all figures of this load point";
  if (point.throttled_share >= validity_limits::paused_share)
    return throttled_text(point.throttled_share) + ", " + in_all;
  if (point.paused_share >= validity_limits::paused_share)
    return fmt::format("edagen was stopped, suspended or without a processor for {:.0f} % of the time, {}",
                       100 * point.paused_share, in_all);
  return fmt::format(
      "edagen was stopped, suspended or without a processor for 100 ms or more, or often enough to delay the ops of "
      "busy procs, {}",
      in_all);
}

/// A pause of edagen or a failure of the run can bring this about, so that it shows nothing of the storage.
bool failure_may_be_why(Invalid reason) {
  return is_one_of(flaw_of(reason), {Flaw::empty, Flaw::overload, Flaw::uneven, Flaw::unsteady});
}

/// Not its width makes it imprecise.
bool is_narrow(const AnswerFigures& answer) {
  if (!answer.confidence_95) return false;
  const auto& [low, high] = *answer.confidence_95;
  return high - low <= 2 * validity_limits::answer_half_width_share * answer.ops_per_sec;
}

/// The run was ended before the search or the last load point was over. The shape is drawn after the answer.
bool ended_early(const Result& result, const AnswerFigures* answer) {
  if (answer && has_flaw(answer->invalid, {Flaw::cut_short})) return true;
  return result.status == Status::interrupted &&
         std::ranges::none_of(result.load_points, [](const PointFigures& point) {
           return point.purpose == Purpose::shape && point.is_invalid_for(Invalid::interrupted);
         });
}

constexpr const char* longer_search = "a longer search (--search-time)";

const char* remedy_of(BoundCause cause) {
  switch (cause) {
    case BoundCause::max_rate: return "a higher --max-rate";
    case BoundCause::points: return "higher --points, or a search (without --points)";
    case BoundCause::job_sets: return "more job sets (--job-sets)";
    case BoundCause::procs: return "more procs (--job-sets)";
    case BoundCause::search_time: return longer_search;
    case BoundCause::early_end: return "run it again";
    case BoundCause::host: break;
  }
  return "more processors, or more hosts";
}

/// Why an answer is imprecise, and what mends that: as imprecise_text().
std::pair<const char*, const char*> imprecision(bool narrow, bool of_mean, bool simulated) {
  if (!narrow)
    return {"the confidence interval is wider than ±10 %",
            simulated ? longer_search : "a longer search (--search-time), or less other load on the storage"};
  if (!of_mean)
    return {"blocks hold too few ops over the percentile, or are too short for a latency so far above the idle one",
            "a less rare percentile (--latency-statistic), or a lower --latency-target"};
  return {"blocks are too few, or too short for a latency so far above the idle one",
          "a lower --latency-target, or a longer search (--search-time)"};
}
std::pair<const char*, const char*> imprecision(const AnswerFigures& answer, bool simulated) {
  return imprecision(is_narrow(answer), answer.statistic == "mean", simulated);
}

/// The last demonstration for this answer, where this host has spoilt it; nullptr otherwise. A demonstration is for the
/// answer to whose rate its own is nearest. `answer`: nullptr of a result that has one.
const PointFigures* spoilt_demonstration(const Result& result, const AnswerFigures* answer) {
  const auto is_for = [&](const PointFigures& point) {
    const auto distance = [&](const AnswerFigures& each) {
      return std::abs(point.requested_ops_per_sec.value_or(0) - each.ops_per_sec);
    };
    return answer == nullptr || std::ranges::all_of(result.at_latency_target, [&](const AnswerFigures& each) {
             return distance(*answer) <= distance(each);
           });
  };
  const PointFigures* last = nullptr;
  for (const PointFigures& point : result.load_points)
    if (point.purpose == Purpose::demonstration && is_for(point)) last = &point;
  return last != nullptr && has_flaw(last->invalid, {Flaw::generator}) ? last : nullptr;
}

/// nullptr: each kind has procs.
const GroupFigures* kind_without_procs(const PointFigures& point) {
  const auto idle = std::ranges::find(point.groups, std::uint64_t{0}, &GroupFigures::procs);
  return idle == point.groups.end() ? nullptr : &*idle;
}

/// With the figures of the load point.
std::string figures_of(Invalid reason, const Result& result, const PointFigures& point, const AnswerFigures* answer) {
  using enum Invalid;
  const double requested = point.requested_ops_per_sec.value_or(0);
  if (reason == nothing_measured && point.ended_in_warmup()) return "no window was measured";
  if (reason == achieved_rate_low && requested > 0 && point.has_figures())
    return fmt::format("{} of the {} requested ops/s were reached ({:.0f} % are needed)", rate_cell(point),
                       per_second(requested), 100 * validity_limits::reached_share);
  if (reason == generator_paused) return pause_text(point);
  if (reason == unsteady && requested > 0 && point.achieved_ops_per_sec > validity_limits::exceeded_share * requested)
    return "more ops ended than were due: a stop in the warm-up had left some behind";
  if (reason == unsteady && requested == 0)
    return "the latency still changed during the window, or ops that a stop in the warm-up held up took much of it";
  if (const GroupFigures* const idle = reason == mix_off ? kind_without_procs(point) : nullptr)
    return idle->workload + " has no proc, so that the mix is not the workload's";
  if (reason == generator_limited && !point.is_invalid_for(generator_limited))  // of an answer
    return "edagen was late or paused in load points near the rate";
  if (reason == generator_limited && !point.requested_ops_per_sec) return closed_loop_text(result, point);
  if (reason == generator_limited && point.generator_lag.mean > Millis(0) && point.has_service())
    return late_text(point);
  if (reason == ops_outstanding && point.ops_outstanding > 0)
    return fmt::format("{} due had not ended a while after the window", counted(point.ops_outstanding, "op"));
  if (reason == errors && !point.errors.empty()) return "ops failed: " + errors_text(point.errors);
  if (reason == imprecise && answer) return imprecision(*answer, result.simulated()).first;
  const bool is_spoilt_by_host = reason == not_demonstrated && !ended_early(result, answer);
  if (const PointFigures* const spoilt = is_spoilt_by_host ? spoilt_demonstration(result, answer) : nullptr)
    return fmt::format("in the load point that was to show it {}",
                       spoilt->is_invalid_for(generator_paused) ? pause_text(*spoilt) : late_text(*spoilt));
  if (reason == stuck_ops && point.stuck_ops > 0)
    return counted(point.stuck_ops, "op") +
           (point.is_invalid_for(interrupted) ? " had not returned when the run was ended" : " never returned");
  return words_of(reason).what;
}

constexpr const char* busy_procs_may_be_why = "ops wait for busy procs, which may be why";
/// The wait for a busy proc itself does not count in the generator's own delay.
constexpr const char* delays_add_up = "busy procs do not catch up in an overload, so that edagen's short delays add up";

/// The remedy for all reasons that busy procs explain; nullopt: they do not explain this one.
std::optional<std::string> remedy_of_busy_procs(Invalid reason, const PointFigures& point) {
  const auto is_explained = [&](Invalid each) { return busy_procs_explain(each, point); };
  if (!is_explained(reason)) return std::nullopt;
  const auto first = std::ranges::find_if(point.invalid, is_explained);
  if (first != point.invalid.end() && *first != reason) return busy_procs_may_be_why;
  return busy_procs_remedy(point);
}

/// The point has ops that never returned, which are behind what else is wrong with it.
bool hides_all(Invalid reason, const PointFigures& point) {
  return reason != Invalid::stuck_ops && failure_may_be_why(reason) && point.is_invalid_for(Invalid::stuck_ops);
}

/// Whether the busy host stands with this reason: the first of the load point that it can bring about and that no other
/// reason explains.
bool names_host(Invalid reason, const PointFigures& point) {
  const auto is_named = [&](Invalid each) {
    return host_may_be_why(each) && cause_beside(each, point.invalid).empty();
  };
  return is_named(reason) &&
         (!point.is_invalid_for(reason) || *std::ranges::find_if(point.invalid, is_named) == reason);
}

/// The remedy for all reasons of an overload that a busy host explains, or else busy procs; nullopt: neither does.
std::optional<std::string> overload_remedy(Invalid reason, const Result& result, const PointFigures& point) {
  if (busy_host_text(result, point).empty()) return remedy_of_busy_procs(reason, point);
  if (!is_overload(point.invalid) || !host_may_be_why(reason) || flaw_of(reason) == Flaw::generator)
    return std::nullopt;
  return names_host(reason, point) ? host_remedy(result, point) : "this host is busy, which may be why";
}

std::string what_happened(Invalid reason, const Result& result, const PointFigures& point,
                          const AnswerFigures* answer) {
  const bool is_of_host = names_host(reason, point) && !result.simulated();
  const std::string used = is_of_host ? busy_host_text(result, point) : "";
  const std::string figures = figures_of(reason, result, point, answer);
  return used.empty() || figures.find(used) != std::string::npos ? figures : figures + "; " + used;
}

std::string remedy(Invalid reason, const Result& result, const PointFigures* point, const AnswerFigures* answer) {
  using enum Invalid;
  if (point && hides_all(reason, *point)) return cause_beside(reason, point->invalid);
  if (reason == stuck_ops && point && point->is_invalid_for(interrupted)) return "the run was ended before its time";
  const bool are_procs_behind_delay = point && busy_procs_outweigh_delay(result, *point);
  if (are_procs_behind_delay && reason == generator_limited) return delays_add_up;
  if (point && failure_may_be_why(reason)) {
    if (has_flaw(point->invalid, {Flaw::generator}) && !are_procs_behind_delay)
      return cause_beside(reason, point->invalid);
    if (point->is_invalid_for(interrupted) && result.failure) return "the failure of the run may be why";
    if (reason == nothing_measured && point->ended_in_warmup())
      return fmt::format("the load ended after {} of its warm-up",
                         format_duration(from_seconds(point->warmup.count())));
    if (point->is_invalid_for(interrupted)) return cause_beside(reason, point->invalid);
    if (has_stalled_time(*point)) return stall_may_be_why;
  }
  if (reason == imprecise || reason == not_demonstrated) {
    if (ended_early(result, answer)) return "the run was ended before its time";
    if (reason == not_demonstrated && are_fixed(result.load_points))
      return "what helps the load points that are invalid";
    if (reason == imprecise && answer) return imprecision(*answer, result.simulated()).second;
    if (result.simulated()) return longer_search;
    if (const PointFigures* const spoilt = reason == not_demonstrated ? spoilt_demonstration(result, answer) : nullptr)
      return host_remedy(result, *spoilt);
  }
  if (reason == errors && point && is_full_volume(point->errors))
    return "the volume is full, or a quota is used up: free some of it, or use a smaller dataset (--dataset-scale)";
  if (const auto of_overload = point ? overload_remedy(reason, result, *point) : std::nullopt) return *of_overload;
  // Else the remedy is that of busy procs: ops that do not wait for their procs are not helped by more of them.
  if (reason == achieved_rate_low && point) return "a lower --rate";
  const bool is_closed_loop = point && point->requested_ops_per_sec.value_or(0) == 0;
  if (reason == window_short && is_closed_loop) return "a longer --warmup or --duration";
  if (reason == mix_off && point && kind_without_procs(*point)) return "whole job sets (--job-sets)";
  if (reason == mix_off && is_closed_loop) return "a longer --duration, and whole job sets (--job-sets)";
  if (reason == generator_paused && point && is_throttled(result, *point)) return more_for_container;
  const bool is_busy = point && !busy_host_text(result, *point).empty();
  if (reason == generator_limited && point && (is_busy || point->requested_ops_per_sec))
    return host_remedy(result, *point);
  if (reason == generator_limited && point)
    return "more processors or hosts, more workers (--max-workers), or fewer procs (--job-sets)";
  return words_of(reason).remedy;
}

}  // namespace

std::string reason_text(Invalid reason, const std::string& remedy, const std::string& seen) {
  return fmt::format("{}{}{}: {}", words_of(reason).what, seen.empty() ? "" : "; ", seen,
                     remedy.empty() ? words_of(reason).remedy : remedy);
}

std::string imprecise_text(bool narrow, bool of_mean, bool simulated) {
  const auto [what, remedy] = imprecision(narrow, of_mean, simulated);
  return fmt::format("{}: {}", what, remedy);
}

std::string remedy_of_model(Invalid reason) {
  if (reason == Invalid::not_demonstrated) return longer_search;
  return reason == Invalid::imprecise ? std::string(longer_search) + ", or a lower --latency-target" : "";
}

std::string cause_beside(Invalid reason, const std::vector<Invalid>& others) {
  using enum Invalid;
  const auto is_there = [&](Invalid other) { return std::ranges::find(others, other) != others.end(); };
  const bool is_of_load = failure_may_be_why(reason);
  if (!is_of_load && flaw_of(reason) != Flaw::scatter) return "";
  if (is_of_load && is_there(stuck_ops)) return "the ops that have not returned may be why";
  if (is_there(generator_paused)) return "edagen's pause may be why";
  if (is_there(generator_limited)) return "edagen began ops too late, which may be why";
  if (is_there(interrupted)) return "the run was ended before its time, which may be why";
  return !is_of_load && is_there(target_not_reached) ? "the target was not reached, which may be why" : "";
}

std::string reason_lines(const std::vector<Invalid>& reasons, const Result& result, const PointFigures* point,
                         const AnswerFigures* answer) {
  std::string text;
  for (const Invalid reason : reasons)
    text += fmt::format("  INVALID: {}: {}: {}\n", to_string(reason),
                        point ? what_happened(reason, result, *point, answer) : words_of(reason).what,
                        remedy(reason, result, point, answer));
  return text;
}

std::string bare_reason_lines(const std::vector<Invalid>& reasons, const Result& result, const PointFigures& point) {
  std::string text;
  for (const Invalid reason : reasons)
    text += fmt::format("  INVALID: {}: {}\n", to_string(reason), figures_of(reason, result, point, nullptr));
  return text;
}

std::string reason_lines_behind(const std::string& limit, const std::vector<Invalid>& reasons, const Result& result,
                                const PointFigures& point, const AnswerFigures& answer) {
  using enum Invalid;
  const auto is_explained = [&](Invalid reason) {
    return reason == not_demonstrated || (reason == imprecise && !is_narrow(answer));
  };
  if (limit.empty() || std::ranges::none_of(reasons, is_explained))
    return reason_lines(reasons, result, &point, &answer);
  std::string text = limit;
  for (const Invalid reason : reasons)
    text += is_explained(reason)
                ? fmt::format("  INVALID: {}: {}\n", to_string(reason), figures_of(reason, result, point, &answer))
                : reason_lines({reason}, result, &point, &answer);
  return text;
}

std::string which_points(std::size_t count, std::size_t all, const Result& result, const PointFigures& first) {
  const bool are_repeats = result.series && !result.series->parameter;
  const std::string series = series_name(result, first);
  const double requested = first.requested_ops_per_sec.value_or(0);
  const std::string rate = requested > 0 ? per_second(requested) : rate_cell(first);
  const std::string name = series.empty() ? "at " + rate + " ops/s" : series;
  return fmt::format("  {} of {} {}{}:\n", count, all, are_repeats ? "repeats" : "load points",
                     count == 1 ? " (" + name + ")" : ", the first of them " + name);
}

std::string reason_lines(const std::vector<const PointFigures*>& points, std::size_t all, const Result& result) {
  std::map<Invalid, std::pair<std::size_t, const PointFigures*>> invalid;
  for (const PointFigures* const point : points)
    for (const Invalid reason : point->invalid) {
      auto& [count, first] = invalid[reason];
      if (count++ == 0) first = point;
    }
  std::string text, last;
  for (const auto& [reason, found] : invalid) {
    const std::string which = which_points(found.first, all, result, *found.second);
    text += (which == last ? "" : which) + reason_lines({reason}, result, found.second);
    last = which;
  }
  return text;
}

std::string series_name(const Result& result, const PointFigures& point) {
  if (!result.series) return "";
  const auto& [parameter, points] = *result.series;
  std::string repeat = fmt::format("repeat {}", point.repeat);
  if (!parameter) return repeat;
  const std::string value = fmt::format("{} {:g}", *parameter, point.sweep_value);
  return std::ranges::any_of(points, [](const SeriesPoint& each) { return each.repeats > 1; }) ? value + ", " + repeat
                                                                                               : value;
}

std::string remedy_of_bounds(const std::vector<BoundCause>& causes) {
  std::vector<const char*> remedies;
  for (const BoundCause cause : causes) remedies.push_back(remedy_of(cause));
  return fmt::format("{}", fmt::join(remedies, "; "));
}

}  // namespace edagen
