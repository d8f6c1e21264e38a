#include "output.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "edagen/core/error.hpp"
#include "edagen/report/csv.hpp"
#include "edagen/report/html.hpp"

namespace edagen {

void check_outputs(const LoadOptions& options) {
  for (const auto& [option, path] : {std::pair<const char*, const std::string&>{"--json", options.json},
                                     {"--csv", options.csv}, {"--html", options.html}}) {
    if (path.empty() || path == "-") continue;
    std::ofstream file(path, std::ios::app);
    if (!file) throw usage_error(fmt::format("{} {}", option, path), std::strerror(errno));
  }
}

void write_text(const std::string& path, const std::string& text, const char* option) {
  if (path == "-") {
    std::cout << text << std::flush;
    return;
  }
  std::ofstream file(path);
  file << text;
  file.flush();
  if (!file) throw run_error(fmt::format("{} {}", option, path), std::strerror(errno));
}

void write_outputs(const LoadOptions& options, const Document& result, const std::string& text) {
  if (!options.json.empty()) write_text(options.json, result.dump(2) + "\n", "--json");
  if (!options.csv.empty()) write_text(options.csv, csv_text(result), "--csv");
  if (!options.html.empty()) write_text(options.html, html_text({result}), "--html");
  const bool stdout_is_taken = options.json == "-" || options.csv == "-" || options.html == "-";
  (stdout_is_taken ? std::cerr : std::cout) << text << std::flush;
}

RunJournal::RunJournal(const LoadOptions& options)
    : kept_(!options.journal.empty()), journal_(kept_ ? options.journal : Journal::default_path()) {}

void RunJournal::finish(bool all_is_written) {
  if (kept_) return;
  if (all_is_written) journal_.remove();
  else spdlog::info("the journal is {}", journal_.path());
}

}  // namespace edagen
