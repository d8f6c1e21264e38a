#include "edagen/report/result_file.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <optional>

#include "edagen/core/error.hpp"
#include "edagen/core/json_schema.hpp"
#include "edagen/core/text_file.hpp"

namespace edagen {
namespace {

constexpr std::string_view schema = "workloads/schema/result.schema.json";
constexpr std::array<std::string_view, 5> end_keys{"status", "finished_at", "at_latency_target", "series", "ort_ms"};

/// What the intervals of a point that did not end tell: rates and mean latencies, no percentiles of the whole.
Document point_of_intervals(const Document& intervals) {
  double seconds = 0, operations = 0, mib = 0, response = 0, service = 0, p99 = 0;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const Document& interval = intervals[i];
    const double length = interval["seconds"], count = interval["ops_per_sec"].get<double>() * length;
    seconds += length;
    operations += count;
    mib += interval["mib_per_sec"].get<double>() * length;
    response += interval["response_mean_ms"].get<double>() * count;
    service += interval["service_mean_ms"].get<double>() * count;
    p99 = std::max(p99, interval["response_p99_ms"].get<double>());
  }
  CurvePoint empty;
  empty.purpose = "incomplete";
  empty.stats.length = Nanos(1);
  empty.stats.interrupted = true;
  empty.invalid = {"interrupted"};
  Document point = load_point_json(empty);
  point["achieved_ops_per_sec"] = operations / seconds;
  point["mib_per_sec"] = mib / seconds;
  point["seconds"] = seconds;
  point["operations"] = static_cast<std::uint64_t>(std::min(operations, 1e18) + 0.5);
  point["latency_ms"]["response"]["mean"] = response / std::max(1.0, operations);
  point["latency_ms"]["response"]["p99"] = p99;  // the worst second's: an upper bound of the whole
  point["latency_ms"]["service"]["mean"] = service / std::max(1.0, operations);
  point["statistic_ms"]["value"] = response / std::max(1.0, operations);
  point["intervals"] = intervals;
  return point;
}

/// Throws Error unless `body` is what a line of this type holds by the schema of a result.
void check_line(const std::string& type, const Document& body) {
  const auto check = [](const Document& value, const std::string& part) { check_schema(nlohmann::json(value), schema, "line", part); };
  if (type == "point") check(body, "/definitions/load_point");
  if (type == "interval") check(body, "/definitions/load_point/properties/intervals/items");
  if (type == "interval" && !(body["seconds"].get<double>() > 0)) throw usage_error("seconds", "is not above 0");
  if (type != "end") return;
  for (const auto& [key, value] : body.items()) {
    if (std::find(end_keys.begin(), end_keys.end(), key) == end_keys.end()) throw usage_error(key, "is not of an end");
    check(value, "/properties/" + key);
  }
}

/// A header as the document of a run that did not end. Throws Error when it is none.
Document begun(Document header, const std::string& where) {
  header["status"] = "incomplete";
  header["finished_at"] = header["started_at"];
  for (const char* const list : {"load_points", "at_latency_target"}) header[list] = Document::array();
  for (const char* const key : {"ort_ms", "series"}) header[key] = nullptr;
  header["ort_variant"] = overall_response_time_variant;
  check_schema(nlohmann::json(header), schema, where);
  return header;
}

constexpr std::size_t most_broken_lines = 10'000;

/// A line of a journal; nullopt when it is not whole or not of the right shape.
struct Line {
  std::string type, phase;
  Document body;
};
std::optional<Line> line_of(std::string_view text) {
  if (text.empty()) return std::nullopt;
  try {
    Line line{"", "", parse_json<Document>(text, "")};
    if (!line.body.is_object()) return std::nullopt;
    for (const auto& [key, value] : {std::pair<const char*, std::string*>{"type", &line.type}, {"phase", &line.phase}}) {
      if (!line.body.contains(key)) continue;
      if (!line.body[key].is_string()) return std::nullopt;
      *value = line.body[key];
    }
    for (const char* const key : {"type", "point", "phase"}) line.body.erase(key);
    check_line(line.type, line.body);
    return line;
  } catch (const Error&) {
    return std::nullopt;
  }
}

Document read_journal(std::string_view text, const std::string& path) {
  if (text.empty()) throw usage_error(path, "is empty: its run ended before anything was measured");
  Document result, under_way = Document::array();
  std::size_t number = 0, left_out = 0;
  bool ended = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::optional<Line> line = line_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const std::string type = line ? line->type : "";
    if (type == "header" && result.is_null()) result = begun(line->body, fmt::format("{}:{}", path, number));
    else if (result.is_null()) ++left_out;
    else if (type == "interval" && line->phase == "measure") under_way.push_back(line->body);
    else if (type == "interval") under_way.clear();
    else if (type == "point") result["load_points"].push_back(line->body), under_way.clear();
    else if (type == "end") result.update(line->body), ended = true;
    else ++left_out;
    if (left_out > most_broken_lines) throw usage_error(path, fmt::format("is not a journal: more than {} of its lines are broken", most_broken_lines));
  }
  if (result.is_null()) throw usage_error(path, "is not a journal: it has no header");
  if (left_out > 0) {
    spdlog::warn("{}: {} broken {} left out", one_line(path), left_out, left_out == 1 ? "line was" : "lines were");
    for (Document& answer : result["at_latency_target"]) answer["judged_load_point"] = nullptr;  // its number may be another now
  }
  if (!ended && !under_way.empty()) result["load_points"].push_back(point_of_intervals(under_way));
  // As in a result: `judged_load_point` counts in this order.
  Document& points = result["load_points"];
  const auto requested = [](const Document& point) {
    const Document& rate = point["requested_ops_per_sec"];
    return rate.is_number() ? rate.get<double>() : 0;
  };
  std::stable_sort(points.begin(), points.end(), [&](const Document& a, const Document& b) { return requested(a) < requested(b); });
  return result;
}

}  // namespace

Document read_result(const std::string& path) {
  const std::string text = read_text_file(path, largest_result);
  const Document result = path.ends_with(".jsonl") ? read_journal(text, path) : parse_json<Document>(text, path);
  check_schema(nlohmann::json(result), schema, path);
  if (result["target"]["kind"] == "sim" && result["target"]["model"].is_null())
    throw usage_error(path + "#/target/model", "is null though the kind is sim");
  for (const Document& answer : result["at_latency_target"])
    if (const Document& index = answer["judged_load_point"]; !index.is_null() && index.get<std::size_t>() >= result["load_points"].size())
      throw usage_error(path, "judged_load_point is not one of its load_points");
  return result;
}

}  // namespace edagen
