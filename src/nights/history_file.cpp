#include "nights/history_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "base/descriptor.hpp"
#include "base/parallel.hpp"
#include "base/rfc3339.hpp"
#include "base/usable_processors.hpp"
#include "base/write_file.hpp"
#include "edagen/error.hpp"
#include "nights/comparable.hpp"
#include "nights/figures.hpp"
#include "nights/night_json.hpp"

namespace edagen {
namespace {

constexpr std::size_t min_lines_for_threads = 200;
constexpr std::size_t lines_at_once = 4096;
constexpr std::size_t max_threads = 8;

Error failure(const std::string& path) { return run_error(path, std::strerror(errno)); }

bool ends_line(int file, off_t size) {
  char last = '\n';
  return size == 0 || (::pread(file, &last, 1, size - 1) == 1 && last == '\n');
}

/// Sorts by time; of several lines for one night on one host the last one of the file stays.
void sort_and_merge(std::vector<Night>& nights) {
  const auto key = [](const Night& night) { return std::tie(night.started_at, night.host); };
  std::ranges::stable_sort(nights, [&](const Night& one, const Night& other) { return key(one) < key(other); });
  std::vector<Night> each;
  for (Night& night : nights) {
    if (!each.empty() && key(each.back()) == key(night)) each.back() = std::move(night);
    else each.push_back(std::move(night));
  }
  nights = std::move(each);
}

std::string a_day_from_now() { return rfc3339(std::time(nullptr) + 24L * 60 * 60); }

void separate_future_nights(History& history, const std::string& latest) {
  const auto first = std::ranges::upper_bound(history.nights, latest, {}, &Night::started_at);
  const bool measured =
      std::any_of(first, history.nights.end(), [](const Night& night) { return !night.measurements.empty(); });
  if (first == history.nights.begin() && measured) return;  // this clock is wrong
  history.ahead.assign(std::make_move_iterator(first), std::make_move_iterator(history.nights.end()));
  history.nights.erase(first, history.nights.end());
}

std::string file_in(const std::string& directory) { return directory + "/" + nights_file; }

/// A line of the file, with its night unless the line is broken.
struct Line {
  std::string_view text;
  std::size_t number = 0;
  std::optional<Night> night;
  std::string why_broken;
};

void read_night(Line& line, const std::string& file) {
  try {
    line.night = night_of_line(line.text, fmt::format("{}:{}", file, line.number));
  } catch (const std::exception& error) {
    line.why_broken = error.what();
  }
}

/// Several threads read the lines, because JSON is most of the cost of a long history.
void read_nights(std::vector<Line>& lines, const std::string& file) {
  std::atomic<std::size_t> next = 0;
  const auto read = [&](const std::stop_token&) {
    for (std::size_t i = next++; i < lines.size(); i = next++) read_night(lines[i], file);
  };
  const std::size_t processors = std::min(usable_processor_count(), max_threads);
  if (lines.size() < min_lines_for_threads || processors == 1) read({});
  else run_in_parallel(processors, {}, read);
}

/// Calls `visit` with each line that is not empty, in the order of the file. Only lines_at_once nights are in memory.
void for_each_line(std::string_view text, const std::string& file, const std::function<void(Line&)>& visit) {
  std::vector<Line> lines;
  const auto visit_all = [&] {
    read_nights(lines, file);
    for (Line& line : lines) visit(line);
    lines.clear();
  };
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) lines.push_back({text.substr(0, end), number, std::nullopt, ""});
    text.remove_prefix(std::min(end + 1, text.size()));
    if (lines.size() == lines_at_once) visit_all();
  }
  visit_all();
}

void replace_lines(const OwnDirectory& directory, const std::string& text) {
  if (!replace_file(directory.descriptor(), nights_file, nights_file + std::string(".part"), text))
    throw failure(file_in(directory.path()));
}

History history_of(std::string_view text, const std::string& file, const std::string& latest) {
  History history;
  std::string first_error;
  for_each_line(text, file, [&](Line& line) {
    history.broken_end = !line.night;
    if (line.night) history.nights.push_back(std::move(*line.night));
    else if (history.left_out++ == 0) first_error = line.why_broken;
  });
  if (history.nights.empty() && history.left_out > 0) throw usage_error(file, "holds no night: " + first_error);
  sort_and_merge(history.nights);
  separate_future_nights(history, latest.empty() ? a_day_from_now() : latest);
  return history;
}

}  // namespace

