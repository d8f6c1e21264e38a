#include "report/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "edagen/units.hpp"
#include "report/text_table.hpp"
#include "result/inert.hpp"

namespace edagen {
namespace {

/// Milliseconds with three significant digits.
std::string ms(Millis time) { return format_millis(time.count()); }

/// Ops per second; small rates are not rounded to nothing.
std::string per_second(double value) { return value < 9.95 ? fmt::format("{:.2g}", value) : format_count(value); }

std::uint64_t count_of(const ErrorCounts& errors) {
  std::uint64_t failed = 0;
  for (const auto& [name, count] : errors) failed += count;
  return failed;
}

std::string op_table(const PointFigures& point) {
  TextTable table({"op", "ops/s", "share %", "MiB/s", "errors", "mean", "p50", "p95", "p99", "max"});
  const double seconds = point.seconds.count();
  const auto add = [&](const std::string& name, const OpFigures& op) {
    const LatencyFigures& latency = op.latency.response;
    // Of a hopeless overload, none of the ops that were due may have ended.
    const auto timed = [&](Millis time) { return latency.max > Millis(0) ? ms(time) : ""; };
    const auto failed = static_cast<double>(count_of(op.errors)), bytes = static_cast<double>(op.bytes);
    table.add({name, per_second(static_cast<double>(op.operations) / seconds), fmt::format("{:.2f}", 100 * op.share),
               bytes > 0 ? format_mib(bytes / 0x1p20 / seconds) : "", failed > 0 ? format_count(failed) : "",
               timed(latency.mean), timed(latency.p50), timed(latency.p95), timed(latency.p99), timed(latency.max)});
  };
  for (const auto& [kind, op] : point.ops) add(std::string(to_string(kind)), op);
  add("all", {point.operations, 1, point.bytes_read + point.bytes_written, point.errors, point.latency});
  return table.str(2);
}

/// A proc does one op at a time: where most of the response is lag, the procs are the limit, not the storage.
std::string busy_procs_hint(const PointFigures& point) {
  const Millis waiting = point.latency.lag.mean - point.generator_lag.mean, response = point.latency.response.mean;
  if (response < Millis(0.2) || waiting < 0.4 * response) return "";
  return fmt::format(
      "  {:.0f} % of the response is lag: ops wait until their proc has ended the op before; more procs "
      "would show the limit of the storage\n",
      100 * (waiting / response));
}

/// "NFS view": what the client's counters say about the window.
std::string nfs_lines(const PointFigures& point) {
  if (!point.nfs) return "";
  const NfsFigures& nfs = *point.nfs;
  std::map<std::string, double> counts;
  for (const NfsMountFigures& mount : nfs.mounts)
    for (const auto& [name, rpc] : mount.rpcs) counts[name] += rpc.per_op;
  std::vector<std::pair<double, std::string>> kinds;
  for (const auto& [name, count] : counts) kinds.emplace_back(-count, name);
  std::sort(kinds.begin(), kinds.end());
  std::string text = fmt::format(
      "NFS view\n  {:.3g} RPCs per op, each {} ms = queue {} + round trip {} + handling; {:.3g} in flight of {:.0f} "
      "slots, "
      "{} connections\n  RPCs per op:",
      nfs.rpcs_per_op, ms(nfs.execute), ms(nfs.queue), ms(nfs.round_trip), nfs.rpcs_in_flight, nfs.rpc_slots,
      nfs.connections);
  for (std::size_t i = 0; i < std::min<std::size_t>(kinds.size(), 8); ++i)
    text += fmt::format("{} {} {:.3g}", i > 0 ? "," : "", kinds[i].second, -kinds[i].first);
  text += "\n";
  for (const std::string& finding : nfs.findings) text += "  - " + finding + "\n";
  return text;
}

/// In an open loop a busy host makes ops late, and that is seen; in a closed loop it is just the rate that is lower.
std::string busy_host_hint(const PointFigures& point, std::int64_t processors) {
  if (point.requested_ops_per_sec) return "";
  const double busy = std::max(point.host_busy, point.cpu_cores_used / static_cast<double>(processors));
  if (busy < 0.9) return "";
  return fmt::format("  this host is the limit: its {} processors are {:.0f} % busy; the storage may do more\n",
                     processors, 100 * std::min(busy, 1.0));
}

std::string latency_lines(const PointFigures& point) {
  std::string text;
  if (point.requested_ops_per_sec)
    text += fmt::format("  response = service {} ms + lag {} ms on average; the generator's own delay {} ms\n",
                        ms(point.latency.service.mean), ms(point.latency.lag.mean), ms(point.generator_lag.mean));
  text += busy_procs_hint(point);
  if (point.ops_outstanding > 0)
    text += fmt::format("  {} ops that were due had not ended a while after the end; they count with their age\n",
                        format_count(static_cast<double>(point.ops_outstanding)));
  for (const auto& [name, count] : point.errors)
    text += fmt::format("  {} ops failed with {}\n", format_count(static_cast<double>(count)), name);
  return text;
}

std::string verdict(const std::vector<Invalid>& invalid) {
  if (invalid.empty()) return "valid";
  std::string reasons;
  for (const Invalid reason : invalid) reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", to_string(reason));
  return "INVALID: " + reasons;
}

std::string scenario(const Result& result) {
  const std::vector<MountFigures>& mounts = result.target.mounts;
  const std::size_t used = std::min<std::size_t>(mounts.size(), result.clients);
  const std::string where = result.simulated()     ? result.target.model.value_or("") + " (simulated)"
                            : mounts.size() == 1   ? mounts[0].path
                            : used < mounts.size() ? fmt::format("{} of {} mounts", used, mounts.size())
                                                   : fmt::format("{} mounts", used);
  return fmt::format("{}, {} client{} on {}", result.workload.name, result.clients, result.clients == 1 ? "" : "s",
                     where);
}

std::string run_text(const Result& result) {
  const PointFigures& point = result.load_points.back();
  const double achieved = point.achieved_ops_per_sec;
  std::string text = std::string("Latency in ms, from the intended start to the end of each op (response)") +
                     (result.simulated() ? ", simulated" : "") + "\n" + op_table(point) + latency_lines(point) +
                     (result.simulated() ? "" : busy_host_hint(point, result.host.cpus));
  const std::optional<double> requested = point.requested_ops_per_sec;
  const std::string asked =
      requested ? fmt::format("of {} requested ({:.1f} %)", format_count(*requested), 100 * achieved / *requested)
                : std::string("in a closed loop");
  const double sync = point.sync_seconds.count();
  const std::string flushing =
      sync > 0 ? fmt::format(", of which {} ms to flush written data", ms(point.sync_seconds)) : "";
  const std::string cpu =
      result.simulated() ? "" : fmt::format(", {:.1f} processors used by edagen", point.cpu_cores_used);
  text += fmt::format("  {} ops/s {}, {:.4g} s{}{}; {}\n\n", format_count(achieved), asked, point.seconds.count(),
                      flushing, cpu, verdict(point.invalid));
  text.insert(text.size() - 1, nfs_lines(point));
  TextTable answer({"Scenario", "I/O rate, ops/s", "MiB/s", "mean response, ms"});
  answer.add(
      {scenario(result), format_count(achieved), format_mib(point.mib_per_sec), ms(point.latency.response.mean)});
  return text + answer.str();
}

/// A bar for each value, as long as its rate.
std::string series_plot(const Series& series) {
  constexpr double width = 50;
  double highest = 0;
  for (const SeriesPoint& point : series.points) highest = std::max(highest, point.ops_per_sec.mean);
  std::string text;
  for (const SeriesPoint& point : series.points) {
    const double rate = point.ops_per_sec.mean;
    const auto length = static_cast<std::size_t>(std::lround(highest > 0 ? rate / highest * width : 0));
    text += fmt::format("{:>12g} |{} {} ops/s, {} MiB/s\n", point.value, std::string(length, '*'), per_second(rate),
                        format_mib(point.mib_per_sec.mean));
  }
  return text;
}

std::string series_table(const Series& series) {
  const bool swept = series.parameter.has_value(), repeated = series.points.front().repeats > 1;
  std::vector<std::string> heads = {series.parameter.value_or("load"), "ops/s"};
  if (repeated) heads.insert(heads.end(), {"95 % interval", "median", "deviation", "repeats"});
  heads.insert(heads.end(), {"MiB/s", "avg lat"});
  TextTable table(heads);
  for (const SeriesPoint& point : series.points) {
    const RepeatSummary& rate = point.ops_per_sec;
    std::vector<std::string> row = {swept ? fmt::format("{:g}", point.value) : "all", per_second(rate.mean)};
    if (repeated)
      row.insert(row.end(),
                 {fmt::format("{} to {}", per_second(rate.confidence_95[0]), per_second(rate.confidence_95[1])),
                  per_second(rate.median), per_second(rate.standard_deviation),
                  format_count(static_cast<double>(point.repeats))});
    row.insert(row.end(), {format_mib(point.mib_per_sec.mean), format_millis(point.response_ms.mean)});
    table.add(row);
  }
  return table.str(2);
}

std::string series_text(const Result& result) {
  const Series& series = *result.series;
  const std::uint64_t repeats = series.points.front().repeats;
  std::string text = scenario(result);
  if (series.parameter) text += ", by " + *series.parameter;
  if (repeats > 1) text += fmt::format(", {} repeats", repeats);
  text += "; average latency in ms\n" + series_table(series);
  if (series.parameter) text += "\n" + series_plot(series);
  std::map<std::string, int> invalid;
  for (const PointFigures& point : result.load_points)
    if (!point.valid()) ++invalid[verdict(point.invalid)];
  for (const auto& [why, count] : invalid)
    text += fmt::format("{} of {} load points {}\n", count, result.load_points.size(), why);
  return text;
}

std::string point_table(const Result& result) {
  TextTable table({"purpose", "requested", "achieved", "avg lat", "p50", "p95", "p99", "MiB/s", "seconds", "valid run"},
                  {0, 9});
  std::size_t blocks = 0;
  for (const PointFigures& point : result.load_points) {
    if (point.purpose == Purpose::block) {
      ++blocks;
      continue;
    }
    const LatencyFigures& latency = point.latency.response;
    const std::string sets = point.active_job_sets ? fmt::format(", {} job set{}", *point.active_job_sets,
                                                                 *point.active_job_sets == 1 ? "" : "s")
                                                   : "";
    table.add({std::string(to_string(point.purpose)) + sets,
               point.requested_ops_per_sec ? format_count(*point.requested_ops_per_sec) : "max",
               format_count(point.achieved_ops_per_sec), ms(latency.mean), ms(latency.p50), ms(latency.p95),
               ms(latency.p99), format_mib(point.mib_per_sec), fmt::format("{:.3g}", point.seconds.count()),
               verdict(point.invalid)});
  }
  const std::string left_out =
      blocks > 0 ? fmt::format("  and {} blocks around the rate at the target: JSON and CSV have them\n", blocks) : "";
  return table.str(2) + left_out;
}

/// Latency over achieved rate; the latency axis is logarithmic.
std::string plot(const Result& result) {
  constexpr int width = 64, height = 12;
  double least = 1e300, most = 0, highest = 0;
  for (const PointFigures& point : result.load_points) {
    const double latency = point.statistic.value.count(), rate = point.achieved_ops_per_sec;
    if (latency <= 0) continue;
    least = std::min(least, latency), most = std::max(most, latency), highest = std::max(highest, rate);
  }
  const double ceiling =
      result.at_latency_target.empty() ? most : std::min(most, 10 * result.at_latency_target.back().target.count());
  if (highest <= 0 || ceiling <= least) return "";
  std::vector<std::string> rows(height, std::string(width, ' '));
  const auto row_of = [&](double latency) {
    const double share = std::log(latency / least) / std::log(ceiling / least);
    return height - 1 - static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (height - 1)));
  };
  for (const AnswerFigures& answer : result.at_latency_target) {
    const double target = answer.target.count();
    if (target >= least && target <= ceiling)
      for (char& cell : rows[std::size_t(row_of(target))]) cell = '-';
  }
  for (const PointFigures& point : result.load_points) {
    const double latency = point.statistic.value.count(), rate = point.achieved_ops_per_sec;
    if (latency <= 0) continue;
    const auto column = static_cast<std::size_t>(std::lround(rate / highest * (width - 1)));
    rows[std::size_t(row_of(latency))][column] = latency > ceiling ? '^' : point.valid() ? '*' : 'x';
  }
  std::string text = "\n";
  for (int i = 0; i < height; ++i) {
    const double latency = least * std::pow(ceiling / least, static_cast<double>(height - 1 - i) / (height - 1));
    const std::string label = i % 3 == 0 || i == height - 1 ? fmt::format("{:9.3g} ms", latency) : std::string(12, ' ');
    text += fmt::format("{} |{}\n", label, rows[std::size_t(i)]);
  }
  return text + fmt::format("{:12} +{}\n{:14}0{:>{}} ops/s\n", "", std::string(width, '-'), "", format_count(highest),
                            width - 2);
}

