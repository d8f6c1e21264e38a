#include <iostream>

#include "commands.hpp"
#include "edagen/report/csv.hpp"
#include "edagen/report/html.hpp"
#include "edagen/result/result_file.hpp"
#include "edagen/report/terminal.hpp"
#include "exit_status.hpp"
#include "option_checks.hpp"
#include "output.hpp"
#include "told_watch.hpp"

namespace edagen {
namespace {

int report(const std::vector<std::string>& files, const std::string& html, const std::string& csv) {
  std::vector<Result> results;
  for (const std::string& file : files) results.push_back(read_result(file));
  ToldWatch watch;
  check_places({{"--html", html}, {"--csv", csv}}, watch);
  std::string lines;
  for (const Result& result : results) {
    const std::string text = csv_text(result);
    lines += lines.empty() ? text : text.substr(text.find('\n') + 1);
  }
  if (!csv.empty()) write_text(csv, lines, "--csv");
  if (!html.empty()) write_text(html, html_text(results), "--html");
  if (csv == "-" || html == "-") return exit_status::done;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& result = results[i];
    std::cout << (i > 0 ? "\n" : "") << files[i] << ": " << result.started_at << ", " << to_string(result.status) << "\n"
              << result_text(result);
  }
  return exit_status::done;
}

}  // namespace

void add_report_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("report", "Tables and plots of finished and interrupted runs (RESULT.json, JOURNAL.jsonl)");
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto html = std::make_shared<std::string>(), csv = std::make_shared<std::string>();
  command->add_option("FILE", *files)->transform(not_empty())->required();
  command->add_option("--html", *html, "Write one HTML file with plots that needs nothing else")
      ->transform(not_empty());
  command->add_option("--csv", *csv, "Write the load points as CSV; - is stdout")->transform(not_empty());
  command->callback([&line, files, html, csv] { line.chosen = [=] { return report(*files, *html, *csv); }; });
}

}  // namespace edagen
