#include "result/result_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/descriptor.hpp"
#include "base/json_schema.hpp"
#include "base/line_reader.hpp"
#include "base/text_file.hpp"
#include "edagen/error.hpp"
#include "result/journal.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

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

/// A header as the document of a run that did not end.
Document begun(Document header) {
  header["status"] = to_string(Status::incomplete);
  header["finished_at"] = header["started_at"];
  for (const char* const list : {"load_points", "at_latency_target"}) header[list] = Document::array();
  for (const char* const key : {"ort_ms", "series"}) header[key] = nullptr;
  header["ort_variant"] = overall_response_time_variant;
  return header;
}

constexpr std::size_t most_broken_lines = 10'000;

/// A line of a journal, taken apart; nullopt when it is no object of the right shape.
struct Line {
  std::string type, phase;
  std::optional<std::size_t> point;        ///< where the load point stands among the others
  std::optional<std::size_t> load_points;  ///< how many an end counts; older versions did not write it
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
    return line;
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// The rate in a line with which a load point begins. Throws Error when it is none.
std::optional<double> requested_in(const Document& body) {
  const auto rate = body.find("requested_ops_per_sec");
  if (rate == body.end() || rate->is_null()) return std::nullopt;
  if (!rate->is_number()) throw usage_error("requested_ops_per_sec", "is not a number");
  return rate->get<double>();
}

/// Throws Error when the line is none of an interval, or its ops or mounts are none.
IntervalFigures interval_in(Document body) {
  if (const auto ops = body.find("ops"); ops != body.end()) {
    static_cast<void>(from_checked_json<std::map<OpKind, IntervalOpFigures>>(*ops, "ops"));
    body.erase("ops");
  }
  if (const auto mounts = body.find("mounts"); mounts != body.end()) {
    static_cast<void>(from_checked_json<std::vector<IntervalOpFigures>>(*mounts, "mounts"));
    body.erase("mounts");
  }
  auto interval = from_checked_json<IntervalFigures>(body, "line");
  if (interval.length <= Seconds(0)) throw usage_error("seconds", "is not above 0");
  return interval;
}

/// The document of a run with what its end adds. Throws Error when the line has other members.
Document with_end(Document document, const Document& end) {
  for (const auto& [name, value] : end.items()) {
    if (std::ranges::find(members_of_end, name) == members_of_end.end()) throw usage_error(name, "is not of an end");
    document[name] = value;
  }
  return document;
}

/// Throws Error (usage) on what the schema cannot say.
Result checked(Result result, const std::string& path) {
  if (result.simulated() && !result.target.model)
    throw usage_error(path + "#/target/model", "is null though the kind is sim");
  for (const AnswerFigures& answer : result.at_latency_target)
    if (answer.demonstrated && answer.demonstrated->load_point >= result.load_points.size())
      throw usage_error(path, "demonstrated.load_point is not one of its load_points");
  return result;
}

}  // namespace

struct JournalReading::State {
  Document begun;  // what the header makes of the document
  std::optional<Result> result;
  std::vector<IntervalFigures> in_flight;     // of the point that is being measured
  std::optional<double> requested;            // of the same; an older version did not write it
  std::optional<std::size_t> place;           // of the same, among the others
  std::map<std::size_t, std::size_t> places;  // by number among the others: which load point of the result it is
  std::size_t number = 0, left_out = 0, left_out_bytes = 0, promised = 0;
  bool ended = false, points_are_missing = false;

  bool take(const std::string& type, const std::string& phase, std::optional<std::size_t> at,
            std::optional<std::size_t> count, const Document& body);
  void begin_point_at(std::optional<std::size_t> at);
  void add_point(PointFigures point, std::size_t at);
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
  if (!line) return false;
  if (line->type == "header" && !at.result) {
    at.begun = begun(line->body);
    at.result = from_checked_json<Result>(at.begun, fmt::format("{}:{}", path_, at.number));
    return true;
  }
  try {
    return at.result && at.take(line->type, line->phase, line->point, line->load_points, line->body);
  } catch (const Error&) {
    return false;
  }
}

/// The next point in flight.
void JournalReading::State::begin_point_at(std::optional<std::size_t> at) {
  points_are_missing |= !in_flight.empty() || (at && *at != result->load_points.size());
  in_flight.clear();
  requested.reset();
  place = at;
}

/// A load point that is there already is replaced: it has got ops that were found stuck when its load ended.
void JournalReading::State::add_point(PointFigures point, std::size_t at) {
  const auto [known, is_new] = places.try_emplace(at, result->load_points.size());
  if (!is_new) {
    result->load_points[known->second] = std::move(point);
    return;
  }
  points_are_missing |= at != result->load_points.size();
  result->load_points.push_back(std::move(point));
  in_flight.clear();
  requested.reset();
}

/// A line after the header. Throws Error when its figures are none.
bool JournalReading::State::take(const std::string& type, const std::string& phase, std::optional<std::size_t> at,
                                 std::optional<std::size_t> count, const Document& body) {
  if (type == "point_begins") {
    const std::optional<double> rate = requested_in(body);
    begin_point_at(at);
    requested = rate;
  } else if (type == "interval") {
    IntervalFigures interval = interval_in(body);
    if (at && at != place) begin_point_at(at);  // the line with which it began was not written
    // The warm-up is over, or a window that trended is measured again.
    if (phase != "measure" || (!in_flight.empty() && interval.start <= in_flight.back().start)) in_flight.clear();
    if (phase == "measure") in_flight.push_back(std::move(interval));
  } else if (type == "point") {
    add_point(from_checked_json<PointFigures>(body, "line"), at.value_or(result->load_points.size()));
  } else if (type == "end") {
    auto whole = from_checked_json<Result>(with_end(begun, body), "line");
    whole.load_points = std::move(result->load_points);
    result = std::move(whole);
    ended = true;
    promised = count.value_or(result->status == Status::complete ? 1 : 0);
  } else {
    return false;
  }
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

Result result_of_document(const Document& document, const std::string& path) {
  Result result = from_checked_json<Result>(document, path);
  note_edits(document, path, result.notes);
  return checked(std::move(result), path);
}

bool is_journal(const std::string& path) {
  constexpr std::string_view begin = R"({"type":")";
  if (path.ends_with(".jsonl")) return true;
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  char text[begin.size()];
  return file && ::pread(file.get(), text, sizeof text, 0) == static_cast<ssize_t>(sizeof text) &&
         std::string_view(text, sizeof text) == begin;
}

Result read_unedited_result(const std::string& path) {
  const auto document = parse_json<Document>(read_text_file(path, largest_result), path);
  if (!document.contains("digest") || was_edited(document))
    throw usage_error(path, "was edited since edagen wrote it", "without it this run is measured again");
  return result_of_document(document, path);
}

Result read_result(const std::string& path) {
  if (is_journal(path)) {
    LineReader lines(path, largest_result);
    JournalReading journal(path);
    while (const auto line = lines.next()) journal.add(*line);
    return checked(journal.result(), path);
  }
  return result_of_document(parse_json<Document>(read_text_file(path, largest_result), path), path);
}

}  // namespace edagen
