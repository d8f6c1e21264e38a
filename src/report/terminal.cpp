#include "report/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/curve_text.hpp"
#include "report/point_text.hpp"
#include "report/run_text.hpp"
#include "report/series_text.hpp"
#include "result/escaped_text.hpp"

namespace edagen {
namespace {

std::string load_of(const PointFigures& point) {
  return point.requested_ops_per_sec ? per_second(*point.requested_ops_per_sec) + " ops/s" : "full speed";
}

/// About a journal with an end but no load point: the load points are missing. About a journal without an end: when the
/// run was cut off, and which load points are whole.
std::string cut_off_text(const Result& result) {
  if (result.status != Status::incomplete) return "";
  if (result.failure) return "This journal is incomplete: " + *result.failure + "\n";
  const PointFigures* cut = nullptr;
  std::vector<std::string> loads;  // ascending, each once
  std::uint64_t whole = 0;
  for (const PointFigures& point : result.load_points) {
    if (point.purpose == Purpose::incomplete) {
      cut = &point;
      continue;
    }
    ++whole;
    if (loads.empty() || loads.back() != load_of(point)) loads.push_back(load_of(point));
  }
  constexpr std::size_t most_named = 6;
  const std::string which =
      loads.size() > most_named ? loads.front() + " to " + loads.back() : fmt::format("{}", fmt::join(loads, ", "));
  return fmt::format(
      "This run was cut off: it began at {} and ended without a result, {}\n  {}\n", result.started_at,
      cut     ? fmt::format("{} into {}", format_duration(from_seconds(cut->seconds.count())),
                        cut->requested_ops_per_sec ? "the load point at " + load_of(*cut) : "a load point")
      : whole ? "after its last whole load point"
              : "before anything was measured",
      whole ? fmt::format("whole: {}, at {}", counted(whole, "load point"), which) : "no load point is whole");
}

}  // namespace

std::string result_text(const Result& raw, bool search_blocks, const std::vector<LoadTable>& beside) {
  const Result result = with_escaped_text(raw);
  std::string cut_off = cut_off_text(result);
  if (result.load_points.empty() && !cut_off.empty()) return cut_off;
  if (result.load_points.empty())
    return "Nothing was measured" + (result.failure ? ": " + *result.failure : std::string(".")) + "\n";
  if (result.series) return series_text(result, search_blocks);
  const bool is_curve = !result.at_latency_target.empty() || (!cut_off.empty() && result.load_points.size() > 1) ||
                        std::ranges::any_of(result.load_points, [](const PointFigures& point) {
                          return point.purpose != Purpose::load_point && point.purpose != Purpose::incomplete;
                        });
  return cut_off + (is_curve ? curve_text(result, search_blocks, beside) : run_text(result));
}

}  // namespace edagen
