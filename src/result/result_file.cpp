#include "result/result_file.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/json_schema.hpp"
#include "base/line_reader.hpp"
#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "result/document_digest.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

constexpr std::string_view schema = "workloads/schema/result.schema.json";
constexpr std::array<std::string_view, 6> end_keys{"status", "failure", "finished_at", "at_latency_target",
                                                   "series", "ort_ms"};

/// What the intervals of a point that did not end tell: rates and mean latencies, no percentiles of the whole.
PointFigures point_of_intervals(const std::vector<IntervalFigures>& intervals, std::optional<double> requested) {
  double seconds = 0, operations = 0, mib = 0, timed = 0;
  Millis response{0}, service{0};
  PointFigures point;
  point.purpose = Purpose::incomplete;
  point.requested_ops_per_sec = requested;
  point.intervals = intervals;
  point.invalid = {Invalid::interrupted};
  Millis& p99 = point.latency.response.p99;  // the worst second's: an upper bound of the whole
  for (const IntervalFigures& interval : intervals) {
    const double length = interval.length.count(), count = interval.ops_per_sec * length;
    seconds += length;
    operations += count;
    mib += interval.mib_per_sec * length;
    if (interval.response_mean) timed += count;
    response += interval.response_mean.value_or(Millis(0)) * count;
    service += interval.service_mean.value_or(Millis(0)) * count;
    p99 = std::max(p99, interval.response_p99.value_or(Millis(0)));
  }
  point.achieved_ops_per_sec = operations / seconds;
  point.mib_per_sec = mib / seconds;
  point.seconds = Seconds(seconds);
  point.operations = static_cast<std::uint64_t>(std::llround(std::min(operations, 1e18)));
  point.latency.response.mean = point.statistic.value = response / std::max(1.0, timed);
  point.latency.service.mean = service / std::max(1.0, timed);
  return point;
}

/// Throws Error unless `body` is what a line of this type holds by the schema of a result.
void check_line(const std::string& type, const Document& body) {
  const auto check = [](const Document& value, const std::string& part) {
    check_schema(nlohmann::json(value), schema, "line", part);
  };
  if (type == "point") check(body, "/definitions/load_point");
  if (type == "point_begins" && body.contains("requested_ops_per_sec"))
    check(body["requested_ops_per_sec"], "/definitions/load_point/properties/requested_ops_per_sec");
  if (type == "interval" && body.contains("ops")) check(body["ops"], "/definitions/interval_ops");
  if (type == "interval") {
    Document interval = body;
    interval.erase("ops");
    check(interval, "/definitions/load_point/properties/intervals/items");
  }
  if (type == "interval" && !(body["seconds"].get<double>() > 0)) throw usage_error("seconds", "is not above 0");
  if (type != "end") return;
  for (const auto& [key, value] : body.items()) {
    if (std::find(end_keys.begin(), end_keys.end(), key) == end_keys.end()) throw usage_error(key, "is not of an end");
    check(value, "/properties/" + key);
  }
}

/// A header as the result of a run that did not end. Throws Error when it is none.
Result begun(Document header, const std::string& where) {
  header["status"] = to_string(Status::incomplete);
  header["finished_at"] = header["started_at"];
  for (const char* const list : {"load_points", "at_latency_target"}) header[list] = Document::array();
  for (const char* const key : {"ort_ms", "series"}) header[key] = nullptr;
  header["ort_variant"] = overall_response_time_variant;
  check_schema(nlohmann::json(header), schema, where);
  return result_from_json(header);
}

constexpr std::size_t most_broken_lines = 10'000;

/// A line of a journal; nullopt when it is not whole or not of the right shape.
struct Line {
  std::string type, phase;
  std::optional<std::size_t> point;        ///< its place
  std::optional<std::size_t> load_points;  ///< of an end: how many there are; older versions did not write it
  Document body;
};
std::optional<Line> line_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  try {
    Line line{"", "", std::nullopt, std::nullopt, parse_json<Document>(text, "")};
    if (!line.body.is_object()) return std::nullopt;
    for (const auto& [key, value] :
         {std::pair<const char*, std::string*>{"type", &line.type}, {"phase", &line.phase}}) {
      if (!line.body.contains(key)) continue;
      if (!line.body[key].is_string()) return std::nullopt;
      *value = line.body[key];
    }
    if (const auto at = line.body.find("point"); at != line.body.end() && at->is_number_unsigned())
      line.point = at->get<std::size_t>();
    for (const char* const key : {"type", "point", "phase"}) line.body.erase(key);
    if (const auto count = line.body.find("load_points"); count != line.body.end() && count->is_number_unsigned()) {
      line.load_points = count->get<std::size_t>();
      line.body.erase("load_points");
    }
    check_line(line.type, line.body);
    return line;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Of a line that says that a load point begins.
std::optional<double> requested_in(const Document& body) {
  const auto rate = body.find("requested_ops_per_sec");
  return rate != body.end() && rate->is_number() ? std::optional(rate->get<double>()) : std::nullopt;
}

}  // namespace

