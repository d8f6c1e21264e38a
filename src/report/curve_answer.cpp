#include "report/curve_answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "edagen/units.hpp"
#include "report/curve_points.hpp"
#include "report/late_host_text.hpp"
#include "report/limit_text.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/reason_text.hpp"
#include "report/stall_text.hpp"
#include "result/bound_cause.hpp"
#include "result/flaw.hpp"

namespace edagen {
namespace {

bool is_search(const Result& result) { return result.load_points.front().purpose != Purpose::load_point; }

double lowest_rate(const Result& result) {
  double lowest = result.load_points.front().requested_ops_per_sec.value_or(0);
  for (const PointFigures& point : result.load_points)
    lowest = std::min(lowest, point.requested_ops_per_sec.value_or(lowest));
  return lowest;
}

/// One that the answer rests on.
const PointFigures& nearest_point(const Result& result, double rate) {
  const auto distance = [&](const PointFigures& point) {
    return std::pair(point.purpose == Purpose::shape, std::abs(point.achieved_ops_per_sec - rate));
  };
  return *std::ranges::min_element(result.load_points, {}, distance);
}

/// The point nearest to the answer, of those that show that this host was the limit when there are any.
const PointFigures& point_at_limit_of_host(const Result& result, double rate) {
  const auto distance = [&](const PointFigures& point) {
    const bool shows_it = point.is_invalid_for(Invalid::generator_limited) || !busy_host_text(result, point).empty();
    return std::tuple(point.purpose == Purpose::shape, !shows_it, std::abs(point.achieved_ops_per_sec - rate));
  };
  return *std::ranges::min_element(result.load_points, {}, distance);
}

std::string limit_text(const Result& result, const AnswerFigures& answer) {
  switch (bound_cause(result, answer)) {
    case BoundCause::job_sets:
      return "with all job sets at work the latency is still below the target: add job sets (--job-sets)";
    case BoundCause::points:
      return fmt::format("the highest of the points given is {} ops/s, and none is over the target: take {}",
                         per_second(result.load_points.back().requested_ops_per_sec.value_or(0)),
                         remedy_of_bounds({BoundCause::points}));
    case BoundCause::max_rate:
      return "at the highest rate that was asked for the latency is still below the target: raise --max-rate";
    case BoundCause::early_end: return "it was ended before a higher rate was measured";
    case BoundCause::search_time:
      return "the search ended before it tried a higher rate: give it longer (--search-time)";
    case BoundCause::procs: return "all procs are busy: use more procs (--job-sets) to find the limit of the storage";
    case BoundCause::host: break;
  }
  const PointFigures& limited = point_at_limit_of_host(result, answer.ops_per_sec);
  const std::string used = busy_host_text(result, limited, result.host.cpus == 1 ? "it" : "them");
  const std::string host = limited.hosts.empty() ? "this host is the limit: " : "a host is the limit: ";
  if (is_throttled(result, limited)) return host + throttled_text(limited.throttled_share);
  const bool paused = std::ranges::any_of(
      result.load_points, [](const PointFigures& point) { return point.is_invalid_for(Invalid::generator_paused); });
  if (paused && used.empty() && !limited.is_invalid_for(Invalid::generator_limited))
    return host + "edagen was paused while it measured";
  return fmt::format("{}{}{}, and the generator's own delay is {} ms at {} ops/s", host,
                     busy_processors_text(result, limited, "its "), used.empty() ? "" : fmt::format(" ({})", used),
                     ms(limited.generator_lag.mean), rate_cell(limited));
}

std::string volume_sustains(const Result& result) {
  const bool are_several = !result.target.model && result.target.mounts.size() > 1 && result.clients > 1;
  return volume_name(result) + (are_several ? " sustain" : " sustains");
}

std::string rates_text(const AnswerFigures& answer) {
  return fmt::format("{} ops/s and {} MiB/s", per_second(answer.ops_per_sec), format_mib(answer.mib_per_sec));
}

std::string demonstration_text(const Result& result, const AnswerFigures& answer) {
  const PointFigures* const shown = result.demonstration(answer);
  if (!shown) return "";
  const bool is_below = std::ranges::find(answer.invalid, Invalid::not_demonstrated) != answer.invalid.end();
  return fmt::format("  demonstrated{}: {} ops/s for {}, at {} ms\n", is_below ? " below it" : "",
                     per_second(answer.demonstrated->ops_per_sec),
                     format_duration(from_seconds(shown->seconds.count())), ms(answer.demonstrated->latency));
}

/// Without a remedy, as another one stands beside it.
std::string interrupted_line(const Result& result, const PointFigures& point) {
  return bare_reason_lines({Invalid::interrupted}, result, point);
}

/// What ended the load before its time, with the figures of the load point in which it did; "" when nothing did.
/// `is_limited`: a limit that has a remedy stands beside it, and to run it again would not mend that.
std::string ends_text(const Result& result, const AnswerFigures& answer, bool is_limited = false) {
  if (!answer.is_open() && !has_flaw(answer.invalid, {Flaw::cut_short})) return "";
  for (const PointFigures& point : result.load_points) {
    if (!has_flaw(point.invalid, {Flaw::cut_short})) continue;
    std::vector<Invalid> reasons = point.invalid;
    const bool by_errors = point.is_invalid_for(Invalid::too_many_errors);
    std::erase_if(reasons, [&](Invalid reason) {
      return flaw_of(reason) != Flaw::cut_short && !(reason == Invalid::errors && by_errors);
    });
    const bool interrupted = is_limited && std::erase(reasons, Invalid::interrupted) > 0;
    return reason_lines(reasons, result, &point) + (interrupted ? interrupted_line(result, point) : "");
  }
  return "";
}

/// ": imprecise, not_demonstrated", at the end of a first line; "" without reasons.
std::string names_behind(const std::vector<Invalid>& reasons) {
  return reasons.empty() ? "" : ": " + reason_names(reasons);
}

/// The load point with the lowest latency, which decides that no load meets the target; an overload where there is
/// nothing else.
const PointFigures& fastest_point(const Result& result, const AnswerFigures& answer) {
  const double rate = answer.lowest_latency_ops_per_sec.value_or(0);
  return *std::ranges::min_element(result.load_points, {}, [&](const PointFigures& point) {
    return std::tuple(!point.has_response(), is_overload(point.invalid),
                      rate > 0 ? std::abs(point.requested_ops_per_sec.value_or(0) - rate) : 0, point.statistic.value);
  });
}

/// "2.30 ms, at 500 ops/s"; "> 2,000 ms, at 500 ops/s" where ops had not ended.
std::string lowest_latency_text(const AnswerFigures& answer, const PointFigures& fastest) {
  const bool is_bound = answer.statistic == "mean" && fastest.is_response_bound();
  const std::optional<double>& rate = answer.lowest_latency_ops_per_sec;
  return fmt::format("{}{} ms{}", is_bound ? "> " : "", ms(*answer.lowest_latency),
                     rate ? fmt::format(", at {} ops/s", per_second(*rate)) : "");
}

/// No load met the target, and it is not known that none does.
std::string not_known_text(const Result& result, const AnswerFigures& answer) {
  const std::string subject =
      fmt::format("{}Cannot tell whether {} {} at {}: ", answer.valid() ? "" : "INVALID: ", volume_sustains(result),
                  result.workload.name, target_name(answer));
  const bool interrupted = result.status == Status::interrupted;
  const std::string ends = interrupted ? "" : ends_text(result, answer);
  const std::string names = names_behind(answer.invalid);
  const PointFigures& fastest = fastest_point(result, answer);
  const std::string lowest = answer.lowest_latency ? lowest_latency_text(answer, fastest) : "";
  if (!is_search(result))
    return fmt::format("{}the load points that might meet it have no figures{}\n{}{}", subject, names,
                       lowest.empty() ? "" : "  the lowest latency of the others is " + lowest + "\n", ends);
  const std::string latency = lowest.empty() ? "" : ", and the lowest latency " + lowest;
  const bool may_be_met = answer.lowest_latency && !is_overload(fastest.invalid);
  const std::string remedy = fmt::format("; a longer search (--search-time){} shows more",
                                         may_be_met ? " or a latency target above that latency" : "");
  return subject +
         fmt::format("the search {} before a load met it{}\n  the lowest rate tried was {} ops/s{}{}\n",
                     interrupted ? "was interrupted" : "ended", names, per_second(lowest_rate(result)), latency,
                     interrupted || !ends.empty() ? "" : remedy) +
         ends;
}

/// Loads that met the target although none does any more: the volume was faster then. At the lowest rate, that may be
/// chance. "" without such loads.
std::string once_met_text(const Result& result, const AnswerFigures& answer) {
  std::size_t all = 0, met = 0;
  const PointFigures* fastest = nullptr;
  for (const PointFigures& point : result.load_points) {
    if (!point.has_response()) continue;
    ++all;
    if (!point.valid() || point.statistic.value > answer.target) continue;
    if (point.requested_ops_per_sec.value_or(0) <= lowest_rate(result)) continue;
    ++met;
    if (!fastest || point.statistic.value < fastest->statistic.value) fastest = &point;
  }
  if (!fastest) return "";
  return fmt::format(
      "  earlier in the search {} of {} loads met it ({} ms at {} ops/s), and none since: search again\n", met, all,
      ms(fastest->statistic.value), per_second(*fastest->requested_ops_per_sec));
}

/// What to do where no load meets the target.
std::string unmet_remedy(const Result& result, const AnswerFigures& answer, const PointFigures& fastest) {
  std::vector<std::string> remedies;
  if (answer.lowest_latency && !is_overload(fastest.invalid))
    remedies.push_back(fmt::format("a latency target above {} ms (--latency-target)", ms(*answer.lowest_latency)));
  if (!is_search(result)) remedies.emplace_back("lower --points");
  return remedies.empty() ? "" : fmt::format("  take {}\n", fmt::join(remedies, ", or "));
}

std::string not_met_text(const Result& result, const AnswerFigures& answer) {
  const PointFigures& fastest = fastest_point(result, answer);
  const std::string lowest =
      answer.lowest_latency ? "; the lowest latency is " + lowest_latency_text(answer, fastest) : "";
  const char* const none = !is_search(result)                           ? "None of these load points meets"
                           : result.load_points.front().active_job_sets ? "Not even one job set meets"
                                                                        : "No load meets";
  const std::vector<Invalid> others = other_reasons(answer);
  return fmt::format("{}{} {} on {} ({}){}{}\n", others.empty() ? "" : "INVALID: ", none, target_name(answer),
                     volume_name(result), result.workload.name, lowest, names_behind(others)) +
         reason_lines(others, result, &fastest) + (is_search(result) ? once_met_text(result, answer) : "") +
         (others.empty() ? unmet_remedy(result, answer, fastest) : "");
}

/// Nothing is known of the storage but that it is not the limit.
std::string host_limited_text(const Result& result, const AnswerFigures& answer) {
  using enum Invalid;
  const PointFigures& limited = point_at_limit_of_host(result, answer.ops_per_sec);
  const bool shows_why = limited.is_invalid_for(generator_limited) || !busy_host_text(result, limited).empty();
  std::vector<Invalid> explained, others;  // by the first line
  for (const Invalid reason : answer.invalid) {
    const bool is_explained =
        reason == imprecise || reason == not_demonstrated || (reason == generator_limited && shows_why);
    (is_explained ? explained : others).push_back(reason);
  }
  const bool is_cut_off = std::erase(others, interrupted) > 0;  // another run would meet the same limit
  const std::string same =
      explained.empty() ? ""
                        : fmt::format("  INVALID: {}: {}\n", reason_names(explained), host_remedy(result, limited));
  return fmt::format("INVALID: {}\n  the rate of {} on {} at {} is not known\n", limit_text(result, answer),
                     result.workload.name, volume_name(result), target_name(answer)) +
         same + reason_lines(others, result, &limited, &answer) +
         (is_cut_off ? interrupted_line(result, limited) : "") + demonstration_text(result, answer);
}

/// A line, where there is an interval.
std::string interval_text(const Result& result, const AnswerFigures& answer) {
  if (!answer.confidence_95) return "";
  const auto& [low, high] = *answer.confidence_95;
  if (!is_search(result))
    return fmt::format("  between the load points at {} and {} ops/s\n", per_second(low), per_second(high));
  return fmt::format("  95 % confidence interval {} to {} ops/s (±{})\n", per_second(low), per_second(high),
                     percent_text((high - low) / 2 / answer.ops_per_sec));
}

/// Only whole ones can be offered.
std::string job_sets_text(const Result& result, const AnswerFigures& answer) {
  const PointFigures& first = result.load_points.front();
  if (!is_search(result) || !first.active_job_sets || !first.requested_ops_per_sec) return "";
  const double each = *first.requested_ops_per_sec / static_cast<double>(*first.active_job_sets);
  const auto below = static_cast<std::uint64_t>(answer.ops_per_sec / each * (1 + 1e-9));
  return fmt::format("  between {} and {} of {} ops/s each\n", below, counted(below + 1, "job set"), per_second(each));
}

/// The answer in a sentence, which claims nothing that is invalid.
std::string headline(const Result& result, const AnswerFigures& answer) {
  const std::string least = answer.limit ? "at least " : answer.valid() ? "" : "about ";
  const std::string figures =
      fmt::format("{}{} of {} at {}", least, rates_text(answer), result.workload.name, target_name(answer));
  if (answer.valid()) return fmt::format("{} {}\n", volume_sustains(result), figures);
  return fmt::format("INVALID: {} on {}{}\n", figures, volume_name(result), names_behind(answer.invalid));
}

/// The load point of full length that was to demonstrate the rate, or else the nearest one.
const PointFigures& judged_point(const Result& result, const AnswerFigures& answer) {
  if (const PointFigures* const shown = result.demonstration(answer)) return *shown;
  const PointFigures* nearest = nullptr;
  const auto distance = [&](const PointFigures& point) {
    return std::abs(point.requested_ops_per_sec.value_or(0) - answer.ops_per_sec);
  };
  for (const PointFigures& point : result.load_points)
    if (point.purpose == Purpose::demonstration && (!nearest || distance(point) < distance(*nearest))) nearest = &point;
  return nearest ? *nearest : nearest_point(result, answer.ops_per_sec);
}

/// The answer has what ended the load before its time.
bool has_end(const Result& result, const AnswerFigures& answer) {
  if (answer.is_open() && answer.limit != RateLimit::host) return result.status != Status::interrupted;
  return has_flaw(answer.invalid, {Flaw::cut_short});
}

}  // namespace

std::string target_name(const AnswerFigures& answer) {
  return fmt::format("{:g} ms {} {}", answer.target.count(), answer.statistic, answer.latency);
}

std::vector<Invalid> other_reasons(const AnswerFigures& answer) {
  std::vector<Invalid> others = answer.invalid;
  std::erase(others, Invalid::no_load_meets_target);
  return others;
}

std::string curve_answer_text(const Result& result, const AnswerFigures& answer) {
  if (answer.limit == RateLimit::host) return host_limited_text(result, answer);
  if (answer.is_open()) return not_known_text(result, answer);
  if (!answer.met) return not_met_text(result, answer);
  const PointFigures& judged = judged_point(result, answer);
  std::vector<Invalid> reasons = answer.invalid;
  const std::string bound = answer.limit ? fmt::format("  a lower bound: {}\n", limit_text(result, answer)) : "";
  if (answer.limit) std::erase(reasons, Invalid::target_not_reached);  // which is what was said
  const bool has_remedy = answer.limit && answer.limit != RateLimit::search_time;
  const std::string ends = ends_text(result, answer, has_remedy);
  if (!ends.empty()) std::erase_if(reasons, [](Invalid reason) { return flaw_of(reason) == Flaw::cut_short; });
  // A search that ended too early, or procs that are all busy, are why the rest is wrong, too, unless this host is.
  const bool has_one_remedy = (answer.limit == RateLimit::search_time || answer.limit == RateLimit::procs) &&
                              !has_flaw(judged.invalid, {Flaw::generator});
  const std::string limit = has_one_remedy ? bound : !ends.empty() ? "" : limit_line(result, judged);
  const std::string lines = reason_lines_behind(limit, reasons, result, judged, answer);
  const std::string text = headline(result, answer) + ends + (lines.starts_with(bound) ? "" : bound) + lines;
  const bool is_named = !ends.empty() || answer.limit == RateLimit::procs ||
                        (!has_one_remedy && !limit.empty() && text.find(limit) != std::string::npos);
  const std::string interval = answer.limit ? "" : interval_text(result, answer) + job_sets_text(result, answer);
  return text + interval + demonstration_text(result, answer) + (is_named ? "" : waiting_line(result, judged));
}

std::string invalid_points_text(const Result& result, const std::string& said) {
  const std::vector<AnswerFigures>& answers = result.at_latency_target;
  if (answers.empty() || is_search(result)) return "";
  const double highest = std::ranges::max(answers, {}, &AnswerFigures::ops_per_sec).ops_per_sec;
  const bool is_end_named = std::ranges::any_of(answers, [&](const auto& answer) { return has_end(result, answer); });
  std::vector<const PointFigures*> points;
  std::size_t all = 0;
  for (const PointFigures& point : result.load_points) {
    if (point.operations > 0 && point.requested_ops_per_sec.value_or(0) > highest) continue;
    ++all;
    if (!is_end_named || !has_flaw(point.invalid, {Flaw::cut_short})) points.push_back(&point);
  }
  std::string text = reason_lines(points, all, result);
  for (const PointFigures* const point : points) {
    if (point->valid() || !has_stalled_time(*point)) continue;
    if (const std::string stall = stalled_time_line(*point); said.find(stall) == std::string::npos)
      text += which_points(1, all, result, *point) + stall;
  }
  return text;
}

}  // namespace edagen
