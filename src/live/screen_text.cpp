#include "live/screen_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/mib.hpp"
#include "base/utf8.hpp"
#include "edagen/error.hpp"

namespace edagen {
namespace {

constexpr std::size_t history_columns = 60;  ///< of a second each

/// The end of a path distinguishes it from others.
std::string end_of(const std::string& path, std::size_t columns) {
  std::string end = path;
  if (const std::size_t all = columns_of(path); all > columns) {
    const std::size_t too_many = all - columns + 3;
    end = "..." + path.substr(size_of_columns(path, too_many));
    if (columns_of(end) > columns)
      end = "..." + path.substr(size_of_columns(path, too_many + 1));  // half of a wide one
  }
  return end + std::string(columns - columns_of(end), ' ');
}

std::string between(const std::string& left, const std::string& right, std::size_t columns) {
  const std::size_t used = columns_of(left) + columns_of(right);
  return left + std::string(used + 2 <= columns ? columns - used : 2, ' ') + right;
}

/// "13 s", "2 min 10 s", "3 h 5 min"
std::string time_text(Nanos time) {
  const auto all = std::chrono::round<std::chrono::seconds>(time).count();
  if (all < 60) return fmt::format("{} s", all);
  if (all < 3600) return fmt::format("{} min {} s", all / 60, all % 60);
  return fmt::format("{} h {} min", all / 3600, all % 3600 / 60);
}

std::string mib_text(std::int64_t bytes, Nanos length) { return format_mib(mib_per_sec(bytes, length)); }

std::string latency_line(const char* name, const LatencyFigures& latency) {
  std::string line = fmt::format("{:<12}", name);
  for (const Millis figure :
       {latency.mean, latency.p50, latency.p90, latency.p95, latency.p99, latency.p99_9, latency.max})
    line += fmt::format(" {:>8}", format_millis(figure.count()));
  return line;
}

std::string course_text(const LiveState& state, TimePoint at) {
  if (!state.load_began) return "";
  const Nanos elapsed = at - *state.load_began;
  if (state.will_take <= Nanos(0)) return time_text(elapsed);
  return fmt::format("{}, about {} left", time_text(elapsed), time_text(std::max(state.will_take - elapsed, Nanos(0))));
}

std::string stage_text(const LiveState& state, TimePoint at) {
  const std::string time =
      state.phase_began ? " for " + time_text(std::max<Nanos>(at - *state.phase_began, Nanos(0))) : "";
  if (state.stage != Stage::warms_up && state.stage != Stage::measures) return "no load now";
  const std::string phase = state.phase.text(state.stage == Stage::measures, time);
  return phase.empty() ? "under load" + time : phase;
}

/// Every second of the last minute, the latest at the right.
template <class Value>
std::vector<double> history_of(const LiveState& state, Value value) {
  std::vector<double> columns;
  for (const PastInterval& past : state.last_minute) {
    const double length = std::max(1.0, std::round(to_seconds(past.length)));
    columns.insert(columns.end(), static_cast<std::size_t>(std::min(length, double{history_columns})), value(past));
  }
  if (columns.size() > history_columns)
    columns.erase(columns.begin(), columns.end() - static_cast<std::ptrdiff_t>(history_columns));
  return columns;
}

/// As many of the last values as there is room for, with the highest of them as a number.
template <class Number>
std::string history_line(const char* name, std::vector<double> values, std::size_t columns, bool blocks,
                         Number number) {
  constexpr std::size_t of_text = 27;  // the name before and the number after the values
  const std::size_t room = columns > of_text ? columns - of_text : 1;
  if (values.size() > room) values.erase(values.begin(), values.end() - static_cast<std::ptrdiff_t>(room));
  const auto most = std::ranges::max_element(values);
  if (most == values.end() || *most < 0) return std::string(name);
  return fmt::format("{:<12} {} to {}", name, history_text(values, blocks), number(*most));
}

/// As in the text of a result, a lower bound has no interval.
std::string estimate_line(const AtTarget& answer, bool are_several_hosts) {
  const std::string target = fmt::format("at {}: ", format_duration(answer.target));
  if (answer.limit == RateLimit::host)
    return fmt::format("{}not known by now: {} host is the limit", target, are_several_hosts ? "a" : "this");
  if (!answer.met) return target + "no load meets it by now";
  const std::string rate = format_count(answer.ops_per_sec) + " ops/s";
  if (answer.limit) return target + "at least " + rate;
  std::string interval;
  if (answer.high > answer.low)
    interval = fmt::format(", 95 %: {} to {}", format_count(answer.low), format_count(answer.high));
  return target + rate + interval + (answer.demonstrated ? ", demonstrated" : "");
}

using Lines = std::vector<std::string>;

Lines op_lines(const LiveState& state, const Interval& interval) {
  Lines lines = {fmt::format("{:<12} {:>8} {:>6} {:>7} {:>6} | {:>7} {:>6} | {:>7} {:>6}", "op", "ops/s", "share",
                             "MiB/s", "errors", "resp.", "p99", "service", "p99")};
  std::vector<std::pair<OpKind, const OpFigures*>> kinds;
  for (const auto& [kind, figures] : state.kinds) kinds.emplace_back(kind, &figures);
  std::ranges::stable_sort(kinds, std::greater<>(), [](const auto& kind) { return kind.second->operations; });
  for (const auto& [kind, op] : kinds) {
    std::uint64_t errors = 0;
    for (const auto& [name, count] : op->errors) errors += count;
    const bool timed = op->latency.has_value();
    const auto time = [timed](Millis latency) { return timed ? format_millis(latency.count()) : ""; };
    const auto& [response, service, lag] = op->latency.value_or(Latencies());
    lines.push_back(fmt::format("{:<12} {:>8} {:>4.1f} % {:>7} {:>6} | {:>7} {:>6} | {:>7} {:>6}", to_string(kind),
                                format_count(static_cast<double>(op->operations) / to_seconds(interval.length)),
                                100 * op->share, mib_text(op->bytes, interval.length), errors, time(response.mean),
                                time(response.p99), time(service.mean), time(service.p99)));
  }
  return lines;
}

/// What a client did, or those on a mount.
struct CountRow {
  std::string number, mount;
  ClientFigures figures = {};
};

Lines count_lines(const char* what, const std::vector<CountRow>& rows, Nanos length) {
  constexpr std::size_t width = 23;
  double all = 0;
  for (const CountRow& row : rows) all += static_cast<double>(row.figures.operations);
  Lines lines = {fmt::format("{:<23} {:>8} {:>6} {:>6} {:>6} | {:>6} {:>6} | {:>7}", what, "ops/s", "share", "MiB/s",
                             "errors", "resp.", "p99", "service")};
  const auto time = [](const std::optional<Millis>& latency) { return latency ? format_millis(latency->count()) : ""; };
  for (const auto& [number, mount, figures] : rows)
    lines.push_back(fmt::format("{}{} {:>8} {:>4.0f} % {:>6} {:>6} | {:>6} {:>6} | {:>7}", number,
                                end_of(one_line(mount), width - number.size()),
                                format_count(static_cast<double>(figures.operations) / to_seconds(length)),
                                all > 0 ? 100 * static_cast<double>(figures.operations) / all : 0.0,
                                mib_text(figures.bytes, length), figures.errors, time(figures.response_mean),
                                time(figures.response_p99), time(figures.service_mean)));
  return lines;
}

Lines mount_lines(const LiveState& state, const Interval& interval) {
  std::vector<CountRow> rows;
  for (std::size_t i = 0; i < state.mounts.size(); ++i)
    rows.push_back(
        {"", state.mounts[i], i < state.interval_mounts.size() ? state.interval_mounts[i] : ClientFigures()});
  return count_lines("mount", rows, interval.length);
}

/// The slowest first: of many clients there is room for a few.
Lines client_lines(const LiveState& state, const Interval& interval) {
  std::vector<CountRow> rows;
  for (std::size_t i = 0; i < state.interval_clients.size(); ++i)
    rows.push_back({fmt::format("{} on ", i), state.mounts.empty() ? "" : state.mounts[i % state.mounts.size()],
                    state.interval_clients[i]});
  std::ranges::stable_sort(rows, std::greater<>(),
                           [](const CountRow& row) { return row.figures.response_mean.value_or(Millis(0)); });
  return count_lines("client", rows, interval.length);
}

/// First those of which nothing has come, then the slowest: of many hosts there is room for a few. "late" is by how
/// much the generator itself began ops late.
Lines host_lines(const LiveState& state) {
  constexpr std::size_t width = 24;
  Lines lines = {fmt::format("{:<24} {:>9} {:>7} {:>9} {:>8} {:>8} {:>8}", "rank", "ops/s", "share", "MiB/s", "errors",
                             "resp.", "late")};
  double all = 0;
  std::vector<std::size_t> ranks;
  for (const HostInterval& host : state.interval_hosts) {
    all += static_cast<double>(host.counts.operations);
    ranks.push_back(ranks.size());
  }
  std::ranges::stable_sort(ranks, std::greater<>(), [&](std::size_t rank) {
    const HostInterval& host = state.interval_hosts[rank];
    return std::pair(host.length == Nanos(0), host.response_mean.value_or(NanosF(0)));
  });
  for (const std::size_t rank : ranks) {
    const auto& [name, length, counts, response, late] = state.interval_hosts[rank];
    const std::string number = fmt::format("{} on ", rank);
    std::string line = number + end_of(one_line(name), width - number.size());
    const auto time = [](std::optional<NanosF> mean) { return mean ? format_millis(Millis(*mean).count()) : ""; };
    if (length > Nanos(0))
      line += fmt::format(" {:>9} {:>5.1f} % {:>9} {:>8} {:>8} {:>8}",
                          format_count(static_cast<double>(counts.operations) / to_seconds(length)),
                          all > 0 ? 100 * static_cast<double>(counts.operations) / all : 0.0,
                          mib_text(counts.bytes, length), counts.errors, time(response), time(late));
    else line += fmt::format(" {:>9}", "-");
    lines.push_back(line);
  }
  return lines;
}

Lines view_lines(const LiveState& state, ScreenView view, const Interval& interval) {
  switch (view) {
    case ScreenView::ops: return op_lines(state, interval);
    case ScreenView::mounts: return mount_lines(state, interval);
    case ScreenView::clients: return client_lines(state, interval);
    case ScreenView::hosts: return state.interval_hosts.empty() ? op_lines(state, interval) : host_lines(state);
  }
  return {};
}

}  // namespace

ScreenView first_view(const LiveState& state) {
  return state.interval_hosts.empty() ? ScreenView::ops : ScreenView::hosts;
}

ScreenView view_after(ScreenView view, const LiveState& state) {
  switch (view) {
    case ScreenView::ops: return ScreenView::mounts;
    case ScreenView::mounts: return ScreenView::clients;
    case ScreenView::clients: return first_view(state);
    case ScreenView::hosts: return ScreenView::ops;
  }
  return ScreenView::ops;
}

std::string history_text(const std::vector<double>& values, bool blocks) {
  constexpr std::string_view plain = "_.:-=+*#";
  double most = 0;
  for (const double value : values) most = std::max(most, value);
  std::string text;
  for (const double value : values) {
    if (value < 0 || !(most > 0)) {
      text += ' ';
      continue;
    }
    const auto level = static_cast<std::size_t>(std::clamp(std::ceil(8 * value / most) - 1, 0.0, 7.0));
    if (blocks) text += fmt::format("\xe2\x96{}", static_cast<char>(0x81 + level));
    else text += plain[level];
  }
  return text;
}

std::vector<std::string> screen_lines(const LiveState& state, ScreenView view, ScreenSize size, TimePoint at,
                                      bool blocks, bool keys) {
  std::uint64_t all_errors = 0;
  for (const KindTotals& kind : state.totals) all_errors += kind.errors;
  Lines lines = {
      between(fmt::format("edagen: {}, {} on {}", one_line(state.workload), counted(state.clients, "client"),
                          counted(state.mounts.size(), "mount")),
              course_text(state, at), size.columns),
      fmt::format(
          "load point {}{}{}: {}", state.point,
          state.purpose == to_string(Purpose::load_point) ? "" : ", " + state.purpose,
          state.requested_ops_per_sec ? fmt::format(" at {} ops/s", format_count(*state.requested_ops_per_sec)) : "",
          stage_text(state, at)),
      ""};
  if (state.interval) {
    const Interval& interval = *state.interval;
    lines.push_back(fmt::format("{} ops/s   {} MiB/s   {}, {} since the start", format_count(interval.ops_per_sec()),
                                mib_text(interval.bytes, interval.length), counted(interval.errors, "error"),
                                format_count(static_cast<double>(all_errors))));
    lines.push_back(fmt::format("{:<12} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}", "ms", "mean", "p50", "p90", "p95",
                                "p99", "p99.9", "max"));
    lines.push_back(latency_line("response", state.latency.response));
    lines.push_back(latency_line("service", state.latency.service));
    lines.push_back(history_line("ops/s", history_of(state, [](const PastInterval& past) { return past.ops_per_sec; }),
                                 size.columns, blocks, format_count));
    lines.push_back(history_line("response ms",
                                 history_of(state,
                                            [](const PastInterval& past) {
                                              return past.response_mean ? Millis(*past.response_mean).count() : -1.0;
                                            }),
                                 size.columns, blocks, format_millis));
  }
  for (const auto& [target, answer] : state.estimates)
    lines.push_back(estimate_line(answer, !state.interval_hosts.empty()));
  const std::string hosts = state.interval_hosts.empty() ? "" : "h hosts   ";
  const std::string help =
      keys ? "o ops   m mounts   c clients   " + hosts + "tab next   q or Ctrl-C ends the run" : "";
  const std::size_t used = lines.size() + (help.empty() ? 2 : 4);
  if (state.interval && size.rows > used + 2) {
    const std::size_t room = size.rows - used;
    Lines list = view_lines(state, view, *state.interval);
    if (list.size() > room) {
      const std::string left_out = fmt::format("and {} more", list.size() - room + 1);
      list.resize(room - 1);
      list.push_back(left_out);
    }
    lines.emplace_back();
    lines.insert(lines.end(), list.begin(), list.end());
  }
  if (!help.empty()) {
    lines.emplace_back();
    lines.push_back(help);
  }
  lines.resize(std::min(lines.size(), size.rows - 1));
  for (std::string& line : lines) line.resize(size_of_columns(line, size.columns));
  return lines;
}

}  // namespace edagen