std::string limit_text(const Result& result, const AnswerFigures& answer) {
  switch (*answer.limit) {
    case RateLimit::highest_rate:
      return result.load_points.front().active_job_sets
                 ? "all job sets together are below the target: more job sets show its rate"
                 : "the highest rate that was asked for is below the target: a higher maximum rate shows its rate";
    case RateLimit::search_time:
      return "the search ended before it tried a higher rate: a longer search time shows the target's";
    case RateLimit::procs: return "all procs are busy; more of them would show the limit of the storage";
    case RateLimit::host: break;
  }
  const PointFigures* nearest = &result.load_points.front();
  const auto distance = [&](const PointFigures& point) {
    return std::abs(point.achieved_ops_per_sec - answer.ops_per_sec);
  };
  for (const PointFigures& point : result.load_points)
    if (distance(point) < distance(*nearest)) nearest = &point;
  return fmt::format(
      "this host is the limit: its {} processors are {:.0f} % busy, and the generator's own delay is {} ms",
      result.host.cpus, 100 * std::min(nearest->host_busy, 1.0), ms(nearest->generator_lag.mean));
}

/// An answer with its confidence interval and what demonstrates it.
std::string confidence_text(const Result& result, const AnswerFigures& answer, const std::string& at) {
  const std::string rate = format_count(answer.ops_per_sec);
  std::string text;
  if (answer.ops_per_sec <= 0)
    return fmt::format("{}: the search ended before a load met it: a longer search time shows its rate\n", at);
  if (answer.limit)
    text = fmt::format("{} is not reached: {} ops/s is a lower bound\n  {}\n", at, rate, limit_text(result, answer));
  else
    text = fmt::format("At {}: {} ops/s, 95 % confidence interval {} to {} (±{:.2g} %)\n", at, rate,
                       format_count(answer.confidence_95[0]), format_count(answer.confidence_95[1]),
                       50 * (answer.confidence_95[1] - answer.confidence_95[0]) / answer.ops_per_sec);
  if (const PointFigures* const shown = result.demonstration(answer))
    text +=
        fmt::format("  Demonstrated: {} ops/s for {:.3g} s, at {} ms\n", format_count(answer.demonstrated->ops_per_sec),
                    shown->seconds.count(), ms(answer.demonstrated->latency));
  return text;
}

