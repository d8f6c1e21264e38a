#include "report/mounts_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/mib.hpp"
#include "edagen/units.hpp"
#include "report/number_text.hpp"
#include "report/point_text.hpp"
#include "report/text_table.hpp"
#include "report/wrapped_text.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr std::size_t slowest_clients = 3;  ///< that a terminal has room for
/// Bars of more clients cannot be distinguished.
constexpr std::size_t most_plotted_clients = 400;

std::string time_cell(const std::optional<Millis>& time) { return time ? ms(*time) : "-"; }

Cell count_cell(std::uint64_t count) { return count > 0 ? format_count(static_cast<double>(count)) : ""; }

/// "3.1x", and where the mount is slower by more than chance, in red.
Cell ratio_cell(const std::optional<OthersFigures>& others) {
  if (!others) return "-";
  return {multiple_text(others->ratio), others->slow ? "bad" : ""};
}

TextTable mount_table(const PointFigures& point) {
  const auto any = [&](auto has) { return std::ranges::any_of(point.mounts, has); };
  const bool rpcs = any([](const MountLoadFigures& mount) { return mount.rpcs.has_value(); });
  const bool errors = any([](const MountLoadFigures& mount) { return mount.errors > 0; });
  const bool outstanding = any([](const MountLoadFigures& mount) { return mount.outstanding > 0; });
  constexpr Shown page = Shown::on_page;
  std::vector<Column> heads = {"mount", {"clients", page}, "ops/s", {"of the ops, %", page}, {"MiB/s", page}};
  if (errors) heads.emplace_back("errors");
  if (outstanding) heads.emplace_back("outstanding");
  heads.insert(heads.end(), {"mean ms", "p99", "service", {"service p99", page}, {"vs others", page}});
  if (rpcs) heads.insert(heads.end(), {"RPCs/op", "queue", "round trip"});
  TextTable table(heads);
  for (const MountLoadFigures& mount : point.mounts) {
    const auto operations = static_cast<double>(mount.operations);
    std::vector<Cell> row = {mount.path, std::to_string(mount.clients), per_second(operations / point.seconds.count()),
                             fmt::format("{:.1f}", 100 * operations / static_cast<double>(point.operations)),
                             format_mib(to_mib(mount.bytes) / point.seconds.count())};
    if (errors) row.push_back(count_cell(mount.errors));
    if (outstanding) row.push_back(count_cell(mount.outstanding));
    row.insert(row.end(), {time_cell(mount.response_mean), time_cell(mount.response_p99), time_cell(mount.service_mean),
                           time_cell(mount.service_p99), ratio_cell(mount.against_others)});
    if (rpcs && mount.rpcs)
      row.insert(row.end(), {value_text(mount.rpcs->per_op), ms(mount.rpcs->queue), ms(mount.rpcs->round_trip)});
    else if (rpcs) row.insert(row.end(), {"-", "-", "-"});
    table.add(std::move(row));
  }
  return table;
}

/// Client numbers, the slowest first.
std::vector<std::size_t> by_response(const PointFigures& point) {
  std::vector<std::size_t> clients;
  for (std::size_t i = 0; i < point.clients.size(); ++i)
    if (point.clients[i].response_mean) clients.push_back(i);
  std::ranges::stable_sort(clients, std::greater<>(), [&](std::size_t i) { return *point.clients[i].response_mean; });
  return clients;
}

/// A mount with a single client is that client.
bool shows_clients(const PointFigures& point) {
  return point.clients.size() > std::max<std::size_t>(1, point.mounts.size()) && by_response(point).size() > 1;
}

/// "Slowest of 10 clients by mean response: client 7 (/mnt/c) 2.93 ms, ...; median 0.951 ms"
std::string slowest_text(const PointFigures& point) {
  const std::vector<std::size_t> clients = by_response(point);
  std::string text = fmt::format("slowest of {} by mean response:", counted(clients.size(), "client"));
  std::vector<double> means;
  for (const std::size_t client : clients) means.push_back(point.clients[client].response_mean->count());
  for (std::size_t i = 0; i < std::min(clients.size(), slowest_clients); ++i) {
    const std::string where =
        point.mounts.size() > 1 ? " on " + point.mounts[clients[i] % point.mounts.size()].path : "";
    text += fmt::format("{} client {}{} {} ms", i > 0 ? "," : "", clients[i], where, format_millis(means[i]));
  }
  return text + fmt::format("; median of all {} ms", format_millis(median_of(means)));
}

/// Bars of a figure of each client, in a colour for each mount.
void add_client_bars(Document& blocks, const PointFigures& point, const std::string& title, const std::string& axis,
                     const std::function<Document(const ClientFigures&)>& figure) {
  Document labels = Document::array(), values = Document::array(), colours = Document::array();
  for (std::size_t i = 0; i < std::min(point.clients.size(), most_plotted_clients); ++i) {
    labels.push_back(fmt::format("client {}", i));
    values.push_back(figure(point.clients[i]));
    colours.push_back(point.mounts.empty() ? 0 : i % point.mounts.size());
  }
  const char* const colour = point.mounts.size() > 1 ? " (a colour for each mount)" : "";
  blocks.push_back(bar_chart(labels, axis, list_of(chart_set(title + colour, colours, values))));
}

}  // namespace

std::string mounts_text(const PointFigures& point) {
  std::string text;
  if (point.mounts.size() > 1)
    text += fmt::format("\n  Mounts, response and service in ms{}\n", invalid_mark(point)) + mount_table(point).str(2);
  if (shows_clients(point)) text += (text.empty() ? "\n" : "") + wrapped("  " + slowest_text(point), 4);
  for (const std::string& finding : point.mount_findings) text += wrapped("  - " + finding, 4);
  return text;
}

void add_mounts(Document& blocks, const PointFigures& point) {
  if (point.clients.size() < 2) return;
  blocks.push_back(heading((point.mounts.size() > 1 ? "Mounts and clients" : "Clients") + invalid_mark(point)));
  if (point.mounts.size() > 1) blocks.push_back(mount_table(point).block());
  if (point.clients.size() > most_plotted_clients)
    blocks.push_back(paragraph(
        fmt::format("The first {} of {} are shown", most_plotted_clients, counted(point.clients.size(), "client")),
        "dim"));
  if (shows_clients(point)) {
    blocks.push_back(paragraph(slowest_text(point), "dim"));
    add_client_bars(blocks, point, "mean response of each client, ms", "ms",
                    [](const ClientFigures& client) { return milliseconds(client.response_mean); });
  }
  const double seconds = point.seconds.count();
  add_client_bars(blocks, point, "ops/s of each client", "ops/s", [seconds](const ClientFigures& client) {
    return Document(static_cast<double>(client.operations) / seconds);
  });
}

}  // namespace edagen
