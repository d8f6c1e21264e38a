#include "compare/comparison_file.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/json_schema.hpp"
#include "base/line_reader.hpp"
#include "base/text_file.hpp"
#include "compare/comparison_result.hpp"
#include "compare/factor_design.hpp"
#include "edagen/error.hpp"
#include "result/document_digest.hpp"
#include "result/result_file.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

constexpr std::string_view comparison_line = R"({"type":"comparison",)", run_line = R"({"type":"run",)",
                           slice_line = R"({"type":"slice",)", last_run_line = R"({"type":"last_run",)",
                           staleness_line = R"({"type":"staleness",)", refused_line = R"({"type":"refused",)",
                           end_line = R"({"type":"comparison_end",)";

/// Throws Error (usage) on errors that the schema does not cover.
void check_references(const ComparisonResult& comparison, const std::string& where) {
  if (comparison.variants.empty()) throw usage_error(where + "/variants", "is empty");
  if (comparison.factors.size() > most_factors)
    throw usage_error(where + "/factors", fmt::format("are more than {}", most_factors));
  std::set<std::string> names;
  for (const VariantFigures& variant : comparison.variants) {
    if (!names.insert(variant.name).second)
      throw usage_error(where + "/variants", fmt::format("has two variants '{}'", variant.name));
    std::set<std::uint64_t> repeats;
    for (const RunFigures& run : variant.runs)
      if (!repeats.insert(run.repeat).second)
        throw usage_error(where + "/variants", fmt::format("has repeat {} of '{}' twice", run.repeat, variant.name));
  }
}

/// Checks and reads a comparison's document.
ComparisonResult comparison_of(const Document& body, const std::string& where) {
  auto comparison = from_checked_json<ComparisonResult>(body, where);
  note_edits(body, where, comparison.notes);
  check_references(comparison, where + "#");
  return comparison;
}

/// A comparison that did not end, from the first line of its journal.
ComparisonResult unfinished_comparison(Document line, const std::string& where) {
  line.erase("type");
  line["status"] = to_string(Status::incomplete);
  line["finished_at"] = line["started_at"];
  return comparison_of(line, where);
}

/// The comparison that a journal's lines make up.
struct Lines {
  std::string path;
  ComparisonResult comparison;
  std::vector<std::map<std::uint64_t, RunFigures>> runs = {};  ///< by repeat, from 1
  std::vector<std::optional<StalenessFigures>> staleness = {};
  std::vector<std::optional<std::string>> refused = {};
  std::vector<std::optional<VariantRun>> last_runs = {};
  std::size_t left_out = 0;
  std::optional<JournalReading> run = {};  ///< the run whose lines are being read
  std::string run_head = {};               ///< the line with its variant and repeat
  bool run_began = false, is_broken_run = false;

