#include "report/html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/embedded.hpp"
#include "base/words.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/beside_text.hpp"
#include "report/comparison_page.hpp"
#include "report/curve_answer.hpp"
#include "report/curve_points.hpp"
#include "report/curve_ratio.hpp"
#include "report/curve_text.hpp"
#include "report/curves_page.hpp"
#include "report/late_host_text.hpp"
#include "report/number_text.hpp"
#include "report/point_page.hpp"
#include "report/point_text.hpp"
#include "report/series_text.hpp"
#include "report/shared_notes.hpp"
#include "report/terminal.hpp"
#include "result/escaped_text.hpp"

namespace edagen {
namespace {

void replace_once(std::string& text, std::string_view mark, std::string_view with) {
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
}

/// JSON inside a script element must hold neither "</script" nor "<!--" (HTML, 4.12.1.3); it has "<" in texts alone,
/// where JSON may escape it. The page itself shows texts as texts (textContent).
std::string safe_in_script(const std::string& json) { return replaced(json, "<", "\\u003c"); }

/// Text between tags.
std::string safe_in_element(const std::string& text) {
  return replaced(replaced(one_line(text), "&", "&amp;"), "<", "&lt;");
}

/// "edagen curve: eda_mixed, 10 clients on /mnt/a, 2026-01-31T12:00:00Z"
std::string title_of(const Result& result) {
  const bool named = result.command.size() > 1 && !result.command[1].starts_with("-");
  return fmt::format("edagen {}: {}, {}", named ? result.command[1] : "run", scenario(result), result.started_at);
}

/// "edagen compare: eda_mixed, regular (sim:regular), large (sim:large), 2026-01-31T12:00:00Z"
std::string title_of(const ComparisonResult& comparison) {
  std::vector<std::string> parts;
  for (const VariantFigures& variant : comparison.variants) {
    if (parts.empty() && variant.last_run) parts.push_back(variant.last_run->workload.name);
    parts.push_back(fmt::format("{} ({})", variant.name, variant.what));
  }
  parts.push_back(comparison.started_at);
  return fmt::format("edagen compare: {}", fmt::join(parts, ", "));
}

using Results = std::vector<Result>;
using Points = std::vector<const PointFigures*>;

bool is_full(const PointFigures* point) { return !is_block(point->purpose); }

/// The load point that shows a result best: what demonstrates its answer; else the nearest one to the answer, rather of
/// full length than of its line, and rather of the line than a block; the last one of a run.
std::size_t chosen_point(const Result& result) {
  const std::vector<PointFigures>& points = result.load_points;
  if (result.at_latency_target.empty()) return points.size() - 1;
  const AnswerFigures& answer = result.at_latency_target.front();
  if (answer.demonstrated) return answer.demonstrated->load_point;
  const auto distance = [&](const PointFigures& point) {
    const int rank = is_block(point.purpose) ? 2 : point.purpose == Purpose::shape ? 1 : 0;
    return std::pair(rank, std::abs(point.achieved_ops_per_sec - answer.ops_per_sec));
  };
  return static_cast<std::size_t>(std::ranges::min_element(points, {}, distance) - points.begin());
}

std::string rates_cell(const Result& result, const AnswerFigures& answer) {
  if (!answer.met || answer.is_open() || answer.limit == RateLimit::host)
    return answer.lowest_latency ? fmt::format("lowest latency {} ms", ms(*answer.lowest_latency)) : "";
  if (answer.limit) return "none: lower bound";
  if (!answer.confidence_95) return "-";
  return fmt::format("{}{} to {}", are_fixed(result.load_points) ? "none: load points " : "",
                     per_second(answer.confidence_95->front()), per_second(answer.confidence_95->back()));
}

std::string demonstration_cell(const AnswerFigures& answer) {
  if (!answer.met || answer.is_open() || answer.limit == RateLimit::host) return "";
  if (!answer.demonstrated) return "no";
  return fmt::format("{} at {} ms", per_second(answer.demonstrated->ops_per_sec), ms(answer.demonstrated->latency));
}

/// A row for each answer of each result, or for the load point of a run.
void add_answers(Document& blocks, const Results& results) {
  const bool many = results.size() > 1;
  const bool searched =
      std::ranges::any_of(results, [](const Result& result) { return !result.at_latency_target.empty(); });
  const Shown of_search = searched ? Shown::on_page : Shown::in_text;
  TextTable table({{"result", many ? Shown::on_page : Shown::in_text},
                   searched ? "latency target" : "mean response",
                   "I/O rate, ops/s",
                   {"95 % confidence", of_search},
                   {"demonstrated, ops/s", of_search},
                   "MiB/s",
                   "valid"});
  for (const Result& result : results) {
    for (const AnswerFigures& answer : result.at_latency_target) {
      const auto [rate, mib] = answer_cells(result, answer);
      table.add({scenario(result), target_name(answer), rate, rates_cell(result, answer), demonstration_cell(answer),
                 mib, validity_cell(answer.invalid)});
    }
    if (!result.at_latency_target.empty() || result.series || result.load_points.empty()) continue;
    const PointFigures& point = result.load_points.back();
    const std::string response = response_cell(point, point.latency.response.mean) + " ms";
    table.add({scenario(result), searched ? "no target; " + response : response, rate_cell(point), "", "",
               mib_cell(point), validity_cell(point.invalid)});
  }
  if (!table.empty()) blocks.push_back(table.block(many ? "answer many" : "answer"));
}

bool is_valid(const Result& result) {
  const auto is_one = [](const auto& each) { return each.valid(); };
  return result.status == Status::complete &&
         (result.at_latency_target.empty() ? std::ranges::all_of(result.load_points, is_one)
                                           : std::ranges::all_of(result.at_latency_target, is_one));
}

/// Several results in a sentence: which of those with a valid answer sustains most at the target that all have.
Document together(const Results& results) {
  std::vector<const Result*> met;
  const auto name = [](const Result& result) {
    return result.at_latency_target.empty() ? "" : target_name(result.at_latency_target.front());
  };
  const std::string target = name(results.front());
  const bool same =
      std::ranges::all_of(results, [&](const Result& result) { return !target.empty() && name(result) == target; });
  for (const Result& result : results)
    if (same && result.at_latency_target.front().met && result.at_latency_target.front().valid())
      met.push_back(&result);
  const auto valid = std::ranges::count_if(results, is_valid);
  const std::string counts = fmt::format("{}, {} valid", counted(results.size(), "result"),
                                         static_cast<std::size_t>(valid) == results.size() ? "all"
                                         : valid > 0                                       ? std::to_string(valid)
                                                                                           : "none");
  if (met.size() < 2) return {{"verdict", {counts, ""}}};
  const auto rate = [](const Result* result) { return result->at_latency_target.front().ops_per_sec; };
  const auto [least, most] = std::ranges::minmax_element(met, {}, rate);
  const auto told = [&](const Result* result) {
    return fmt::format("{} sustains {} ops/s", scenario(*result), per_second(rate(result)));
  };
  const double ratio = rate(*most) / rate(*least);
  return {
      {"verdict", list_of(fmt::format("At {} {}, {} the least: {}", target, told(*most),
                                      ratio < 2 ? signed_percent(ratio - 1) + " over" : value_text(ratio) + " times",
                                      told(*least)),
                          counts)}};
}

/// The sentences about a result before its charts.
void add_summary(Document& blocks, const Result& result) {
  const std::string text = result_text(result);
  blocks.push_back(verdict_block(text));
  if (result.simulated()) blocks.push_back(paragraph("simulated: figures of a model, not of storage", "label"));
  if (const std::string status = status_text("run", result, text); !status.empty())
    blocks.push_back(paragraph(status, "bad"));
  for (const std::string& note : result.notes) blocks.push_back(note_block(note));
}

void add_series(Document& blocks, const Result& result) {
  const Series& series = *result.series;
  blocks.push_back(heading(series.parameter ? "By " + *series.parameter : "Repeats"));
  if (series.parameter) {
    Document sets = Document::array();
    const auto add = [&](const char* label, const char* axis, int colour, RepeatSummary SeriesPoint::*figure,
                         double width) {
      const Document means = array_of(series.points, [&](const SeriesPoint& point) { return (point.*figure).mean; });
      sets.push_back(line_set(label, axis, colour, means, width, 3));
    };
    add("ops/s", "ops/s", 0, &SeriesPoint::ops_per_sec, 2.5);
    add("MiB/s", "MiB/s", 2, &SeriesPoint::mib_per_sec, 1.2);
    add("mean response, ms", "ms", 1, &SeriesPoint::response_ms, 1.2);
    const Document values = array_of(series.points, [&](const SeriesPoint& point) {
      const bool valid = is_valid_at(result, point.value);
      return valid ? Document(point.value) : Document(fmt::format("{:g} INVALID", point.value));
    });
    blocks.push_back(line_chart(values, *series.parameter, sets));
  }
  blocks.push_back(series_table(result).block());
}

/// The mean response of each load point, in the parts that make it.
void add_time_parts(Document& blocks, const Result& result) {
  Points shown, full, line;
  for (const PointFigures& point : result.load_points)
    if (has_ended(point) && point.has_service()) {
      shown.push_back(&point);
      if (is_full(&point)) full.push_back(&point);
      if (is_of_line(point.purpose)) line.push_back(&point);
    }
  if (!full.empty()) shown = line.size() > 1 ? line : full;
  if (shown.empty()) return;
  const auto is_paused = [](const PointFigures* point) { return point->is_invalid_for(Invalid::generator_paused); };
  const auto own = [](const PointFigures& point) { return std::min(point.generator_lag.mean, point.latency.lag.mean); };
  const auto queue = [](const PointFigures& point) {  // of all RPCs of an op, which may overlap
    return point.nfs ? std::min(point.nfs->queue * point.nfs->rpcs_per_op, point.latency.service.mean) : Millis(0);
  };
  // No more than the service: RPCs beside the ops (write-back) may take longer than the ops do.
  const auto round_trip = [&](const PointFigures& point) {
    return point.nfs
               ? std::min(point.nfs->round_trip * point.nfs->rpcs_per_op, point.latency.service.mean - queue(point))
               : Millis(0);
  };
  Document sets = Document::array();
  const auto add = [&](const std::string& label, Document colour, auto of, bool of_paused = false) {
    sets.push_back(chart_set(label, std::move(colour), array_of(shown, [&](const PointFigures* point) {
                               return is_paused(point) == of_paused ? Document(of(*point).count()) : Document(nullptr);
                             })));
  };
  const bool nfs = std::ranges::any_of(shown, [](const PointFigures* point) { return point->nfs.has_value(); });
  if (nfs) {
    add("service: round trips (server and network)", 0, round_trip);
    add("service: queue in the client", 5, queue);
  }
  const std::string rest = std::string("the rest, in ") + host_or_hosts(*shown.front());
  add("service: " + (nfs ? rest : "the storage and its client"), nfs ? 2 : 0, [&](const PointFigures& point) {
    return std::max(Millis(0), point.latency.service.mean - round_trip(point) - queue(point));
  });
  add("wait for the busy proc", 1, wait_for_procs);
  add("the generator's own delay", 4, own);
  if (std::ranges::any_of(shown, is_paused))
    add(
        "not split: a pause of edagen is in it", "grey",
        [](const PointFigures& point) { return point.latency.response.mean; }, true);
  blocks.push_back(heading("Where the time goes"));
  const Document rates =
      array_of(shown, [](const PointFigures* point) { return rate_cell(*point) + (point->valid() ? "" : " INVALID"); });
  Document chart = bar_chart(rates, "mean response, ms", std::move(sets), /*stacked*/ true);
  chart["x"] = "achieved ops/s";
  blocks.push_back(std::move(chart));
}

void add_load_points(Document& blocks, const Result& result) {
  Points all, full, search;
  for (const PointFigures& point : result.load_points) {
    all.push_back(&point);
    (is_full(&point) ? full : search).push_back(&point);
  }
  blocks.push_back(heading(load_points_title(result)));
  if (!full.empty()) blocks.push_back(load_point_table(result, full).block());
  if (const std::string busy = busy_points_text(result, full); !busy.empty()) blocks.push_back(paragraph(busy, "bad"));
  if (!search.empty())
    blocks.push_back({{"details", counted(search.size(), "block") + " of the search"},
                      {"open", full.empty()},
                      {"blocks", list_of(load_point_table(result, search).block())}});
  add_time_parts(blocks, result);
  const Document options = array_of(all, [&](const PointFigures* point) {
    const std::string asked = requested_cell(*point);
    return point_name(result, *point) + (asked.empty() ? "" : ", " + asked + " ops/s requested");
  });
  const Document bodies = array_of(all, [&](const PointFigures* point) { return point_blocks(*point); });
  blocks.push_back(
      {{"choice", "One load point: "}, {"options", options}, {"chosen", chosen_point(result)}, {"bodies", bodies}});
}

Settings settings_of(const Result& result) {
  Settings settings(result.labels.begin(), result.labels.end());
  for (const Settings& more : {load_settings(result), origin_settings(result)})
    settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

void add_details(Document& blocks, const Result& result) {
  if (result.series) add_series(blocks, result);
  if (!result.load_points.empty()) add_load_points(blocks, result);
  Settings settings = settings_of(result);
  settings.emplace_back("command", fmt::format("{}", fmt::join(result.command, " ")));
  settings.emplace_back("time", fmt::format("{} to {}, {}", result.started_at,
                                            result.status == Status::incomplete ? "a time that is not known"
                                                                                : result.finished_at.value_or("-"),
                                            to_string(result.status)));
  blocks.push_back(heading("Environment"));
  blocks.push_back(settings_table(settings));
}

/// The kinds of op of several results, and what they were measured with.
void add_side_by_side(Document& blocks, const Results& results) {
  std::vector<std::pair<std::string, std::map<OpKind, Millis>>> means;
  std::vector<std::pair<std::string, Settings>> settings;
  for (const Result& result : results) {
    settings.emplace_back(fmt::format("result {}", settings.size() + 1), settings_of(result));
    if (result.load_points.empty()) continue;
    const PointFigures& point = result.load_points[chosen_point(result)];
    auto& [label, of_kinds] =
        means.emplace_back(fmt::format("{}, {} ops/s{}", scenario(result), rate_cell(point), invalid_mark(point)),
                           std::map<OpKind, Millis>());
    for (const auto& [kind, op] : point.ops)
      if (op.latency) of_kinds[kind] = op.latency->response.mean;
  }
  add_op_kinds(blocks, means);
  add_configurations(blocks, settings);
}

void add_curves_of(Document& blocks, const Results& results, const std::vector<LoadTable>& beside) {
  std::vector<NamedCurve> curves;
  for (const Result& result : results) {
    if (is_series(result) || result.load_points.size() < 2) continue;
    curves.push_back({scenario(result), variant_points(result), result.at_latency_target});
  }
  if (curves.empty()) return;
  if (std::ranges::all_of(results, plots_means))
    for (const LoadTable& table : beside) curves.push_back(curve_of(table));
  blocks.push_back(heading("Latency over I/O rate"));
  add_curves(blocks, curves);
  for (const Result& result : results) {
    if (mean_line(result).size() < 2) continue;
    for (const LoadTable& table : beside) {
      blocks.push_back(
          paragraph(fmt::format("{} (here) beside {} (there); here the {} between load points on a straight line",
                                scenario(result), one_line(table.name), mean_line_name(result)),
                    "dim"));
      blocks.push_back(beside_table(table, result).block());
    }
  }
}

/// All that a page shows of documents whose text is escaped.
Document page_blocks(std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons,
                     const std::vector<LoadTable>& beside) {
  Document blocks = Document::array();
  const std::size_t documents = results.size() + comparisons.size();
  if (documents == 0) return blocks;
  const auto comparison_title = [](const ComparisonResult& comparison) {
    return fmt::format("Comparison of {} variants", comparison.variants.size());
  };
  blocks.push_back({{"h1", documents > 1     ? fmt::format("edagen: {} results", documents)
                           : results.empty() ? comparison_title(comparisons.front())
                                             : scenario(results.front())}});
  for (const ComparisonResult& comparison : comparisons) {
    if (documents > 1) blocks.push_back(heading(comparison_title(comparison)));
    add_comparison(blocks, comparison);
  }
  const bool many = results.size() > 1;
  if (many) {
    blocks.push_back(together(results));
    add_answers(blocks, results);
    std::vector<std::string> names;
    for (std::size_t i = 1; i <= results.size(); ++i) names.push_back(fmt::format("result {}", i));
    for (const std::string& note : take_shared_notes(results, names)) blocks.push_back(note_block(note));
  }
  for (const Result& result : results) {
    if (many) blocks.push_back(heading(scenario(result)));
    add_summary(blocks, result);
    if (!many) add_answers(blocks, results);
    if (result.ort) blocks.push_back(paragraph(overall_response_time_text(result), "dim"));
  }
  add_curves_of(blocks, results, beside);
  if (many) add_side_by_side(blocks, results);
  for (const Result& result : results) {
    if (many) blocks.push_back(heading(scenario(result)));
    add_details(blocks, result);
  }
  return blocks;
}

}  // namespace

std::string html_page(const Document& blocks, const std::string& title) {
  std::string page(embedded_file("src/report/page.html"));
  replace_once(page, "/*PAGE_SCRIPT*/", embedded_file("src/report/report.js"));
  replace_once(page, "/*CHART_JS*/", embedded_file("chart.js/chart.min.js"));
  replace_once(page, "/*BLOCKS*/", safe_in_script(dumped(blocks)));
  replace_once(page, "<title>edagen</title>", "<title>" + safe_in_element(title) + "</title>");  // it may hold marks
  return page;
}

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons,
                      const std::vector<LoadTable>& beside) {
  std::vector<Result> safe_results;
  for (const Result& result : results) safe_results.push_back(with_escaped_text(result));
  std::vector<ComparisonResult> safe_comparisons;
  for (const ComparisonResult& comparison : comparisons) safe_comparisons.push_back(with_escaped_text(comparison));
  const std::size_t documents = results.size() + comparisons.size();
  const std::string first = !results.empty()       ? title_of(results.front())
                            : !comparisons.empty() ? title_of(comparisons.front())
                                                   : "edagen";
  return html_page(page_blocks(safe_results, safe_comparisons, beside),
                   first + (documents > 1 ? fmt::format(", and {}", counted(documents - 1, "other result")) : ""));
}

}  // namespace edagen
