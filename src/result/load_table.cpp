#include "result/load_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include "base/json_schema.hpp"
#include "base/number.hpp"
#include "base/text_file.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

using nlohmann::json;
using Cells = std::vector<std::string>;

/// The cells of a line of CSV; a quoted one may hold commas and doubled quotes.
Cells cells_of(const std::string& line) {
  Cells cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') cells.back() += line[++i];
    else if (c == '"') quoted = !quoted;
    else if (!quoted && (c == ',' || c == '\t' || c == ';')) cells.emplace_back();
    else if (c != '\r') cells.back() += c;
  }
  return cells;
}

/// Thousands may have commas.
std::optional<double> number_in(std::string text) {
  std::erase_if(text, [](char c) { return c == ',' || c == ' '; });
  return number_of(text);
}

/// "avglatms" of "Avg Lat (ms)"
std::string plain(const std::string& head) {
  std::string letters;
  for (const char c : head)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

constexpr std::size_t no_column = static_cast<std::size_t>(-1);

struct Columns {
  std::size_t rate = 0, latency = 1, count = 2;
  double ms = 1;  ///< of a unit of the latency
  std::size_t purpose = no_column;
};

std::optional<std::size_t> column_named(const Cells& heads, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = std::ranges::find(heads, name, plain);
    if (found != heads.end()) return static_cast<std::size_t>(found - heads.begin());
  }
  return std::nullopt;
}

/// Throws Error (usage).
Columns columns_of(const Cells& heads, const std::string& path) {
  const auto rate = column_named(heads, {"achievedoprate", "achieved", "achievedopspersec", "achievedopss", "rate",
                                         "oprate", "opspersec", "opss", "iops", "requestedoprate"});
  if (!rate) throw usage_error(path + ":1", "has no column of rates", "Achieved Op Rate, or rate, in ops/s");
  const auto in_ms = column_named(heads, {"avglatms", "avglat", "latencyms", "latms", "meanms", "responsems",
                                          "avgresponsetimems", "responsetimems", "latency", "lat", "mean", "response"});
  const auto in_us = column_named(heads, {"avglatus", "latencyus", "latus", "meanus", "responseus"});
  if (!in_ms && !in_us)
    throw usage_error(path + ":1", "has no column of latencies", "Avg Lat (ms), or latency_ms or latency_us");
  return {*rate, in_ms.value_or(in_us.value_or(0)), heads.size(), in_ms ? 1 : 1e-3,
          column_named(heads, {"purpose"}).value_or(no_column)};
}

std::vector<RateLatency> points_of_csv(const std::string& text, const std::string& path) {
  std::vector<RateLatency> points;
  std::optional<Columns> columns;
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r,;") == std::string::npos || line.starts_with('#')) continue;
    const Cells cells = cells_of(line);
    if (!columns && !number_in(cells.front())) {
      columns = columns_of(cells, path);
      continue;
    }
    if (!columns) columns = Columns();
    if (columns->purpose < cells.size() && cells[columns->purpose] != "load point" &&
        cells[columns->purpose] != "shape")
      continue;
    const std::string where = fmt::format("{}:{}", path, number);
    if (std::max(columns->rate, columns->latency) >= cells.size()) throw usage_error(where, "has too few columns");
    if (std::any_of(cells.begin() + static_cast<std::ptrdiff_t>(std::min(columns->count, cells.size())), cells.end(),
                    [](const std::string& cell) { return !cell.empty(); }))
      throw usage_error(where, fmt::format("has more than {} columns", columns->count),
                        "a number with a comma stands in quotes: \"20,500\"");
    const auto rate = number_in(cells[columns->rate]), latency = number_in(cells[columns->latency]);
    if (!rate || !latency || *rate <= 0 || *latency <= 0)
      throw usage_error(where, fmt::format("'{}' and '{}' are no rate and latency above 0",
                                           one_line(cells[columns->rate]), one_line(cells[columns->latency])));
    points.push_back({*rate, Millis(*latency * columns->ms), Millis(0)});
  }
  return points;
}

/// IOPS, and latency times IOPS, of a direction of a job.
void add_direction(const json& direction, double& iops, double& weighted_ms, const std::string& where) {
  const double rate = direction.value("iops", 0.0);
  if (rate <= 0) return;
  for (const auto& [name, ms] : {std::pair("lat_ns", 1e-6), {"clat_ns", 1e-6}, {"lat", 1e-3}, {"clat", 1e-3}}) {
    if (!direction.contains(name) || direction[name].value("mean", 0.0) <= 0) continue;
    iops += rate;
    weighted_ms += rate * ms * direction[name]["mean"].get<double>();
    return;
  }
  throw usage_error(where, "has no mean latency", "fio's own --output-format=json");
}

std::vector<RateLatency> points_of_fio(const json& document, const std::string& path) {
  std::map<int, std::pair<double, double>> groups;  // jobs that ran together: IOPS, and latency times IOPS
  try {
    for (const json& job : document.at("jobs")) {
      auto& [iops, weighted_ms] = groups[job.value("groupid", 0)];
      for (const char* const direction : {"read", "write"})
        if (job.contains(direction))
          add_direction(job[direction], iops, weighted_ms,
                        fmt::format("{}: job {}", path, one_line(job.value("jobname", std::string("?")))));
    }
  } catch (const json::exception&) {
    throw usage_error(path, "is no result of fio: it has no jobs with iops and latencies", "fio --output-format=json");
  }
  std::vector<RateLatency> points;
  for (const auto& [group, sums] : groups)
    if (sums.first > 0) points.push_back({sums.first, Millis(sums.second / sums.first), Millis(0)});
  return points;
}

}  // namespace

LoadTable read_load_table(const std::string& path) {
  const std::string text = read_text_file(path, largest_definition);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string::npos && text[first] == '{';
  LoadTable table{std::filesystem::path(path).filename().string(),
                  is_json ? points_of_fio(parse_json<json>(text, path), path) : points_of_csv(text, path)};
  if (table.points.empty()) throw usage_error(path, "has no load point");
  std::ranges::stable_sort(table.points, {}, &RateLatency::rate);
  return table;
}

}  // namespace edagen