  std::uint64_t number(const Document& line, const char* name) const {
    const auto found = line.find(name);
    if (found == line.end() || !found->is_number_unsigned()) throw usage_error(path, fmt::format("has no {}", name));
    return found->get<std::uint64_t>();
  }
  std::size_t variant_of(const Document& line) const {
    const std::uint64_t at = number(line, "variant");
    if (at >= runs.size()) throw usage_error(path, fmt::format("variant {} is not one of its {}", at, runs.size()));
    return at;
  }
  /// Ends the run whose lines have been read.
  void end_run() {
    if (!run || !run_began) return run.reset();
    try {
      if (is_broken_run) throw usage_error(path, "has a run that cannot be read");
      const Document line = parse_json<Document>(run_head, path);
      const std::size_t variant = variant_of(line);
      const std::uint64_t repeat = number(line, "repeat") + 1;
      if (repeat == 0) throw usage_error(path, "has a repeat of no number");
      const Result result = run->result();
      if (result.status != Status::incomplete && result.status != Status::interrupted) {
        RunFigures& figures = runs[variant][repeat];
        figures = run_figures(result, comparison.at_latency_target.has_value());
        figures.repeat = repeat;
        if (runs[variant].rbegin()->first == repeat) last_runs[variant] = variant_run(result);
      }
    } catch (const std::exception&) {
      ++left_out;
    }
    run.reset();
  }
  void add(std::string_view line) {
    const bool is_of_run = !line.starts_with(run_line) && !line.starts_with(slice_line) &&
                           !line.starts_with(last_run_line) && !line.starts_with(staleness_line) &&
                           !line.starts_with(refused_line) && !line.starts_with(end_line);
    if (run && is_of_run) {
      run_began = true;
      if (is_broken_run) return;
      try {
        run->add(line);
      } catch (const std::exception&) {
        is_broken_run = true;
      }
      return;
    }
    end_run();
    if (!line.starts_with(run_line)) return add_line(line);
    run_head = line;
    run.emplace(path);
    run_began = is_broken_run = false;
  }
  /// Whole runs in place of slices that were not possible are known from the last line, which a killed comparison does
  /// not have.
  void correct_alternation() {
    const auto is_whole = [](const auto& numbered) { return !numbered.second.slice; };
    const auto has_whole_runs = [&](const auto& of_variant) { return std::ranges::any_of(of_variant, is_whole); };
    if (comparison.is_sliced() && std::ranges::any_of(runs, has_whole_runs))
      comparison.alternation = AlternationFigures{.unit = Alternation::runs,
                                                  .reason = "slices turned out not to be possible",
                                                  .until = comparison.alternation->until};
  }
  /// What a line has of a variant, which it names besides.
  template <class Figures>
  std::pair<std::size_t, Figures> figures_of(Document body) const {
    const std::size_t variant = variant_of(body);
    body.erase("type");
    body.erase("variant");
    return {variant, from_checked_json<Figures>(body, path)};
  }
  void add_line(std::string_view line) {
    try {
      const Document body = parse_json<Document>(line, path);
      if (line.starts_with(slice_line)) {
        const auto [variant, slice] = figures_of<RunFigures>(body);
        runs[variant][slice.repeat] = slice;
      } else if (line.starts_with(last_run_line)) {
        const auto [variant, run_of_variant] = figures_of<VariantRun>(body);
        last_runs[variant] = run_of_variant;
      } else if (line.starts_with(staleness_line)) {
        const auto [variant, seen] = figures_of<StalenessFigures>(body);
        staleness[variant] = seen;
      } else if (line.starts_with(refused_line)) {
        refused[variant_of(body)] = body.at("why").get<std::string>();
      } else if (line.starts_with(end_line)) {
        comparison.status = enum_named<Status>(body.value("status", "")).value_or(comparison.status);
        comparison.finished_at = body.value("finished_at", comparison.started_at);
        if (body.contains("failure")) comparison.failure = body["failure"].get<std::string>();
        if (body.contains("alternation"))
          comparison.alternation = from_checked_json<AlternationFigures>(body["alternation"], path);
        if (body.contains("repeats")) comparison.repeats = body["repeats"].get<std::uint64_t>();
      } else if (!line.empty()) {
        ++left_out;
      }
    } catch (const std::exception&) {
      ++left_out;
    }
  }
};

ComparisonResult read_comparison_journal(std::string_view first, LineReader& reader, const std::string& path) {
  Lines lines{.path = path, .comparison = unfinished_comparison(parse_json<Document>(first, path), path + ":1")};
  std::vector<VariantFigures> variants = std::exchange(lines.comparison.variants, {});
  lines.runs.resize(variants.size());
  lines.staleness.resize(variants.size());
  lines.refused.resize(variants.size());
  lines.last_runs.resize(variants.size());
  while (const auto line = reader.next()) lines.add(*line);
  lines.end_run();
  lines.correct_alternation();
  if (lines.left_out > 0) spdlog::warn("{}: broken runs or lines left out: {}", one_line(path), lines.left_out);
  for (std::size_t i = 0; i < variants.size(); ++i) {
    std::vector<RunFigures> runs;
    for (const auto& [repeat, run] : lines.runs[i]) runs.push_back(run);
    add_variant(lines.comparison, variants[i].name, variants[i].what, std::move(runs), lines.staleness[i],
                lines.refused[i], std::move(lines.last_runs[i]), variants[i].factors);
  }
  return lines.comparison;
}

}  // namespace

std::variant<Result, ComparisonResult> read_any_result(const std::string& path) {
  if (is_journal(path)) {
    LineReader lines(path, largest_result);
    const auto first = lines.next();
    if (first && first->starts_with(comparison_line)) return read_comparison_journal(*first, lines, path);
    return read_result(path);
  }
  const auto document = parse_json<Document>(read_text_file(path, largest_result), path);
  if (document.is_object() && document.contains("schema") && document["schema"] == "edagen.compare/1")
    return comparison_of(document, path);
  return result_of_document(document, path);
}

}  // namespace edagen
