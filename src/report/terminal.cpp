#include "report/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/curve_text.hpp"
#include "report/hosts_text.hpp"
#include "report/limit_text.hpp"
#include "report/mounts_text.hpp"
#include "report/point_text.hpp"
#include "report/reason_text.hpp"
#include "report/series_text.hpp"
#include "result/escaped_text.hpp"
#include "result/validity_limits.hpp"

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

/// The load point's cores are the sum over all hosts, and the result has the processors of rank 0 alone.
std::string busiest_host_hint(const PointFigures& point) {
  const HostFigures& host = *std::ranges::max_element(point.hosts, {}, &HostFigures::host_busy);
  if (host.host_busy < busy_host_share) return "";
  return fmt::format("  {} (rank {}) is a limit: its processors are {:.0f} % busy; the storage may do more\n",
                     host.name, host.rank, 100 * std::min(host.host_busy, 1.0));
}

/// In an open loop a busy host makes ops late, and that is seen; in a closed loop it is just the rate that is lower. A
/// reason of the load point that names this host stands before.
std::string busy_host_hint(const Result& result, const PointFigures& point) {
  if (point.requested_ops_per_sec) return "";
  if (!point.hosts.empty()) return busiest_host_hint(point);
  if (std::ranges::any_of(point.invalid, host_may_be_why)) return "";
  const double busy = std::max(point.host_busy, point.cpu_cores_used / static_cast<double>(result.host.cpus));
  if (busy < busy_host_share) return "";
  const std::string used = busy_host_text(result, point, result.host.cpus == 1 ? "it" : "them");
  return fmt::format("  this host is the limit: its {} {:.0f} % busy{}; the storage may do more\n",
                     processors_text(result.host.cpus), 100 * std::min(busy, 1.0), used.empty() ? "" : ": " + used);
}

/// Figures of fast storage are to a large part the generator's, which is valid up to 50 microseconds. How much of a
/// pause is in its delay, and how much in the service, is chance.
std::string own_share(const PointFigures& point) {
  if (point.is_invalid_for(Invalid::generator_paused)) return "";
  if (!point.has_service()) return "";
  const double share = point.generator_lag.mean / std::max(point.latency.response.mean, Millis(1e-9));
  if (!point.requested_ops_per_sec || share <= validity_limits::own_delay_share) return "";
  return fmt::format(", of which {:.0f} % is the generator's own delay", 100 * share);
}

std::string closed_loop_text(const PointFigures& point) {
  return fmt::format("a closed loop: each proc {}as fast as its ops end",
                     any_kind_is_paced(point) ? "without a rate " : "");
}

/// The answer in a sentence, what was asked for, and why it is invalid.
std::string answer_text(const Result& result, const PointFigures& point) {
  const std::optional<double> requested = point.requested_ops_per_sec;
  const double sync = point.sync_seconds.count();
  const std::string why = point.valid() ? "" : ": " + reason_names(point.invalid);
  std::string text = fmt::format("{}{}: {}{}{}\n", point.valid() ? "" : "INVALID: ", scenario(result),
                                 figures_text(point), own_share(point), why);
  if (!has_ended(point))
    return text + "  " + cut_off_point_text(point) + "\n" + reason_lines(point.invalid, result, &point);
  const std::string reached = requested && point.has_figures()
                                  ? fmt::format(" ({:.1f} % reached)", 100 * point.achieved_ops_per_sec / *requested)
                                  : "";
  const std::string settling = settling_text(point.longer_warmup, point.first_window);
  text += fmt::format("  {}; {} measured{}{}{}\n",
                      requested ? per_second(*requested) + " ops/s requested" + reached : closed_loop_text(point),
                      point.seconds.count() > 0 ? format_duration(from_seconds(point.seconds.count())) : "nothing",
                      sync > 0 ? fmt::format(", of which {} ms to flush written data", ms(point.sync_seconds)) : "",
                      result.simulated() ? "" : fmt::format(", {:.1f} processors used by edagen", point.cpu_cores_used),
                      settling.empty() ? "" : "; " + settling);
  text += reason_lines(point.invalid, result, &point) + waiting_line(result, point, true);
  if (!result.simulated()) text += busy_host_hint(result, point);
  return text;
}

/// What a person reads of one load.
std::string run_text(const Result& result) {
  const PointFigures& point = result.load_points.back();
  std::string text = answer_text(result, point) + "\n";
  if (has_ended(point) && point.has_figures())
    text += latency_parts(point) + "\n  Response by kind of op, in ms; p90, p99.9 and service of each: in JSON\n" +
            op_table(point).str(2) + mounts_text(point) + nfs_text(point) + hosts_text(point);
  text += origin_text(result) + "\n";
  TextTable answer({"Scenario", "I/O rate, ops/s", "MiB/s", "mean ms"});
  answer.add({scenario(result), rate_cell(point) + (point.valid() ? "" : " INVALID"), mib_cell(point),
              response_cell(point, point.latency.response.mean)});
  return text + answer.str();
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
