#include "result/journal.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "edagen/error.hpp"

namespace edagen {

Journal::Journal(std::string path) : Journal(std::move(path), O_TRUNC) {}

Journal::Journal(std::string path, int flags) : lines_("journal", std::move(path), flags) {}

void Journal::header(const Result& result) { append("header", Document::object(), to_json(result)); }

void Journal::point_begins(std::size_t point, std::optional<double> requested_ops_per_sec) {
  const Document rate = requested_ops_per_sec ? Document(*requested_ops_per_sec) : Document(nullptr);
  append("point_begins", {{"point", point}}, {{"requested_ops_per_sec", rate}});
}

void Journal::interval(std::size_t point, Phase phase, const IntervalFigures& interval,
                       const std::map<OpKind, IntervalOpFigures>& ops) {
  Document body = to_json(interval);
  body["ops"] = to_json(ops);
  append("interval", {{"point", point}, {"phase", to_string(phase)}}, body);
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
  Document body = Document::object();
  if (comparison.failure) body["failure"] = *comparison.failure;
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
