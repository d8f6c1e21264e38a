#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "edagen/core/descriptor.hpp"
#include "edagen/core/error.hpp"
#include "edagen/dataset/dataset_layout.hpp"
#include "edagen/report/csv.hpp"
#include "edagen/report/html.hpp"

namespace edagen {

void check_places(const std::vector<Place>& places, StuckWatch& watch) {
  for (auto place = places.begin(); place != places.end(); ++place)
    for (auto other = places.begin(); other != place && !place->path.empty(); ++other)
      if (other->path == place->path)
        throw usage_error(place->option, fmt::format("goes to the same place as {}: {}", other->option,
                                                     place->path == "-" ? "stdout" : place->path));
  StuckWatch::Thread self(watch);
  for (const auto& [option, path] : places) {
    if (path.empty() || path == "-") continue;
    self.begins(fmt::format("opening {}", option), path);
    struct stat info {};
    // Who reads a FIFO would take the end of a first look for the end of all.
    if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) continue;
    if (!Descriptor(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)))
      throw usage_error(fmt::format("{} {}", option, path), std::strerror(errno));
  }
}

void check_outputs(const LoadOptions& options, StuckWatch& watch) {
  namespace fs = std::filesystem;
  const std::vector<Place> places = {
      {"--json", options.json}, {"--csv", options.csv}, {"--html", options.html}, {"--journal", options.journal}};
  std::error_code ignored;
  for (const std::string& mount : options.mounts) {
    const std::string data = fs::weakly_canonical(mount + "/" + dataset_directory, ignored).string();
    for (const auto& [option, path] : places)
      if ((fs::weakly_canonical(fs::absolute(path, ignored), ignored).string() + "/").starts_with(data + "/"))
        throw usage_error(fmt::format("{} {}", option, path), "lies in the dataset");
  }
  check_places(places, watch);
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

void write_outputs(const LoadOptions& options, const Result& result, const std::string& text, StuckWatch& watch) {
  StuckWatch::Thread self(watch);
  const auto write = [&](const std::string& path, const char* option, const auto& make) {
    if (path.empty()) return;
    self.begins(fmt::format("writing {}", option), path);
    write_text(path, make(), option);
  };
  write(options.json, "--json", [&] { return dumped(to_json(result), 2) + "\n"; });
  write(options.csv, "--csv", [&] { return csv_text(result); });
  write(options.html, "--html", [&] { return html_text({result}); });
  self.rests();
  text_stream(options) << text << std::flush;
}

RunJournal::RunJournal(const LoadOptions& options)
    : kept_(!options.journal.empty()), journal_(kept_ ? Journal(options.journal) : Journal::in_default_place()) {}

void RunJournal::finish(bool all_is_written) {
  if (kept_) return;
  if (all_is_written) journal_.remove();
  else spdlog::info("the journal is {}", journal_.path());
}

}  // namespace edagen