History read_history(const std::string& path, const std::string& latest) {
  std::error_code ignored;
  const std::string file = std::filesystem::is_directory(path, ignored) ? file_in(path) : path;
  return history_of(read_text_file(file, largest_result), file, latest);
}

History read_own_history(const OwnDirectory& directory) {
  const Descriptor file = directory.open(nights_file, O_RDONLY);
  const std::string path = file_in(directory.path());
  return file ? history_of(read_text_file(file.get(), path, largest_result), path, "") : History();
}

void add_nights(History& history, std::vector<Night> more) {
  for (std::vector<Night>* const nights : {&history.ahead, &more})
    std::ranges::move(*nights, std::back_inserter(history.nights));
  history.ahead.clear();
  sort_and_merge(history.nights);
  separate_future_nights(history, a_day_from_now());
}

std::string left_out_in_words(const History& history) {
  std::string text;
  if (history.left_out > 0) text = fmt::format("broken lines left out: {}", history.left_out);
  if (!history.ahead.empty())
    text += fmt::format("{}nights of the future left out: {}", text.empty() ? "" : "; ", history.ahead.size());
  return text;
}

void append_night(const OwnDirectory& directory, const Night& night) {
  const std::string path = file_in(directory.path());
  const Descriptor file = directory.open(nights_file, O_RDWR | O_CREAT | O_APPEND, 0644);
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) throw failure(path);
  const std::string line = (ends_line(file.get(), info.st_size) ? "" : "\n") + dumped(to_json(night)) + "\n";
  if (write_all(file.get(), line) && ::fsync(file.get()) == 0) return;
  const Error why = failure(path);
  static_cast<void>(::ftruncate(file.get(), info.st_size));
  throw why;
}

bool has_too_many_bytes(const OwnDirectory& directory) {
  struct stat info {};
  return ::fstatat(directory.descriptor(), nights_file, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
         static_cast<Bytes>(info.st_size) > max_history;
}

void keep_nights(const OwnDirectory& directory, std::size_t most, Bytes max_bytes) {
  const std::string path = file_in(directory.path());
  const Descriptor file = directory.open(nights_file, O_RDONLY);
  if (!file) return;
  const std::string all =
      read_text_file(file.get(), path, 4 * largest_result);  // a file too long for read_history() is cut as well
  struct ReadLine {
    std::string_view text;
    bool is_night = false;
  };
  std::vector<ReadLine> lines;
  std::map<std::pair<std::string, std::string>, std::string_view> last;  // last line of each night, ascending in time
  for_each_line(all, path, [&](Line& line) {
    lines.push_back({line.text, line.night.has_value()});
    if (line.night) last[{line.night->started_at, line.night->host}] = line.text;
  });
  std::set<const char*> kept;
  Bytes bytes = 0;
  for (auto each = last.rbegin(); each != last.rend() && kept.size() < most; ++each) {
    bytes += static_cast<Bytes>(each->second.size() + 1);
    if (bytes > max_bytes && !kept.empty()) break;
    kept.insert(each->second.data());
  }
  std::string text;
  for (const ReadLine& line : lines)  // broken lines stay
    if (!line.is_night || kept.contains(line.text.data())) text += std::string(line.text) + "\n";
  if (text.size() < all.size()) replace_lines(directory, text);
}

Night night_of(const Result& result, const std::string& measurement, const std::string& file) {
  Night night;
  night.started_at = result.started_at;
  night.finished_at = result.finished_at;
  night.status = result.status;
  night.edagen_version = result.edagen_version;
  night.host = result.host.name;
  night.kernel = result.host.kernel;
  night.measurements.push_back({measurement,
                                comparable_parts(result),
                                {},
                                {{.started_at = result.started_at,
                                  .file = file,
                                  .reference = false,
                                  .status = result.status,
                                  .figures = figures_of(result),
                                  .invalid = invalid_reasons(result),
                                  .bounds = bound_causes(result)}}});
  return night;
}

}  // namespace edagen