struct JournalReading::State {
  std::optional<Result> result;
  std::vector<IntervalFigures> in_flight;  // of the point that is being measured
  std::optional<double> requested;         // of the same; an older version did not write it
  std::size_t number = 0, left_out = 0, left_out_bytes = 0, promised = 0;
  bool ended = false, points_are_missing = false;
};

JournalReading::JournalReading(std::string path) : path_(std::move(path)), state_(std::make_unique<State>()) {}
JournalReading::~JournalReading() = default;

void JournalReading::add(std::string_view text) {
  ++state_->number;
  if (take(text)) return;
  ++state_->left_out;
  state_->left_out_bytes += text.size();
  if (state_->left_out > most_broken_lines)
    throw usage_error(path_, fmt::format("is not a journal: more than {} of its lines are broken", most_broken_lines));
}

/// False when the line is left out.
bool JournalReading::take(std::string_view text) {
  State& at = *state_;
  const std::optional<Line> line = line_of(text);
  const std::string type = line ? line->type : "";
  if (type == "header" && !at.result) at.result = begun(line->body, fmt::format("{}:{}", path_, at.number));
  else if (!at.result) return false;
  else if (type == "point_begins") {
    at.requested = requested_in(line->body);
    at.points_are_missing |= !at.in_flight.empty();
    at.in_flight.clear();
  } else if (type == "interval" && line->phase == "measure") at.in_flight.push_back(interval_from_json(line->body));
  else if (type == "interval") at.in_flight.clear();
  else if (type == "point") {
    at.points_are_missing |= line->point && *line->point != at.result->load_points.size();
    at.result->load_points.push_back(point_from_json(line->body));
    at.in_flight.clear();
    at.requested.reset();
  } else if (type == "end") {
    add_end(*at.result, line->body);
    at.ended = true;
    at.promised = line->load_points.value_or(at.result->status == Status::complete ? 1 : 0);
  } else return false;
  return true;
}

Result JournalReading::result() {
  State& at = *state_;
  if (at.number == 0) throw usage_error(path_, "is empty: its run ended before anything was measured");
  if (!at.result) throw usage_error(path_, "is not a journal: it has no header");
  at.points_are_missing |= (at.ended && !at.in_flight.empty()) || at.result->load_points.size() < at.promised;
  if (at.left_out > 0)
    spdlog::warn("{}: {} broken {} left out, {} bytes", path_, at.left_out,
                 at.left_out == 1 ? "line was" : "lines were", at.left_out_bytes);
  if (at.points_are_missing) {
    spdlog::warn("{}: load points are missing: their lines were not written", path_);
    at.result->notes.emplace_back("load points are missing: their lines were not written");
  }
  if (at.ended && at.points_are_missing && at.result->load_points.empty()) {
    at.result->status = Status::incomplete;
    at.result->failure = "its load points are missing: their lines were not written";
  }
  if (at.left_out > 0 || at.points_are_missing) {
    for (AnswerFigures& answer : at.result->at_latency_target)
      answer.demonstrated.reset();  // its number may be another now
  }
  if (!at.in_flight.empty()) at.result->load_points.push_back(point_of_intervals(at.in_flight, at.requested));
  // As in a result: `demonstrated.load_point` counts in this order. One that is not over is no answer: it comes first.
  const auto place = [](const PointFigures& point) {
    return point.purpose == Purpose::incomplete ? 0 : point.requested_ops_per_sec.value_or(0);
  };
  std::ranges::stable_sort(at.result->load_points, {}, place);
  return *std::move(at.result);
}

Result result_of_journal(std::string_view text, const std::string& path) {
  JournalReading journal(path);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    journal.add(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return journal.result();
}

namespace {

/// Throws Error (usage) on what the schema cannot say.
void check_references(const Result& result, const std::string& path) {
  if (result.simulated() && !result.target.model)
    throw usage_error(path + "#/target/model", "is null though the kind is sim");
  for (const AnswerFigures& answer : result.at_latency_target)
    if (answer.demonstrated && answer.demonstrated->load_point >= result.load_points.size())
      throw usage_error(path, "demonstrated.load_point is not one of its load_points");
}

Result checked(Result result, const std::string& path) {
  check_references(result, path);
  return result;
}

}  // namespace

Result result_of_document(const Document& document, const std::string& path) {
  check_schema(nlohmann::json(document), schema, path);
  warn_if_edited(document, path);
  return checked(result_from_json(document), path);
}

Result read_result(const std::string& path) {
  if (path.ends_with(".jsonl")) {
    LineReader lines(path, largest_result);
    JournalReading journal(path);
    while (const auto line = lines.next()) journal.add(*line);
    return checked(journal.result(), path);
  }
  return result_of_document(parse_json<Document>(read_text_file(path, largest_result), path), path);
}

}  // namespace edagen
