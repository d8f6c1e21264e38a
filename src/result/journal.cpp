#include "result/journal.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "edagen/error.hpp"

namespace edagen {

Journal::Journal(std::string path) : Journal(std::move(path), O_TRUNC) {}

Journal::Journal(std::string path, int flags)
    : path_(std::move(path)),
      file_(path_ == "-" ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                         : ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0644)) {
  struct stat info {};
  if (!file_ || ::fstat(file_.get(), &info) != 0) throw usage_error("journal " + path_, std::strerror(errno));
  is_file_ = path_ != "-" && S_ISREG(info.st_mode);
}

void Journal::header(const Result& result) { append("header", Document::object(), to_json(result)); }

void Journal::interval(std::size_t point, Phase phase, const IntervalFigures& interval) {
  append("interval", {{"point", point}, {"phase", to_string(phase)}}, to_json(interval));
}

void Journal::point(std::size_t number, const PointFigures& point) {
  append("point", {{"point", number}}, to_json(point));
}

void Journal::end(const Result& result) { append("end", Document::object(), end_json(result)); }

void Journal::whole(const Result& result) {
  Result before = result;
  before.load_points.clear();
  header(before);
  for (std::size_t i = 0; i < result.load_points.size(); ++i) point(i, result.load_points[i]);
  end(result);
}

void Journal::comparison(const ComparisonResult& comparison) {
  append("comparison", Document::object(), to_json(comparison));
}

void Journal::run(std::size_t variant, std::size_t repeat) {
  append("run", {{"variant", variant}, {"repeat", repeat}}, Document::object());
}

void Journal::staleness(std::size_t variant, const StalenessFigures& staleness) {
  append("staleness", {{"variant", variant}}, to_json(staleness));
}

void Journal::refused(std::size_t variant, const std::string& why) {
  append("refused", {{"variant", variant}, {"why", why}}, Document::object());
}

void Journal::comparison_end(const ComparisonResult& comparison) {
  append("comparison_end",
         {{"status", to_string(comparison.status)}, {"finished_at", comparison.finished_at.value_or("")}},
         Document::object());
}

void Journal::append(const char* type, const Document& head, const Document& body) {
  Document line = {{"type", type}};
  line.update(head);
  line.update(body);
  const std::string text = (torn_ ? "\n" : "") + dumped(line) + "\n";
  std::size_t done = 0;
  int error = 0;
  while (done < text.size() && error == 0) {
    const ssize_t written = ::write(file_.get(), text.data() + done, text.size() - done);
    if (written > 0) done += static_cast<std::size_t>(written);
    else if (written == 0 || errno != EINTR) error = written == 0 ? ENOSPC : errno;
  }
  if (error == 0) {
    size_ += static_cast<off_t>(done);
    torn_ = false;
    return;
  }
  // A part of a line would spoil the next one: what is whole stays.
  if (done > 0) torn_ = !is_file_ || ::ftruncate(file_.get(), size_) != 0 || ::lseek(file_.get(), size_, SEEK_SET) < 0;
  if (!std::exchange(failed_, true))
    spdlog::warn("journal {}: {}; lines are missing", one_line(path_), std::strerror(error));
}

void Journal::remove() {
  struct stat mine {
  }, named{};
  if (::fstat(file_.get(), &mine) == 0 && ::lstat(path_.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
      mine.st_dev == named.st_dev)
    ::unlink(path_.c_str());
}

Journal Journal::in_default_place() {
  namespace fs = std::filesystem;
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  const fs::path base = state && *state ? fs::path(state)
                        : home && *home ? fs::path(home) / ".local/state"
                                        : fs::path();
  if (!base.empty()) try {
      std::error_code ignored;
      fs::create_directories(base / "edagen", ignored);
      return fresh_in(base / "edagen");
    } catch (const Error&) {  // of another user, or read-only
    }
  return fresh_in(fs::temp_directory_path());
}

Journal Journal::fresh_in(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string name = fmt::format("{:%Y%m%dT%H%M%S}-{}", fmt::gmtime(std::time(nullptr)), ::getpid());
  // In $TMPDIR others may have guessed the name.
  for (int again = 0;; ++again) {
    const fs::path path = folder / (name + (again == 0 ? "" : fmt::format("-{}", again)) + ".jsonl");
    if (again == 100 || !fs::exists(fs::symlink_status(path, error))) return Journal(path, O_EXCL | O_NOFOLLOW);
  }
}

}  // namespace edagen
