#include <iostream>

#include "cli/commands.hpp"
#include "cli/option_checks.hpp"
#include "cli/told_watch.hpp"
#include "compare/comparison_file.hpp"
#include "edagen/exit_status.hpp"
#include "report/comparison_text.hpp"
#include "report/csv.hpp"
#include "report/html.hpp"
#include "report/terminal.hpp"
#include "session/outputs.hpp"

namespace edagen {
namespace {

struct Found {
  std::vector<Result> results;
  std::vector<ComparisonResult> comparisons;
  std::string text;  ///< for people

  template <class Any>
  void show(const std::string& file, const Any& any, const std::string& its_text) {
    text += (text.empty() ? "" : "\n") + file + ": " + any.started_at + ", " + std::string(to_string(any.status)) +
            "\n" + its_text;
  }
  void add(const std::string& file, const Result& result) {
    results.push_back(result);
    show(file, result, result_text(result));
  }
  void add(const std::string& file, const ComparisonResult& comparison) {
    comparisons.push_back(comparison);
    show(file, comparison, comparison_text(comparison));
  }
};

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

int report(const std::vector<std::string>& files, const std::string& html, const std::string& csv) {
  Found found;
  for (const std::string& file : files)
    std::visit([&](const auto& any) { found.add(file, any); }, read_any_result(file));
  std::vector<Place> places;
  if (!html.empty()) places.push_back({"--html", html});
  if (!csv.empty()) places.push_back({"--csv", csv});
  ToldWatch watch;
  check_places(places, files, {}, watch);
  if (!csv.empty()) write_text({"--csv", csv}, csv_of(found.results) + csv_of(found.comparisons));
  if (!html.empty()) write_text({"--html", html}, html_text(found.results, found.comparisons));
  if (csv != "-" && html != "-") std::cout << found.text;
  return exit_status::done;
}

}  // namespace

void add_report_command(CommandLine& line) {
  CLI::App* const command = line.app.add_subcommand(
      "report", "Tables and plots of finished and interrupted runs and comparisons (RESULT.json, JOURNAL.jsonl)");
  struct Options {
    std::vector<std::string> files;
    std::string html, csv;
  };
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->files)->transform(not_empty())->required();
  command->add_option("--html", options->html, "Write a report with plots: one HTML file that needs no others")
      ->transform(not_empty());
  command->add_option("--csv", options->csv, "Write the load points as CSV; - is stdout")->transform(not_empty());
  command->callback(
      [&line, options] { line.chosen = [options] { return report(options->files, options->html, options->csv); }; });
}

}  // namespace edagen