/// What would make an answer valid.
std::string remedy_text(const Result& result, const AnswerFigures& answer) {
  const auto is = [&](Invalid reason) { return std::ranges::find(answer.invalid, reason) != answer.invalid.end(); };
  std::string text;
  if (is(Invalid::imprecise))
    text += std::string("  A longer search time narrows the interval") +
            (result.simulated() ? "\n" : "; so does less other load on the storage\n");
  if (is(Invalid::not_demonstrated) && !answer.limit)
    text += answer.demonstrated ? "  What was demonstrated is more than 5 % below the rate\n"
                                : "  No valid load point of full length met the target near the rate\n";
  return text;
}

std::string curve_text(const Result& result) {
  const std::vector<AnswerFigures>& answers = result.at_latency_target;
  std::string text = std::string("Load points, latency in ms (response)") + (result.simulated() ? ", simulated" : "") +
                     "\n" + point_table(result) + plot(result) + "\n";
  if (result.ort) text += fmt::format("Overall response time {} ms ({})\n", ms(*result.ort), result.ort_variant);
  if (answers.empty()) return text + "The curve was not finished: what it says of its target is not known\n";
  if (const PointFigures* const shown = result.demonstration(answers.front()))
    text += busy_procs_hint(*shown) + nfs_lines(*shown);
  std::vector<std::string> heads = {"Scenario"}, row = {scenario(result)};
  for (const AnswerFigures& answer : answers) {
    const std::string at =
        fmt::format("{:g} ms{}{}", answer.target.count(), answer.statistic == "mean" ? "" : " " + answer.statistic,
                    answer.latency == "response" ? "" : " " + answer.latency);
    heads.push_back("I/O rate at " + at);
    heads.push_back("MiB/s at " + at);
    if (!answer.met) {
      const bool searched = result.load_points.front().purpose != Purpose::load_point;
      text += fmt::format("{} {}; the lowest latency seen is {} ms\n",
                          searched ? "No load meets" : "None of these load points meets", at,
                          ms(answer.lowest_latency.value_or(Millis(0))));
      if (answer.invalid.size() > 1) text += fmt::format("  {}\n", verdict(answer.invalid));
      row.insert(row.end(), {"none", "none"});
      continue;
    }
    text += confidence_text(result, answer, at);
    if (!answer.valid()) text += fmt::format("  {}\n", verdict(answer.invalid)) + remedy_text(result, answer);
    const char* const least = answer.limit ? "> " : "";
    row.push_back(least + format_count(answer.ops_per_sec) + (answer.valid() ? "" : " INVALID"));
    row.push_back(least + format_mib(answer.mib_per_sec));
  }
  TextTable table(heads);
  table.add(row);
  return text + "\n" + table.str();
}

}  // namespace

std::string result_text(const Result& raw) {
  const Result result = inert(raw);
  if (result.load_points.empty()) return "Nothing was measured.\n";
  if (result.series) return series_text(result);
  const bool is_curve =
      !result.at_latency_target.empty() || std::ranges::any_of(result.load_points, [](const PointFigures& point) {
        return point.purpose != Purpose::load_point && point.purpose != Purpose::incomplete;
      });
  return is_curve ? curve_text(result) : run_text(result);
}

}  // namespace edagen
