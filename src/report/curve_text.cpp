#include "report/curve_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/beside_text.hpp"
#include "report/curve_answer.hpp"
#include "report/curve_plot.hpp"
#include "report/curve_points.hpp"
#include "report/hosts_text.hpp"
#include "report/mounts_text.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/wrapped_text.hpp"
#include "result/validity_limits.hpp"

namespace edagen {
namespace {

/// Why points are invalid, each reason once, in the order in which they come.
std::vector<Invalid> reasons_once(const std::vector<const PointFigures*>& points) {
  std::vector<Invalid> reasons;
  for (const PointFigures* const point : points)
    for (const Invalid reason : point->invalid)
      if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(reason);
  return reasons;
}

/// The table of load points, and what else is to be said of them.
std::string point_text(const Result& result, bool search_blocks) {
  std::vector<const PointFigures*> shown;
  for (const PointFigures& point : result.load_points)
    if (search_blocks || !is_block(point.purpose)) shown.push_back(&point);
  const std::size_t hidden = result.load_points.size() - shown.size();
  std::string text = load_points_title(result) + "\n";
  if (!shown.empty()) text += load_point_table(result, shown).str(2);
  const std::vector<Invalid> reasons = reasons_once(shown);
  std::string names = "  no:";
  for (std::size_t i = 0; i < reasons.size(); ++i)
    names += fmt::format("{} {} = {}", i > 0 ? "," : "", i + 1, to_string(reasons[i]));
  if (!reasons.empty()) text += wrapped(names, 6);
  if (const std::string busy = busy_points_text(result, shown); !busy.empty()) text += wrapped("  " + busy, 4);
  if (hidden > 0)
    text +=
        fmt::format("  {}{} of the search (-v shows them)\n", shown.empty() ? "" : "and ", counted(hidden, "block"));
  return text;
}

/// The form in which published figures stand.
std::string answer_table(const Result& result) {
  const std::vector<AnswerFigures>& answers = result.at_latency_target;
  const bool one = answers.size() == 1;
  const auto named = [](const AnswerFigures& answer) {
    return fmt::format("{:g} ms{}{}", answer.target.count(), answer.statistic == "mean" ? "" : " " + answer.statistic,
                       answer.latency == "response" ? "" : " " + answer.latency);
  };
  std::vector<Column> heads = {"Scenario"};
  if (one) heads.insert(heads.end(), {"I/O rate at " + named(answers[0]), "MiB/s at " + named(answers[0])});
  else heads.insert(heads.end(), {"at", "I/O rate", "MiB/s"});
  TextTable table(heads);
  for (const AnswerFigures& answer : answers) {
    const bool is_doubtful = answer.met ? !answer.valid() : !other_reasons(answer).empty();
    const bool is_invalid = is_doubtful && !answer.is_open() && answer.limit != RateLimit::host;
    const auto [rate, mib] = answer_cells(result, answer);
    std::vector<Cell> row = {&answer == &answers.front() ? scenario(result) : ""};
    if (!one) row.emplace_back(named(answer));
    row.emplace_back(rate + (is_invalid ? " INVALID" : ""));
    row.emplace_back(mib);
    table.add(row);
  }
  return table.str();
}

}  // namespace

std::string point_name(const Result& result, const PointFigures& point) {
  // A sweep that was killed has no series: the name of its parameter is not known.
  const auto any = [&](auto is) { return has_ended(point) && std::ranges::any_of(result.load_points, is); };
  const bool swept = any([&](const PointFigures& each) {
    return each.sweep_value != 0 || (result.series && result.series->parameter);  // read-percent 0
  });
  const std::string parameter = result.series ? result.series->parameter.value_or("sweep") : "sweep";
  std::string name =
      swept ? fmt::format("{} {:g}", parameter, point.sweep_value) : std::string(to_string(point.purpose));
  if (any([](const PointFigures& each) { return each.repeat > 1; })) name += fmt::format(", repeat {}", point.repeat);
  return name + (point.active_job_sets ? ", " + counted(*point.active_job_sets, "job set") : "");
}

std::string load_points_title(const Result& result) {
  return std::string("Load points, ops/s and latency in ms (response)") + (result.simulated() ? ", simulated" : "");
}

TextTable load_point_table(const Result& result, const std::vector<const PointFigures*>& points) {
  const std::vector<Invalid> reasons = reasons_once(points);  // a terminal's row has their numbers: names are too long
  constexpr Shown page = Shown::on_page, text = Shown::in_text;
  TextTable table({"purpose",
                   "requested",
                   "achieved",
                   "mean",
                   "service",
                   {"p50", page},
                   {"p95", page},
                   "p99",
                   {"p99.9", page},
                   "MiB/s",
                   {"seconds", page},
                   {"valid", text},
                   {"valid run", page}},
                  {0, 11});
  for (const PointFigures* const point : points) {
    const LatencyFigures& latency = point->latency.response;
    const auto percentile = [&](Millis time, double above) {
      return has_ended(*point) ? response_cell(*point, time, above) : "";
    };
    std::string numbers = point->valid() ? "yes" : "no:";
    for (const Invalid reason : point->invalid)
      numbers += fmt::format(" {}", std::ranges::find(reasons, reason) - reasons.begin() + 1);
    table.add({point_name(result, *point), requested_cell(*point), rate_cell(*point),
               response_cell(*point, latency.mean), service_cell(*point, point->latency.service.mean),
               percentile(latency.p50, 0.5), percentile(latency.p95, 0.05), percentile(latency.p99, 0.01),
               percentile(latency.p99_9, 0.001), mib_cell(*point), short_text(point->seconds.count()), numbers,
               validity_cell(point->invalid)});
  }
  return table;
}

std::string busy_points_text(const Result& result, const std::vector<const PointFigures*>& points) {
  constexpr std::size_t most_named = 4;
  std::vector<double> rates;
  bool are_several_hosts = false;
  for (const PointFigures* const point : points) {
    if (is_block(point->purpose) || !point->requested_ops_per_sec || !point->has_figures()) continue;
    if (result.simulated() || point->host_busy < validity_limits::all_busy_share) continue;
    rates.push_back(*point->requested_ops_per_sec);
    are_several_hosts |= !point->hosts.empty();
  }
  if (rates.empty()) return "";
  std::ranges::sort(rates);
  std::string which =
      fmt::format("{} load points from {} to {}", rates.size(), per_second(rates.front()), per_second(rates.back()));
  if (rates.size() <= most_named) {
    which.clear();
    for (const double rate : rates) which += (which.empty() ? "" : ", ") + per_second(rate);
  }
  const char* const host = are_several_hosts ? "a host" : "this host";
  return fmt::format("At {} ops/s {}'s {} {:.0f} % busy or more: the latency there may be {}'s, and not the storage's",
                     which, host, result.host.cpus == 1 && !are_several_hosts ? "processor was" : "processors were",
                     100 * validity_limits::all_busy_share, host);
}

std::string overall_response_time_text(const Result& result) {
  const bool of_blocks = std::ranges::none_of(result.load_points, is_of_line, &PointFigures::purpose);
  const AnswerFigures answer = result.at_latency_target.empty() ? AnswerFigures() : result.at_latency_target.front();
  const bool of_mean = answer.statistic == "mean";
  const std::string of =
      of_mean && answer.latency == "response" ? "" : fmt::format(", {} {}", answer.statistic, answer.latency);
  return fmt::format("Overall response time {} ms{} ({}{}{})", ms(*result.ort), of, result.ort_variant,
                     of_mean ? "" : "; published ones are of means",
                     of_blocks ? "; of the blocks of a search: not comparable" : "");
}

std::pair<std::string, std::string> answer_cells(const Result& result, const AnswerFigures& answer) {
  const auto has_hosts = [](const PointFigures& point) { return !point.hosts.empty(); };
  const bool are_several_hosts = std::ranges::any_of(result.load_points, has_hosts);
  if (answer.limit == RateLimit::host)
    return {are_several_hosts ? "a host is the limit" : "this host is the limit", ""};
  if (answer.is_open()) return {"not known", ""};
  if (!answer.met) return {"none", "none"};
  const char* const least = answer.limit ? "> " : "";
  return {least + per_second(answer.ops_per_sec), least + format_mib(answer.mib_per_sec)};
}

std::string curve_text(const Result& result, bool search_blocks, const std::vector<LoadTable>& beside) {
  const std::vector<AnswerFigures>& answers = result.at_latency_target;
  std::string text;
  if (answers.empty() && result.status != Status::incomplete)
    text = "The curve was not finished: the rate at its target is not known\n";
  for (const AnswerFigures& answer : answers) text += curve_answer_text(result, answer);
  text += invalid_points_text(result, text);
  const PointFigures* const shown = answers.empty() ? nullptr : result.demonstration(answers.front());
  if (shown)
    text += fmt::format("\nThe load point of {} ops/s:\n{}\n  Response by kind of op, in ms\n{}{}{}{}",
                        per_second(answers.front().demonstrated->ops_per_sec), latency_parts(*shown),
                        op_table(*shown).str(2), mounts_text(*shown), nfs_text(*shown), hosts_text(*shown));
  text += "\n" + point_text(result, search_blocks);
  if (!is_series(result)) text += curve_plot(result, plots_means(result) ? beside : std::vector<LoadTable>());
  if (result.ort) text += overall_response_time_text(result) + "\n";
  text += beside_text(beside, result) + origin_text(result);
  return answers.empty() ? text : text + "\n" + answer_table(result);
}

}  // namespace edagen
