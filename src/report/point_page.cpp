#include "report/point_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "edagen/units.hpp"
#include "report/hosts_text.hpp"
#include "report/mounts_text.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"

namespace edagen {
namespace {

constexpr std::size_t columns_max = 600;  ///< of a chart over time
constexpr double stall_factor = 5;        ///< over the median p99 of all intervals
constexpr std::size_t plotted_kinds_max = 6;
constexpr std::size_t plotted_rpcs_max = 12;

/// Shares and means of the kinds of op, and their table.
void add_ops(Document& blocks, const PointFigures& point) {
  if (point.ops.empty()) return;
  const auto chart = [&](const char* label, int colour, auto of) {
    const Document kinds = array_of(point.ops, [](const auto& op) { return to_string(op.first); });
    blocks.push_back(bar_chart(kinds, label, list_of(chart_set(label, colour, array_of(point.ops, of)))));
  };
  chart("share of ops, %", 0, [](const auto& op) { return 100 * op.second.share; });
  chart("mean response, ms", 1,
        [](const auto& op) { return op.second.latency ? milliseconds(op.second.latency->response.mean) : Document(); });
  blocks.push_back(op_table(point).block());
}

/// Response percentiles of all ops and of the most frequent kinds.
void add_percentiles(Document& blocks, const PointFigures& point) {
  if (point.ops.empty()) return;
  Document sets = Document::array();
  const auto add = [&](std::string_view label, const LatencyFigures& latency, Document colour, double width) {
    const Document values =
        array_of(std::array{latency.p50, latency.p90, latency.p95, latency.p99, latency.p99_9, latency.max},
                 [](Millis time) { return time > Millis(0) ? milliseconds(time) : Document(); });
    sets.push_back(line_set(std::string(label), "response, ms", std::move(colour), values, width, 2));
  };
  if (point.has_response()) add("all ops", point.latency.response, "grey", 3);
  std::vector<std::pair<OpKind, const OpFigures*>> kinds;
  for (const auto& [kind, op] : point.ops)
    if (op.latency) kinds.emplace_back(kind, &op);
  std::ranges::stable_sort(kinds, std::greater<>(), [](const auto& kind) { return kind.second->operations; });
  for (std::size_t i = 0; i < std::min(kinds.size(), plotted_kinds_max); ++i)
    add(to_string(kinds[i].first), kinds[i].second->latency->response, i, 1.2);
  blocks.push_back(
      line_chart(list_of("p50", "p90", "p95", "p99", "p99.9", "max"), "percentile of the ops", sets, "logarithmic"));
}

/// What the NFS client counted, over all mounts, the most frequent RPCs first.
void add_nfs(Document& blocks, const PointFigures& point) {
  if (!point.nfs) return;
  struct Sum {
    double requests = 0, per_op = 0, again = 0;
    Millis queue{0}, round_trip{0}, execute{0};
  };
  std::map<std::string, Sum> sums;
  for (const NfsMountFigures& mount : point.nfs->mounts)
    for (const auto& [name, rpc] : mount.rpcs) {
      Sum& sum = sums[name];
      sum.requests += rpc.requests;
      sum.per_op += rpc.per_op;  // not over the point's ops: of several hosts the RPCs are those of the first
      sum.again += rpc.retransmissions;
      sum.queue += rpc.queue * rpc.requests;
      sum.round_trip += rpc.round_trip * rpc.requests;
      sum.execute += rpc.execute * rpc.requests;
    }
  std::vector<std::pair<std::string, Sum>> kinds(sums.begin(), sums.end());
  std::ranges::stable_sort(kinds, std::greater<>(),
                           [](const auto& kind) { return (kind.second.queue + kind.second.round_trip).count(); });
  const auto busiest = std::span(kinds).first(std::min(kinds.size(), plotted_rpcs_max));
  const auto per_op = [&](const char* label, int colour, Millis Sum::*time) {
    return chart_set(label, colour, array_of(busiest, [&](const auto& kind) {
                       const Sum& sum = kind.second;
                       return (sum.*time).count() / sum.requests * sum.per_op;
                     }));
  };
  blocks.push_back(heading(nfs_heading(point)));
  for (const std::string& line : nfs_lines(*point.nfs)) blocks.push_back(paragraph(line, "dim"));
  blocks.push_back({{"list", point.nfs->findings}, {"style", ""}});
  const Document names = array_of(busiest, [](const auto& kind) { return kind.first; });
  const Document sets = list_of(per_op("at the server and on the network", 0, &Sum::round_trip),
                                per_op("queue in the client", 1, &Sum::queue));
  blocks.push_back(bar_chart(names, "ms per op, on average", sets, /*stacked*/ true));
  std::ranges::stable_sort(kinds, std::greater<>(), [](const auto& kind) { return kind.second.requests; });
  TextTable table({"RPC", "requests", "per op", "queue ms", "round trip ms", "execute ms", "sent again"});
  for (const auto& [name, sum] : kinds)
    table.add({name, format_count(sum.requests), value_text(sum.per_op), ms(sum.queue / sum.requests),
               ms(sum.round_trip / sum.requests), ms(sum.execute / sum.requests),
               sum.again > 0 ? format_count(sum.again) : ""});
  blocks.push_back(table.block());
}

/// Neighbours as one, where a chart has no room for each: their rate and mean, and their highest p99.
std::vector<IntervalFigures> joined_intervals(const std::vector<IntervalFigures>& intervals) {
  const std::size_t each = (intervals.size() + columns_max - 1) / columns_max;
  if (each < 2) return intervals;
  std::vector<IntervalFigures> columns;
  for (std::size_t from = 0; from < intervals.size(); from += each) {
    IntervalFigures& column = columns.emplace_back();
    column.start = intervals[from].start;
    double ops = 0, timed_ops = 0;
    Millis response{0};
    for (std::size_t i = from; i < std::min(from + each, intervals.size()); ++i) {
      const IntervalFigures& part = intervals[i];
      const double part_ops = part.ops_per_sec * part.length.count();
      column.length += part.length;
      ops += part_ops;
      if (part.response_mean) timed_ops += part_ops, response += part_ops * *part.response_mean;
      if (part.response_p99)
        column.response_p99 = std::max(column.response_p99.value_or(Millis(0)), *part.response_p99);
      column.response_counts.resize(std::max(column.response_counts.size(), part.response_counts.size()));
      for (std::size_t bin = 0; bin < part.response_counts.size(); ++bin)
        column.response_counts[bin] += part.response_counts[bin];
    }
    column.ops_per_sec = ops / column.length.count();
    if (timed_ops > 0) column.response_mean = response / timed_ops;
  }
  return columns;
}

/// When intervals began, and their length, in which no op ended, or whose p99 is far above the median of all.
Document stalls_of(const std::vector<IntervalFigures>& intervals) {
  std::vector<Millis> p99;
  for (const IntervalFigures& interval : intervals)
    if (interval.response_p99) p99.push_back(*interval.response_p99);
  std::ranges::sort(p99);
  const Millis usual = p99.empty() ? Millis(0) : p99[(p99.size() - 1) / 2];
  Document stalls = Document::array();
  for (const IntervalFigures& interval : intervals)
    if (!interval.response_p99 || *interval.response_p99 > stall_factor * usual)
      stalls.push_back(list_of(interval.start.count(), interval.length.count()));
  return stalls;
}

std::string stalls_text(std::size_t stalls, std::size_t intervals) {
  if (stalls == 0)
    return fmt::format(
        "No interval stalled: in each of them ops ended, and its p99 is at most {} times the median of all intervals.",
        stall_factor);
  return fmt::format(
      "Red: {} of {} in which no op ended, or the p99 is more than {} times the median of all intervals.",
      stalls == 1 ? "one interval" : fmt::format("{} intervals", stalls), intervals, stall_factor);
}

/// How many ops of each interval took how long (Interval::response_counts).
void add_heat_map(Document& blocks, const PointFigures& point, const std::vector<IntervalFigures>& columns) {
  std::set<std::size_t> bins;
  for (const IntervalFigures& column : columns)
    for (std::size_t bin = 0; bin < column.response_counts.size(); ++bin)
      if (column.response_counts[bin] > 0) bins.insert(bin);
  if (point.intervals.size() < 2 || bins.empty()) return;
  const bool paused = point.is_invalid_for(Invalid::generator_paused);
  const Document stalls = paused ? Document::array() : stalls_of(point.intervals);
  blocks.push_back(heading("Response over time"));
  blocks.push_back(
      paragraph("The darker, the more ops of the interval. " +
                    (paused ? "A pause of edagen is among them: what looks like a stall is not the storage's."
                            : stalls_text(stalls.size(), point.intervals.size())),
                paused || !stalls.empty() ? "bad" : "dim"));
  Document edges = list_of(0.0005);  // ms
  for (std::size_t bin = 1; bin <= *bins.rbegin() + 2; ++bin)
    edges.push_back(std::exp2(static_cast<double>(bin) / 2) / 1000);
  const IntervalFigures& last = point.intervals.back();
  const Document counts = array_of(columns, [](const IntervalFigures& column) {
    return list_of(column.start.count(), column.length.count(), column.response_counts);
  });
  blocks.push_back({{"chart", "heat"},
                    {"end", std::round(1000 * (last.start + last.length).count()) / 1000},
                    {"bins", list_of(*bins.begin(), *bins.rbegin() + 2)},
                    {"edges", edges},
                    {"intervals", counts},
                    {"stalls", stalls}});
}

void add_intervals(Document& blocks, const PointFigures& point, const std::vector<IntervalFigures>& columns) {
  Document sets = Document::array();
  const auto add = [&](const char* label, const char* axis, int colour, auto of) {
    sets.push_back(line_set(label, axis, colour, array_of(columns, of)));
  };
  add("ops/s", "ops/s", 0, [](const auto& column) { return column.ops_per_sec; });
  add("mean response, ms", "ms", 1, [](const auto& column) { return milliseconds(column.response_mean); });
  add(columns.size() < point.intervals.size() ? "highest p99, ms" : "p99, ms", "ms", 4,
      [](const auto& column) { return milliseconds(column.response_p99); });
  const Document times = array_of(columns, [](const auto& column) { return short_text(column.start.count()); });
  blocks.push_back(line_chart(times, "seconds", sets));
}

}  // namespace

Document point_blocks(const PointFigures& point) {
  Document blocks = Document::array();
  const std::string figures =
      (point.valid() ? "" : fmt::format("INVALID ({}): ", reason_names(point.invalid))) + figures_text(point);
  if (!point.has_figures()) {
    blocks.push_back(paragraph(figures, "bad"));
    return blocks;
  }
  blocks.push_back(paragraph(figures, point.valid() ? "dim" : "bad"));
  if (!point.mount_findings.empty()) blocks.push_back({{"list", point.mount_findings}, {"style", "bad"}});
  if (has_ended(point)) {
    if (const std::string settling = settling_text(point.longer_warmup, point.first_window); !settling.empty())
      blocks.push_back(paragraph(settling, "dim"));
    blocks.push_back(latency_table(point).block());
    for (const std::string& note : latency_notes(point)) blocks.push_back(paragraph(note, "dim"));
  } else {
    blocks.push_back(paragraph(cut_off_point_text(point), "dim"));
  }
  add_ops(blocks, point);
  add_percentiles(blocks, point);
  add_nfs(blocks, point);
  const std::vector<IntervalFigures> columns = joined_intervals(point.intervals);
  add_heat_map(blocks, point, columns);
  add_mounts(blocks, point);
  add_hosts(blocks, point);
  add_intervals(blocks, point, columns);
  return blocks;
}

}  // namespace edagen
