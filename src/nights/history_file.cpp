#include "nights/history_file.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <tuple>

#include "base/descriptor.hpp"
#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "nights/comparable.hpp"
#include "nights/figures.hpp"
#include "nights/night_json.hpp"

namespace edagen {
namespace {

Error failure(const std::string& path) { return run_error(path, std::strerror(errno)); }

bool written(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t done = ::write(file, text.data(), text.size());
    if (done > 0) text.remove_prefix(static_cast<std::size_t>(done));
    else if (done == 0 || errno != EINTR) return errno = done == 0 ? ENOSPC : errno, false;
  }
  return true;
}

bool ends_line(int file, off_t size) {
  char last = '\n';
  return size == 0 || (::pread(file, &last, 1, size - 1) == 1 && last == '\n');
}

/// Ascending in time; of several for one night on one host the last one of the file counts.
void sort_and_unite(std::vector<Night>& nights) {
  const auto key = [](const Night& night) { return std::tie(night.started_at, night.host); };
  std::ranges::stable_sort(nights, [&](const Night& one, const Night& other) { return key(one) < key(other); });
  std::vector<Night> each;
  for (Night& night : nights) {
    if (!each.empty() && key(each.back()) == key(night)) each.back() = std::move(night);
    else each.push_back(std::move(night));
  }
  nights = std::move(each);
}

std::string a_day_from_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr) + 24L * 60 * 60));
}

void set_apart(History& history, const std::string& latest) {
  const auto first = std::ranges::upper_bound(history.nights, latest, {}, &Night::started_at);
  if (first == history.nights.begin()) return;  // then it is this clock that is wrong
  history.ahead.assign(std::make_move_iterator(first), std::make_move_iterator(history.nights.end()));
  history.nights.erase(first, history.nights.end());
}

}  // namespace

History read_history(const std::string& path, const std::string& latest) {
  std::error_code ignored;
  const std::string file = std::filesystem::is_directory(path, ignored) ? path + "/" + nights_file : path;
  const std::string text = read_text_file(file, largest_result);
  History history;
  std::string_view left = text;
  std::string first_error;
  for (std::size_t number = 1; !left.empty(); ++number) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    const std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    if (line.empty()) continue;
    try {
      history.nights.push_back(night_of_line(line, fmt::format("{}:{}", file, number)));
      history.broken_end = false;
    } catch (const std::exception& error) {
      if (history.left_out++ == 0) first_error = error.what();
      history.broken_end = true;
    }
  }
  if (history.nights.empty() && history.left_out > 0) throw usage_error(file, "holds no night: " + first_error);
  sort_and_unite(history.nights);
  set_apart(history, latest.empty() ? a_day_from_now() : latest);
  return history;
}

std::string left_out_in_words(const History& history) {
  std::string text;
  if (history.left_out > 0) text = fmt::format("broken lines left out: {}", history.left_out);
  if (!history.ahead.empty())
    text += fmt::format("{}nights of the future left out: {}", text.empty() ? "" : "; ", history.ahead.size());
  return text;
}

void append_night(const std::string& directory, const Night& night) {
  const std::string path = directory + "/" + nights_file;
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  struct stat info {};
  if (!file || ::fstat(file.get(), &info) != 0) throw failure(path);
  const std::string line = (ends_line(file.get(), info.st_size) ? "" : "\n") + dumped(to_json(night)) + "\n";
  if (written(file.get(), line) && ::fsync(file.get()) == 0) return;
  const Error why = failure(path);
  static_cast<void>(::ftruncate(file.get(), info.st_size));
  throw why;
}

void keep_nights(const std::string& directory, std::size_t most) {
  std::error_code error;
  const std::string path = std::filesystem::weakly_canonical(directory + "/" + nights_file, error).string();
  const History history = read_history(path, "~");                    // with those of the future
  if (history.nights.size() <= most || history.left_out > 0) return;  // what cannot be read is not thrown away
  std::string text;
  for (std::size_t i = history.nights.size() - most; i < history.nights.size(); ++i)
    text += dumped(to_json(history.nights[i])) + "\n";
  const std::string beside = path + ".part";
  ::unlink(beside.c_str());  // one that a crash has left; never what a link there leads to
  const Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (file && written(file.get(), text) && ::fsync(file.get()) == 0 && ::rename(beside.c_str(), path.c_str()) == 0)
    return;
  const Error why = failure(path);
  ::unlink(beside.c_str());
  throw why;
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
                                  .figures = figures_of(result)}}});
  return night;
}

}  // namespace edagen
