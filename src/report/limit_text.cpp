#include "report/limit_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "edagen/units.hpp"
#include "report/curve_points.hpp"
#include "report/point_text.hpp"
#include "report/stall_text.hpp"
#include "result/flaw.hpp"
#include "result/validity_limits.hpp"

namespace edagen {
namespace {

constexpr double told_share = 0.25;        ///< of the processors, from which on other programs are named
constexpr double crowding_share = 0.5;     ///< from which on other programs explain a late edagen on any host
constexpr double throttled_share = 0.01;   ///< of the time, from which on a container's limit explains a late edagen
constexpr double busy_procs_share = 0.15;  ///< of the procs that have an op in flight on average
constexpr double queue_share = 0.9;        ///< of the response, from which on a queue for procs is what rises and falls
constexpr Millis least_response{0.2};      ///< below which waits are those of scheduling
constexpr const char* waits_for_proc = ": ops wait until their proc has ended the op before";

double others_used(const LoadHost& host) {
  return std::min(host.use.host_busy, 1.0) * static_cast<double>(host.processors) - host.use.cpu_cores_used;
}

bool are_others_named(const LoadHost& host) {
  return others_used(host) >= told_share * static_cast<double>(host.processors);
}

/// Other programs used so much of the host that edagen was late, though some processors were idle now and then.
bool is_crowded_out(const LoadHost& host) {
  return host.is_late && others_used(host) >= crowding_share * static_cast<double>(host.processors);
}

/// How many procs have an op in flight on average, as a share of them (Little's law); 1 of results that have no procs.
double busy_share_of_procs(Millis service, double ops_per_sec, double procs) {
  return procs == 0 ? 1 : ops_per_sec * service.count() / 1000 / procs;
}
double busy_share_of_procs(const PointFigures& point) {
  double procs = 0;
  for (const GroupFigures& group : point.groups) procs += static_cast<double>(group.procs);
  return busy_share_of_procs(point.latency.service.mean, point.achieved_ops_per_sec, procs);
}

/// Whether enough procs had an op in flight for ops to wait for them.
bool procs_are_busy(const PointFigures& point) { return busy_share_of_procs(point) >= busy_procs_share; }

bool mostly_waits(Millis response, Millis waiting) {
  return response >= least_response && waiting >= validity_limits::waiting_share * response;
}
bool mostly_waits(const PointFigures& point) {
  return mostly_waits(point.latency.response.mean, wait_for_procs(point));
}

bool is_explained_by_edagen(const PointFigures& point) { return has_flaw(point.invalid, {Flaw::generator}); }

/// The generator's own delay is much of the response.
bool own_delay_is_long(const PointFigures& point) {
  return point.requested_ops_per_sec &&
         point.generator_lag.mean > validity_limits::own_delay_share * point.latency.response.mean;
}

LoadHost load_host(const Result& result, const PointFigures& point) {
  return {.processors = result.simulated() || !point.hosts.empty() ? 0 : result.host.cpus,
          .use = {.cpu_cores_used = point.cpu_cores_used,
                  .host_busy = point.host_busy,
                  .throttled_share = point.throttled_share,
                  .real_time_refused = point.real_time_refused},
          .is_late = own_delay_is_long(point) || point.is_invalid_for(Invalid::generator_limited)};
}

std::string busy_host_line(const Result& result, const PointFigures& point) {
  const std::string used = busy_host_text(result, point);
  if (used.empty() || !(own_delay_is_long(point) || mostly_waits(point))) return "";
  return fmt::format("  {}, so that ops waited for a processor: {}\n", used, host_remedy(result, point));
}

/// "  50 % of the response is waiting"
std::string waiting_text(const PointFigures& point) {
  return fmt::format("  {:.0f} % of the response is waiting",
                     100 * (wait_for_procs(point) / point.latency.response.mean));
}

/// Whether ops wait most of the time because their procs are busy. Where none of the ops that were due has ended, while
/// others ended all the time, they all wait.
bool ops_wait_for_procs(const PointFigures& point) {
  if (has_stalled_time(point)) return false;  // its few long ops make the mean service of all
  return point.has_service() ? mostly_waits(point) && procs_are_busy(point)
                             : point.has_figures() && point.is_invalid_for(Invalid::achieved_rate_low);
}

/// `has_reasons`: the reasons of the point stand before the line, and those that busy procs explain have the remedy.
std::string busy_procs_line(const PointFigures& point, bool has_reasons) {
  if (!point.has_service() || !ops_wait_for_procs(point)) return "";
  const bool has_remedy = has_reasons && std::ranges::any_of(point.invalid, [&](Invalid reason) {
                            return busy_procs_explain(reason, point);
                          });
  return waiting_text(point) + waits_for_proc +
         (has_remedy ? "\n" : "; more procs (--job-sets) would show the limit of the storage\n");
}

/// What waits beside the generator's own delay, where that is more; the remedy is the host's.
std::string waits_beside_delay(const PointFigures& point) {
  if (point.is_invalid_for(Invalid::generator_paused)) return "";  // the pause is in what looks like a wait
  const bool is_more = point.has_service() && wait_for_procs(point) > point.generator_lag.mean;
  return is_more && ops_wait_for_procs(point) ? waiting_text(point) + waits_for_proc + "\n" : "";
}

std::string slow_ops_line(const PointFigures& point) {
  constexpr double tail_factor = 3;  // of the mean: p99 of ops that are rarely slow
  const LatencyFigures& service = point.latency.service;
  if (!mostly_waits(point) || service.p99 < tail_factor * service.mean) return "";
  return waiting_text(point) +
         fmt::format(" behind a few slow ops: service is {} ms on average, {} ms at p99, and procs are {:.0f} % busy\n",
                     ms(service.mean), ms(service.p99), 100 * busy_share_of_procs(point));
}

}  // namespace

bool has_stalled_time(const PointFigures& point) {
  return !is_explained_by_edagen(point) && mostly_waits(point) && stalled_time(point);
}

std::string processors_text(std::int64_t processors) {
  return processors == 1 ? "processor is" : fmt::format("{} processors are", processors);
}

bool is_throttled(const LoadHost& host) {
  return host.use.throttled_share >= (host.is_late ? throttled_share : validity_limits::paused_share);
}

bool is_throttled(const Result& result, const PointFigures& point) { return is_throttled(load_host(result, point)); }

std::string throttled_text(double share) {
  return fmt::format("the limit of processors of this container held edagen up for {:.0f} % of the time", 100 * share);
}

std::string busy_host_text(const LoadHost& host, const std::string& processors) {
  if (host.processors < 1) return "";
  if (is_throttled(host)) return throttled_text(host.use.throttled_share);
  if (host.use.host_busy < busy_host_share && !is_crowded_out(host)) return "";
  const bool are_others = are_others_named(host);
  const std::string all =
      host.processors == 1 ? "processor" : counted(static_cast<std::uint64_t>(host.processors), "processor");
  return fmt::format("{} used {:.1f} of {}", are_others ? "other programs" : "edagen",
                     are_others ? others_used(host) : host.use.cpu_cores_used,
                     processors.empty() ? "this host's " + all : processors);
}

std::string busy_host_text(const Result& result, const PointFigures& point, const std::string& processors) {
  return busy_host_text(load_host(result, point), processors);
}

std::string host_remedy(const LoadHost& host) {
  if (is_throttled(host)) return more_for_container;
  if (busy_host_text(host).empty()) return remedy_of_late_host(host.use.real_time_refused);
  return are_others_named(host) ? "take a quieter host" : "take more processors, or more hosts";
}

std::string host_remedy(const Result& result, const PointFigures& point) {
  return host_remedy(load_host(result, point));
}

bool host_may_be_why(Invalid reason) {
  return is_one_of(flaw_of(reason), {Flaw::overload, Flaw::generator, Flaw::unsteady}) ||
         reason == Invalid::proc_rate_low;
}

bool mostly_wait_for_procs(Millis response, Millis service, double ops_per_sec, double procs) {
  return mostly_waits(response, response - service) &&
         busy_share_of_procs(service, ops_per_sec, procs) >= busy_procs_share;
}

bool busy_procs_explain(Invalid reason, const PointFigures& point) {
  if (!ops_wait_for_procs(point)) return false;
  if (!is_overload(point.invalid) && wait_for_procs(point) < queue_share * point.latency.response.mean) return false;
  // More ops ended than were due: a stop in the warm-up had left them behind.
  const double requested = point.requested_ops_per_sec.value_or(0);
  if (requested > 0 && point.achieved_ops_per_sec > validity_limits::exceeded_share * requested) return false;
  if (reason == Invalid::proc_rate_low && !point.mount_findings.empty()) return false;
  const auto has_no_proc = [](const GroupFigures& group) { return group.procs == 0; };
  if (reason == Invalid::mix_off && std::ranges::any_of(point.groups, has_no_proc)) return false;
  return is_one_of(flaw_of(reason), {Flaw::overload, Flaw::uneven, Flaw::unsteady});
}

bool busy_procs_outweigh_delay(const Result& result, const PointFigures& point) {
  if (!is_overload(point.invalid) || point.is_invalid_for(Invalid::generator_paused)) return false;
  // Without an op that was due and has ended, neither the delay nor the wait is known.
  const bool outweigh = !point.has_service() || wait_for_procs(point) > point.generator_lag.mean;
  return outweigh && ops_wait_for_procs(point) && busy_host_text(result, point).empty();
}

std::string busy_procs_remedy(const PointFigures& point) {
  if (!is_overload(point.invalid))
    return "ops wait for busy procs: more procs (--job-sets), a lower --rate or a longer --duration";
  if (!point.has_service()) return std::string("ops wait for busy procs: ") + lower_rate_or_more_procs;
  return remedy_of_overloaded_procs(ms(point.latency.service.mean) + " ms");
}

std::string remedy_of_overloaded_procs(const std::string& service) {
  return fmt::format(
      "ops wait for busy procs: a lower --rate; or more procs (--job-sets), if service takes {} on idle storage, too",
      service);
}

std::string limit_line(const Result& result, const PointFigures& point, bool has_reasons) {
  if (is_explained_by_edagen(point)) return "";
  // These reasons are printed with the busy host that may be behind them.
  const bool is_named = std::ranges::any_of(point.invalid, host_may_be_why);
  if (is_named && !busy_host_text(result, point).empty()) return "";
  const std::string host = busy_host_line(result, point);
  return host.empty() ? busy_procs_line(point, has_reasons) : host;
}

std::string waiting_line(const Result& result, const PointFigures& point, bool has_reasons) {
  if (is_explained_by_edagen(point)) return waits_beside_delay(point);
  if (has_stalled_time(point)) return stalled_time_line(point);
  const std::string limit = limit_line(result, point, has_reasons);
  const bool is_the_hosts = !busy_host_text(result, point).empty();
  return !limit.empty() || is_the_hosts || procs_are_busy(point) ? limit : slow_ops_line(point);
}

}  // namespace edagen
