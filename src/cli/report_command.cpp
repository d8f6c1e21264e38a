#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <utility>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_group.hpp"
#include "cli/terminal_lines.hpp"
#include "compare/comparison_file.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "report/beside_text.hpp"
#include "report/comparison_text.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "report/shared_notes.hpp"
#include "report/terminal.hpp"
#include "session/outputs.hpp"
#include "session/session_watch.hpp"

namespace edagen {
namespace {

struct Found {
  std::vector<Result> results;
  std::vector<ComparisonResult> comparisons;
  std::vector<std::string> result_files;
  std::vector<std::pair<std::string, bool>> files;  ///< all in their order, and whether each holds a result
  bool search_blocks = false;
  std::vector<LoadTable> beside;

  void add(const std::string& file, Result result) {
    results.push_back(std::move(result));
    result_files.push_back(file);
    files.emplace_back(file, true);
  }
  void add(const std::string& file, ComparisonResult comparison) {
    comparisons.push_back(std::move(comparison));
    files.emplace_back(file, false);
  }
};

std::string head_of(const std::string& file, const auto& any) {
  return one_line(file) + ": " + any.started_at + ", " + std::string(to_string(any.status)) + "\n";
}

/// For people.
std::string text_of(Found found) {
  const std::vector<std::string> shared = take_shared_notes(found.results, found.result_files);
  auto result = found.results.begin();
  auto comparison = found.comparisons.begin();
  std::string text;
  for (const auto& [file, holds_result] : found.files) {
    text += text.empty() ? "" : "\n";
    if (holds_result) {
      text += head_of(file, *result) + result_text(*result, found.search_blocks, found.beside);
      ++result;
    } else {
      text += head_of(file, *comparison) + comparison_text(*comparison);
      ++comparison;
    }
  }
  if (!shared.empty()) text += "\n";
  for (const std::string& note : shared) text += "Note: " + one_line(note, std::string::npos) + "\n";
  return text;
}

/// One table of all: of each but the first without its head.
template <class Any>
std::string csv_of(const std::vector<Any>& all) {
  std::string lines;
  for (const Any& any : all) {
    const std::string text = csv_text(any);
    lines += lines.empty() ? text : text.substr(text.find('\n') + 1);
  }
  return lines;
}

struct ReportOptions {
  std::vector<std::string> files, beside;
  std::string html, csv;
  bool search_blocks = false;
};

Found read_all(const ReportOptions& options, StuckWatch& watch) {
  Found found;
  found.search_blocks = options.search_blocks;
  const std::vector<std::string>& files = options.files;
  StuckWatch::Thread self(watch);
  for (const std::string& table : options.beside) {
    self.call_started("reading", table);
    found.beside.push_back(read_load_table(table));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    self.call_started("reading", file);
    for (std::size_t other = 0; other < i; ++other) {
      std::error_code ignored;
      if (std::filesystem::equivalent(files[other], file, ignored))
        throw usage_error(file, "is the same file as " + files[other]);
    }
    std::visit([&](auto any) { found.add(file, std::move(any)); }, read_any_result(file));
  }
  return found;
}

/// Something to which a table can be laid.
void check_curves(const Found& found) {
  const bool has_curve =
      std::ranges::any_of(found.results, [](const Result& result) { return mean_line(result).size() > 1; });
  if (!found.beside.empty() && !has_curve)
    throw usage_error("--beside", "none of these results is a curve with load points",
                      "edagen curve, without --shape off");
}

int report(const ReportOptions& options) {
  const auto& [files, beside, html, csv, search_blocks] = options;
  Console console({}, false);
  SessionWatch watch(console.sink());
  Found found = read_all(options, watch);
  check_curves(found);
  std::vector<std::string> inputs = files;
  inputs.insert(inputs.end(), beside.begin(), beside.end());
  std::vector<Output<Found>> outputs;
  if (!html.empty())
    outputs.push_back(
        {{"--html", html}, [](const Found& all) { return html_text(all.results, all.comparisons, all.beside); }});
  if (!csv.empty())
    outputs.push_back({{"--csv", csv}, [](const Found& all) { return csv_of(all.results) + csv_of(all.comparisons); }});
  check_places(places_of(outputs, std::nullopt), inputs, {}, watch);
  const bool all_written = write_outputs(outputs, found, watch);
  if (csv != "-" && html != "-") std::cout << terminal_lines(text_of(std::move(found)), STDOUT_FILENO);
  return all_written ? exit_status::done : exit_status::run_failed;
}

}  // namespace

void add_report_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "report", "Tables and plots of finished and interrupted runs and comparisons (RESULT.json, JOURNAL.jsonl)");
  const auto options = std::make_shared<ReportOptions>();
  OptionGroup group(*command);
  group.texts("FILE", options->files, "Results, comparisons or journals")->required();
  group.text("--html FILE", options->html,
             "Write a report with plots: one HTML file that needs no others; - is stdout");
  group.text("--csv FILE", options->csv, "Write the load points as CSV; - is stdout");
  group.texts("--beside TABLE", options->beside,
              "Draw the curve of another tool beside edagen's (repeatable): CSV with the columns of published load "
              "tables (Achieved Op Rate, Avg Lat (ms)) or with rate and latency_ms; or fio's JSON");
  group.flag("-v,--verbose", options->search_blocks, "Show each block of a search, too");
  line.does(*command, [options] { return report(*options); });
}

}  // namespace edagen
