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

void check_outputs(const LoadOptions& options, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  for (const auto& [option, path] : {std::pair<const char*, const std::string&>{"--json", options.json},
                                     {"--csv", options.csv}, {"--html", options.html}}) {
    if (path.empty() || path == "-") continue;
    self.begins(fmt::format("opening {}", option), path);
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

void write_outputs(const LoadOptions& options, const Document& result, const std::string& text, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  const auto write = [&](const std::string& path, const char* option, const auto& make) {
    if (path.empty()) return;
    self.begins(fmt::format("writing {}", option), path);
    write_text(path, make(), option);
  };
  write(options.json, "--json", [&] { return result.dump(2) + "\n"; });
  write(options.csv, "--csv", [&] { return csv_text(result); });
  write(options.html, "--html", [&] { return html_text({result}); });
  self.rests();
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
