#include "edagen/report/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "edagen/core/error.hpp"
#include "edagen/core/json_schema.hpp"

namespace edagen {
namespace {

constexpr std::string_view schema = "workloads/schema/result.schema.json";

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
  point["operations"] = static_cast<std::uint64_t>(operations + 0.5);
  point["latency_ms"]["response"]["mean"] = response / std::max(1.0, operations);
  point["latency_ms"]["response"]["p99"] = p99;  // the worst second's: an upper bound of the whole
  point["latency_ms"]["service"]["mean"] = service / std::max(1.0, operations);
  point["statistic_ms"]["value"] = response / std::max(1.0, operations);
  point["intervals"] = intervals;
  return point;
}

Document read_journal(std::istream& lines, const std::string& path) {
  Document result, under_way = Document::array();
  std::size_t number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    const Document line = Document::parse(text, nullptr, false);
    if (line.is_discarded()) break;  // the last line of a run that was killed while writing it
    const std::string type = line.value("type", "");
    Document body = line;
    for (const char* const key : {"type", "point", "phase"}) body.erase(key);
    if (type == "header") result = body;
    else if (result.is_null()) throw usage_error(fmt::format("{}:{}", path, number), "not a journal: it has no header");
    else if (type == "interval" && line.value("phase", "") == "measure") under_way.push_back(body);
    else if (type == "interval") under_way.clear();
    else if (type == "point") result["load_points"].push_back(body), under_way.clear();
    else if (type == "end") result.update(body);
  }
  if (result.is_null()) throw usage_error(path, "is empty");
  if (result["status"] == "running") {
    result["status"] = "incomplete";
    result["finished_at"] = result["started_at"];
    if (!under_way.empty()) result["load_points"].push_back(point_of_intervals(under_way));
  }
  // As in a result: `judged_load_point` counts in this order.
  Document& points = result["load_points"];
  const auto requested = [](const Document& point) {
    const Document& rate = point["requested_ops_per_sec"];
    return rate.is_number() ? rate.get<double>() : 0;
  };
  std::stable_sort(points.begin(), points.end(), [&](const Document& a, const Document& b) { return requested(a) < requested(b); });
  if (!result.contains("at_latency_target")) result["at_latency_target"] = Document::array();
  for (const char* const key : {"ort_ms", "series"})
    if (!result.contains(key)) result[key] = nullptr;
  result["ort_variant"] = overall_response_time_variant;
  return result;
}

}  // namespace

Document read_result(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  if (file) all << file.rdbuf();
  if (!file || !all) throw usage_error(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  Document result;
  if (path.ends_with(".jsonl")) {
    std::istringstream lines(all.str());
    result = read_journal(lines, path);
  } else {
    parse_json(all.str(), path);  // for its error message
    result = Document::parse(all.str());
  }
  check_schema(nlohmann::json(result), schema, path);
  for (const Document& answer : result["at_latency_target"])
    if (const Document& index = answer["judged_load_point"]; !index.is_null() && index.get<std::size_t>() >= result["load_points"].size())
      throw usage_error(path, "judged_load_point is not one of its load_points");
  return result;
}

}  // namespace edagen
