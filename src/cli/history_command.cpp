// history: many nights as a table and as a page.
#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "base/beneath.hpp"
#include "base/json_schema.hpp"
#include "base/text_file.hpp"
#include "cli/commands.hpp"
#include "cli/console.hpp"
#include "cli/option_group.hpp"
#include "edagen/error.hpp"
#include "edagen/exit_status.hpp"
#include "nights/history_file.hpp"
#include "report/curve_points.hpp"
#include "report/history_page.hpp"
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

/// What is left of the results that nights name. A line may name anything: only what lies in the history's own
/// directory, below results/ and through no link, is looked at.
class KeptResults {
 public:
  explicit KeptResults(const std::string& directory)
      : directory_(::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

  Descriptor open(const std::string& file) const {
    if (!directory_ || !file.starts_with(results_folder + std::string("/"))) return Descriptor();
    Descriptor opened = open_beneath(directory_.get(), file.c_str(), O_RDONLY | O_NONBLOCK);
    struct stat info {};
    return opened && ::fstat(opened.get(), &info) == 0 && S_ISREG(info.st_mode) ? std::move(opened) : Descriptor();
  }

 private:
  Descriptor directory_;
};

/// The first run of each measurement in its last nights, where it is a curve.
std::vector<NightCurve> curves_of(const std::vector<Night>& nights, const KeptResults& kept, std::size_t most) {
  std::vector<NightCurve> curves;
  std::map<std::string, std::size_t> counts;
  for (auto night = nights.rbegin(); night != nights.rend(); ++night)
    for (const NightMeasurement& measurement : night->measurements) {
      if (counts[measurement.name] >= most) continue;
      const auto own = std::ranges::find(measurement.runs, false, &NightRun::reference);
      const Descriptor file = own == measurement.runs.end() ? Descriptor() : kept.open(own->file);
      if (!file) continue;
      try {
        const auto document = parse_json<Document>(read_text_file(file.get(), own->file, largest_result), own->file);
        Result result = result_of_document(document, own->file);
        if (is_series(result) || result.load_points.size() < 2) continue;
        ++counts[measurement.name];
        curves.push_back({measurement.name, std::move(result)});
      } catch (const Error&) {
        spdlog::warn("{}: is no result, and its curve is left out", own->file);
      }
    }
  std::ranges::reverse(curves);
  return curves;
}

/// With the files of runs as a page at `page` links to them: none where there is no report any more, and none from a
/// page that does not lie in the directory, as it may be put anywhere. What goes to stdout is taken to lie there.
std::vector<Night> linked_from(const std::string& page, std::vector<Night> nights, const std::string& directory,
                               const KeptResults& kept) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path from = page == "-" ? fs::path(directory) : fs::absolute(page, ignored).parent_path();
  const bool lies_there = !fs::relative(from, directory, ignored).string().starts_with("..");
  const fs::path to = fs::relative(directory, from, ignored);
  for (Night& night : nights)
    for (NightMeasurement& measurement : night.measurements)
      for (NightRun& run : measurement.runs) {
        const bool is_there =
            lies_there && run.file.ends_with(".json") && kept.open(fs::path(run.file).replace_extension(".html"));
        run.file = is_there ? (to / run.file).lexically_normal().string() : "";
      }
  return nights;
}

std::string page_of(const History& history, const HistoryOptions& options) {
  const KeptResults kept(options.path);  // of a file of lines: none
  return history_html(linked_from(options.html, history.nights, options.path, kept),
                      curves_of(history.nights, kept, options.curves));
}

int history(const HistoryOptions& options) {
  Console console({}, options.html == "-");
  SessionWatch watch(console.sink());
  StuckWatch::Thread self(watch);
  self.call_started("reading", options.path);
  const History all = read_history(options.path);
  if (all.nights.empty()) throw usage_error(options.path, "has no nights yet");
  if (const std::string words = left_out_in_words(all); !words.empty())
    spdlog::warn("{}: {}", one_line(options.path), words);
  std::error_code ignored;
  const bool is_directory = std::filesystem::is_directory(options.path, ignored);
  std::vector<Output<History>> outputs;
  if (!options.html.empty())
    outputs.push_back({{"--html", options.html}, [&](const History& shown) { return page_of(shown, options); }});
  self.pause();
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
  OptionGroup group(*command);
  group.text("DIR", options->path, "Directory of edagen nightly, or a file of its lines")->required();
  auto* const page = group.text("--html FILE", options->html,
                                "Write the page: one HTML file that needs no others; - is stdout. In DIR it has links "
                                "to the nights' reports that are still there");
  group.number("--last", options->last, whole_number(1, 100'000),
               "Show this many nights in the first table; the other tables are of all nights");
  group
      .number("--curves", options->curves, whole_number(0, 100),
              "Lay the curves of this many last nights over each other in the page, for each measurement")
      ->needs(page);
  line.does(*command, [options] { return history(*options); });
}

}  // namespace edagen
