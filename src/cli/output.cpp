#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>

#include "edagen/core/descriptor.hpp"
#include "edagen/core/error.hpp"
#include "edagen/report/csv.hpp"
#include "edagen/report/html.hpp"

namespace edagen {

void check_places(const std::vector<Place>& places) {
  for (auto place = places.begin(); place != places.end(); ++place)
    for (auto other = places.begin(); other != place && !place->path.empty(); ++other)
      if (other->path == place->path)
        throw usage_error(place->option, fmt::format("goes to the same place as {}: {}", other->option,
                                                     place->path == "-" ? "stdout" : place->path));
  for (const auto& [option, path] : places) {
    if (path.empty() || path == "-") continue;
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666));
    if (!file) throw usage_error(fmt::format("{} {}", option, path), errno == ENXIO ? "nobody reads it" : std::strerror(errno));
  }
}

void check_outputs(const LoadOptions& options) {
  check_places({{"--json", options.json}, {"--csv", options.csv}, {"--html", options.html}, {"--journal", options.journal}});
}

std::ostream& text_stream(const LoadOptions& options) {
  const bool taken = options.json == "-" || options.csv == "-" || options.html == "-" || options.journal == "-";
  return taken ? std::cerr : std::cout;
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
  if (!options.json.empty()) write_text(options.json, dumped(result, 2) + "\n", "--json");
  if (!options.csv.empty()) write_text(options.csv, csv_text(result), "--csv");
  if (!options.html.empty()) write_text(options.html, html_text({result}), "--html");
  text_stream(options) << text << std::flush;
}

RunJournal::RunJournal(const LoadOptions& options)
    : kept_(!options.journal.empty()), journal_(kept_ ? options.journal : Journal::default_path()) {}

void RunJournal::finish(bool all_is_written) {
  if (kept_) return;
  if (all_is_written) journal_.remove();
  else spdlog::info("the journal is {}", journal_.path());
}

}  // namespace edagen
