// history: many nights as a table and as a page.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_checks.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "nights/history_file.hpp"
#include "report/history_text.hpp"
#include "result/result_file.hpp"
#include "session/outputs.hpp"
#include "session/session_watch.hpp"

namespace edagen {
namespace {

struct HistoryOptions {
  std::string path, html;
  std::size_t last = 30, curves = 10;
};

/// Results of the last nights that are still kept; spread over them where there are more.
std::vector<Result> curves_of(const std::vector<Night>& nights, const std::string& directory, std::size_t most) {
  std::vector<std::string> files;
  for (const Night& night : nights)
    for (const NightMeasurement& measurement : night.measurements)
      for (const NightRun& run : measurement.runs) {
        const std::string file = directory + "/" + run.file;
        std::error_code ignored;
        if (!run.reference && run.file.starts_with(results_folder) && std::filesystem::exists(file, ignored))
          files.push_back(file);
      }
  std::vector<Result> results;
  for (std::size_t i = files.size() - std::min(most, files.size()); i < files.size(); ++i) {
    try {
      results.push_back(read_result(files[i]));
    } catch (const Error& error) {
      spdlog::warn("{}", error.what());
    }
  }
  return results;
}

int history(const HistoryOptions& options) {
  Console console({}, options.html == "-");
  SessionWatch watch(console);
  StuckWatch::Thread self(watch);
  self.begins("reading", options.path);
  const History all = read_history(options.path);
  if (all.nights.empty()) throw usage_error(options.path, "has no nights yet");
  if (all.left_out > 0) spdlog::warn("{}: broken lines left out: {}", one_line(options.path), all.left_out);
  std::error_code ignored;
  const bool is_directory = std::filesystem::is_directory(options.path, ignored);
  std::vector<Output<History>> outputs;
  if (!options.html.empty())
    outputs.push_back({{"--html", options.html}, [&](const History& its) {
                         return history_html(its.nights, is_directory
                                                             ? curves_of(its.nights, options.path, options.curves)
                                                             : std::vector<Result>());
                       }});
  self.rests();
  check_places(places_of(outputs, std::nullopt), {is_directory ? options.path + "/" + nights_file : options.path}, {},
               watch);
  const bool all_written = write_outputs(outputs, all, watch);
  if (options.html != "-") std::cout << history_text(all.nights, options.last);
  return all_written ? exit_status::done : exit_status::run_failed;
}

}  // namespace

void add_history_command(CommandLine& line) {
  CLI::App* const command =
      line.app.add_subcommand("history", "Many nights: a table, and a page with each figure over the nights");
  const auto options = std::make_shared<HistoryOptions>();
  command->add_option("DIR", options->path, "Directory of edagen nightly, or a file of its lines")
      ->transform(not_empty())
      ->required();
  command
      ->add_option("--html", options->html,
                   "Write the page: one HTML file that needs no others. In DIR it has links to the nights' reports")
      ->transform(not_empty());
  command->add_option("--last", options->last, "Nights in the table")
      ->transform(whole_number(1, 100'000))
      ->capture_default_str();
  command->add_option("--curves", options->curves, "Curves of the last nights that the page lays over each other")
      ->transform(whole_number(0, 100))
      ->capture_default_str();
  command->callback([&line, options] { line.chosen = [options] { return history(*options); }; });
}

}  // namespace edagen
