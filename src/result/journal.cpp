#include "result/journal.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/descriptor.hpp"
#include "edagen/error.hpp"

namespace edagen {

namespace fs = std::filesystem;

namespace {

/// Empty: this user has none.
fs::path default_folder() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  const char* const home = std::getenv("HOME");
  if (state && *state == '/') return fs::path(state) / "edagen";  // a relative path is none (XDG Base Directory)
  return home && *home ? fs::path(home) / ".local/state/edagen" : fs::path();
}

}  // namespace

Journal::Journal(std::string path, int directory) : Journal(std::move(path), directory, O_TRUNC) {}

Journal::Journal(std::string path, int directory, int flags) : lines_("journal", std::move(path), flags, directory) {}

void Journal::header(const Result& result) { append("header", Document::object(), to_json(result)); }

void Journal::point_begins(std::size_t point, std::optional<double> requested_ops_per_sec) {
  const Document rate = requested_ops_per_sec ? Document(*requested_ops_per_sec) : Document(nullptr);
  append("point_begins", {{"point", point}}, {{"requested_ops_per_sec", rate}});
}

void Journal::interval(std::size_t point, Phase phase, const IntervalFigures& interval,
                       const std::map<OpKind, IntervalOpFigures>& ops, const std::vector<IntervalOpFigures>& mounts) {
  Document body = to_json(interval);
  body["ops"] = to_json(ops);
  if (mounts.size() > 1) body["mounts"] = to_json(mounts);
  has_figures_ = true;
  append("interval", {{"point", point}, {"phase", to_string(phase)}}, body);
}

void Journal::point(std::size_t number, const PointFigures& point) {
  has_figures_ = true;
  append("point", {{"point", number}}, to_json(point));
}

void Journal::end(const Result& result) {
  Result alone = result;
  alone.load_points.clear();
  const Document document = to_json(alone);
  Document body = Document::object();
  for (const char* const member : members_of_end) body[member] = document[member];
  body["load_points"] = result.load_points.size();
  append("end", Document::object(), body);
}

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

void Journal::slice(std::size_t variant, const RunFigures& figures) {
  has_figures_ = true;
  append("slice", {{"variant", variant}}, to_json(figures));
}

void Journal::last_run(std::size_t variant, const VariantRun& run) {
  append("last_run", {{"variant", variant}}, to_json(run));
}

void Journal::staleness(std::size_t variant, const StalenessFigures& staleness) {
  has_figures_ = true;
  append("staleness", {{"variant", variant}}, to_json(staleness));
}

void Journal::refused(std::size_t variant, const std::string& why) {
  append("refused", {{"variant", variant}, {"why", why}}, Document::object());
}

void Journal::comparison_end(const ComparisonResult& comparison) {
  Document body = Document::object();
  if (comparison.failure) body["failure"] = *comparison.failure;
  if (comparison.alternation) body["alternation"] = to_json(*comparison.alternation);
  if (comparison.repeats) body["repeats"] = *comparison.repeats;
  append("comparison_end",
         {{"status", to_string(comparison.status)}, {"finished_at", comparison.finished_at.value_or("")}}, body);
}

void Journal::append(const char* type, const Document& head, const Document& body) {
  Document line = {{"type", type}};
  line.update(head);
  line.update(body);
  lines_.add(dumped(line));
}

Journal Journal::in_default_place() {
  if (const fs::path folder = default_folder(); !folder.empty()) try {
      std::error_code ignored;
      fs::create_directories(folder.parent_path(), ignored);
      ::mkdir(folder.c_str(), 0755);  // whatever the umask is, nobody else may write there
      return fresh_in(folder);
    } catch (const Error&) {  // of another user, or read-only
    }
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error);
  if (error) throw usage_error("TMPDIR", error.message(), "or --journal FILE");
  return fresh_in(temporary);
}

std::vector<std::string> Journal::left_behind() {
  std::vector<std::string> left;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(default_folder(), none)) {
    if (entry.path().extension() != ".jsonl" || !entry.is_regular_file(none) || entry.file_size(none) == 0) continue;
    const Descriptor file(::open(entry.path().c_str(), O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC));
    if (file && ::flock(file.get(), LOCK_SH | LOCK_NB) == 0) left.push_back(entry.path().string());
  }
  std::ranges::sort(left);  // the names begin with the time
  return left;
}

Journal Journal::fresh_in(const fs::path& folder) {
  std::error_code error;
  const std::string name = fmt::format("{:%Y%m%dT%H%M%S}-{}", fmt::gmtime(std::time(nullptr)), ::getpid());
  // In $TMPDIR others may have guessed the name.
  for (int again = 0;; ++again) {
    const fs::path path = folder / (name + (again == 0 ? "" : fmt::format("-{}", again)) + ".jsonl");
    if (again == 100 || !fs::exists(fs::symlink_status(path, error)))
      return Journal(path, AT_FDCWD, O_EXCL | O_NOFOLLOW);
  }
}

}  // namespace edagen
