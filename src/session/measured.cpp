#include "session/measured.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>

#include "base/mib.hpp"
#include "base/rfc3339.hpp"
#include "base/usable_processors.hpp"
#include "nfs/mount_advice.hpp"
#include "result/leaf_fields.hpp"
#include "search/overall_response_time.hpp"
#include "search/validity.hpp"
#include "session/host_findings.hpp"
#include "session/nfs_point.hpp"
#include "stats/hdr_histogram.hpp"
#include "stats/repeats.hpp"

namespace edagen {
namespace {

double rounded_to_7_digits(double value) {
  if (value == 0 || !std::isfinite(value)) return 0;
  const double scale = std::pow(10.0, 6 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

/// Enough digits for any figure here, and no more: 12.345678 rather than 12.345678000000001.
template <class Figures>
Figures rounded(Figures figures) {
  return with_each_leaf(std::move(figures), [](auto& leaf, const FieldRule& rule) {
    using Leaf = std::remove_cvref_t<decltype(leaf)>;
    if (rule.exact) return;
    if constexpr (std::is_floating_point_v<Leaf>) leaf = rounded_to_7_digits(leaf);
    if constexpr (std::is_same_v<Leaf, Millis> || std::is_same_v<Leaf, Seconds>)
      leaf = Leaf(rounded_to_7_digits(leaf.count()));
  });
}

std::vector<GroupFigures> group_figures(const RunStats& stats) {
  std::vector<GroupFigures> figures;
  for (const GroupStats& group : stats.groups)
    figures.push_back({.workload = group.name,
                       .procs = group.procs,
                       .requested_ops_per_sec = group.requested_ops_per_sec,
                       .achieved_ops_per_sec = static_cast<double>(group.operations) / stats.seconds(),
                       .least_proc_share = std::min(1.0, group.least_proc_share)});
  return figures;
}

/// The figures cannot be below 0.
RepeatSummary repeat_summary(const std::vector<double>& values) {
  const RepeatFigures figures = repeat_figures(values);
  RepeatSummary summary{.mean = figures.mean, .median = figures.median};
  if (values.size() < 2) return summary;
  summary.standard_deviation = figures.standard_deviation;
  summary.confidence_95 = {std::max(0.0, figures.low), figures.high};
  return summary;
}

/// The series of load points that have figures and were not cut off; nullopt when there is but one load, once.
std::optional<Series> series_of(const Curve& curve, const std::vector<PointFigures>& figures) {
  if (!curve.answers.empty() || (curve.swept == Swept::nothing && curve.points.size() < 2)) return std::nullopt;
  std::vector<std::pair<double, std::vector<const CurvePoint*>>> loads;  // in the order of measurement
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const CurvePoint& point = curve.points[i];
    if (!figures.at(i).has_figures() || point.stats.interrupted || point.stats.too_many_errors) continue;
    auto load =
        std::find_if(loads.begin(), loads.end(), [&](const auto& known) { return known.first == point.sweep_value; });
    if (load == loads.end()) load = loads.insert(load, {point.sweep_value, {}});
    load->second.push_back(&point);
  }
  if (loads.empty()) return std::nullopt;
  Series series;
  if (curve.swept != Swept::nothing) series.parameter = to_string(curve.swept);
  for (const auto& [value, points] : loads) {
    std::vector<double> rates, mib, responses;
    for (const CurvePoint* const point : points) {
      rates.push_back(point->rate);
      mib.push_back(point->stats.mib_per_sec());
      responses.push_back(point->stats.ops.response().mean() / 1e6);
    }
    series.points.push_back({.value = value,
                             .repeats = points.size(),
                             .ops_per_sec = repeat_summary(rates),
                             .mib_per_sec = repeat_summary(mib),
                             .response_ms = repeat_summary(responses)});
  }
  return rounded(std::move(series));
}

StaleFigures stale_figures(const StaleLooks& seen) {
  StaleFigures figures{
      .looks = seen.looks, .stale = seen.stale, .stale_share = seen.share(), .periods = seen.periods.size()};
  for (const Lifetime& period : seen.periods) {
    figures.unended += period.ended ? 0 : 1;
    figures.stale_for_max = std::max(figures.stale_for_max, Millis(period.lasted));
  }
  const MedianLifetime median = median_lifetime(seen.periods);
  figures.stale_for_p50 = median.at_least ? std::nullopt : std::optional(median.value);
  return figures;
}

/// The error of the last flush is one of fsync, which need not be an op of the load, and an op that fails after the
/// window is not counted as an op.
bool has_counts(const OpKindStats& stats) { return stats.operations > 0 || !stats.errors.empty(); }

/// Failed when no load measured anything, or the last was ended for its errors.
Status status_of(const Curve& curve) {
  if (curve.interrupted) return Status::interrupted;
  if (curve.points.empty()) return Status::failed;
  const bool nothing =
      std::ranges::all_of(curve.points, [](const CurvePoint& point) { return point.stats.ops.operations() == 0; });
  return nothing || curve.points.back().stats.too_many_errors ? Status::failed : Status::complete;
}

}  // namespace

LatencyFigures latency_figures(const LatencyHistogram& latency) {
  return rounded(LatencyFigures{.mean = NanosF(latency.mean()),
                                .p50 = latency.percentile(50),
                                .p90 = latency.percentile(90),
                                .p95 = latency.percentile(95),
                                .p99 = latency.percentile(99),
                                .p99_9 = latency.percentile(99.9),
                                .max = latency.max()});
}

IntervalFigures interval_figures(const Interval& interval) {
  return rounded(IntervalFigures{.start = interval.start,
                                 .length = interval.length,
                                 .ops_per_sec = interval.ops_per_sec(),
                                 .mib_per_sec = mib_per_sec(interval.bytes, interval.length),
                                 .errors = interval.errors,
                                 .response_mean = interval.response_mean,
                                 .service_mean = interval.service_mean,
                                 .response_p99 = interval.response_p99,
                                 .generator_lag_mean = interval.generator_lag_mean,
                                 .response_counts = interval.response_counts});
}

IntervalOpFigures interval_figures(const ClientStats& client) {
  const ClientFigures window = client_figures(client);
  return rounded(IntervalOpFigures{.operations = window.operations,
                                   .errors = window.errors,
                                   .bytes = window.bytes,
                                   .response_mean = window.response_mean,
                                   .response_p99 = window.response_p99,
                                   .service_mean = window.service_mean,
                                   .service_p99 = window.service_p99});
}

std::map<OpKind, OpFigures> op_figures(const OpStats& ops, bool with_histograms) {
  std::map<OpKind, OpFigures> figures;
  const auto all = static_cast<double>(ops.operations());
  for (const OpKind kind : all_op_kinds()) {
    const OpKindStats& stats = ops.of(kind);
    if (!has_counts(stats)) continue;
    figures[kind] = {.operations = stats.operations,
                     .share = static_cast<double>(stats.operations) / all,
                     .bytes = stats.bytes_read + stats.bytes_written,
                     .errors = error_counts(stats.errors),
                     .lost_races = stats.lost_races};
    OpFigures& op = figures[kind];
    if (stats.service.count() > 0)
      op.latency = {latency_figures(stats.response()), latency_figures(stats.service), latency_figures(stats.lag)};
    if (!with_histograms) continue;
    op.response_histogram = hdr_encoded(stats.response());
    op.service_histogram = hdr_encoded(stats.service);
  }
  return rounded(std::move(figures));
}

std::map<OpKind, IntervalOpFigures> interval_op_figures(const OpStats& ops) {
  std::map<OpKind, IntervalOpFigures> figures;
  for (const OpKind kind : all_op_kinds()) {
    const OpKindStats& stats = ops.of(kind);
    if (!has_counts(stats)) continue;
    IntervalOpFigures& op = figures[kind] = {
        .operations = stats.operations, .errors = stats.error_count(), .bytes = stats.bytes_read + stats.bytes_written};
    if (stats.service.count() == 0) continue;
    op.response_mean = NanosF(stats.response().mean());
    op.response_p99 = stats.response().percentile(99);
    op.service_mean = NanosF(stats.service.mean());
    op.service_p99 = stats.service.percentile(99);
  }
  return rounded(std::move(figures));
}

namespace {

/// A pause makes round trips long, slots busy and a host slow: no finding is the storage's.
void tell_pause(PointFigures& figures, const std::vector<HostStats>& hosts) {
  if (figures.nfs)
    figures.nfs->findings = {"edagen was paused meanwhile: these counts do not tell where the time goes"};
  const std::vector<std::string> paused = pause_findings(hosts);
  figures.host_findings.insert(figures.host_findings.begin(), paused.begin(), paused.end());
}

}  // namespace

PointFigures point_figures(const CurvePoint& point, const std::vector<NfsMountStats>& nfs,
                           const std::vector<LoadMount>& mounts) {
  const RunStats& stats = point.stats;
  const bool full_length = point.purpose == Purpose::load_point || point.purpose == Purpose::demonstration;
  PointFigures figures{
      .purpose = point.purpose,
      .sweep_value = point.sweep_value,
      .repeat = point.repeat,
      .active_job_sets = point.job_sets > 0 ? std::optional<std::uint64_t>(point.job_sets) : std::nullopt,
      .requested_ops_per_sec = stats.requested_ops_per_sec,
      .achieved_ops_per_sec = stats.ops_per_sec(),
      .mib_per_sec = stats.mib_per_sec(),
      .read_mib_per_sec = stats.read_mib_per_sec(),
      .write_mib_per_sec = stats.write_mib_per_sec(),
      .seconds = Seconds(stats.seconds()),
      .sync_seconds = stats.sync_time,
      .warmup = stats.warmup,
      .longer_warmup = stats.longer_warmup,
      .first_window = stats.first_window,
      .operations = stats.ops.operations(),
      .errors = error_counts(stats.ops.errors()),
      .lost_races = stats.ops.lost_races(),
      .bytes_read = stats.ops.bytes_read(),
      .bytes_written = stats.ops.bytes_written(),
      .latency = {.response = latency_figures(stats.ops.response()),
                  .service = latency_figures(stats.ops.service()),
                  .lag = latency_figures(stats.ops.lag())},
      .statistic = {.value = point.latency,
                    .standard_error = point.degrees_of_freedom > 0 ? std::optional(point.latency_error) : std::nullopt},
      .ops = op_figures(stats.ops, full_length),
      .groups = group_figures(stats),
      .intervals = {},
      .nfs = nfs_figures(point, nfs),
      .generator_lag = latency_figures(stats.generator_lag),
      .generator_lag_limit =
          LagLimitFigures{.statistic = point.lag_limit.statistic.name(), .value = point.lag_limit.value},
      .cpu_cores_used = stats.cpu_cores_used,
      .host_busy = stats.host_busy,
      .paused_share = stats.paused_share,
      .throttled_share = stats.throttled_share,
      .real_time_refused = stats.real_time_refused,
      .proc_wait = closed_loop_wait(stats),
      .ops_outstanding = stats.ops.outstanding(),
      .outstanding_age =
          stats.ops.outstanding() > 0 ? std::optional(latency_figures(stats.ops.outstanding_ages())) : std::nullopt,
      .stuck_ops = stats.stuck_ops,
      .hosts = {stats.hosts.begin(), stats.hosts.end()},
      .host_findings = host_findings(stats.hosts),
      .invalid = point.invalid};
  if (full_length) add_mount_loads(figures, stats, mounts);
  if (figures.is_invalid_for(Invalid::generator_paused)) tell_pause(figures, stats.hosts);
  if (const auto first_ops = first_op_spread(stats.hosts)) {
    figures.first_op_spread = first_ops->spread;
    figures.first_op_spread_uncertainty = first_ops->uncertainty;
  }
  for (auto& [kind, op] : figures.ops)
    if (const auto share = point.within_target_share.find(kind); share != point.within_target_share.end())
      op.within_target_share = share->second;
  for (const Interval& interval : stats.intervals) figures.intervals.push_back(interval_figures(interval));
  return rounded(std::move(figures));
}

void add_curve(Result& result, const Curve& curve, std::vector<PointFigures> figures) {
  result.series = series_of(curve, figures);
  std::vector<std::size_t> order(curve.points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rate = [&](std::size_t i) { return curve.points[i].stats.requested_ops_per_sec; };
  std::ranges::stable_sort(order, {}, rate);
  for (const std::size_t i : order) result.load_points.push_back(std::move(figures.at(i)));
  for (const AtTarget& answer : curve.answers) {
    const bool has_lowest = !answer.met && answer.lowest_latency > NanosF(0);
    AnswerFigures told{.target = answer.target,
                       .statistic = curve.statistic.name(),
                       .latency = curve.statistic.service ? "service" : "response",
                       .ops_per_sec = answer.ops_per_sec,
                       .mib_per_sec = answer.mib_per_sec,
                       .confidence_95 = {},
                       .met = answer.met,
                       .lowest_latency = {},
                       .lowest_latency_ops_per_sec = {},
                       .limit = answer.limit,
                       .demonstrated = answer.demonstrated,
                       .invalid = answer.invalid};
    if (has_lowest) told.lowest_latency = answer.lowest_latency;
    if (has_lowest) told.lowest_latency_ops_per_sec = answer.lowest_latency_rate;
    if (answer.met && !answer.limit && answer.high > answer.low) told.confidence_95 = {answer.low, answer.high};
    if (answer.demonstrated) {
      const auto place = std::ranges::find(order, answer.demonstrated->load_point) - order.begin();
      told.demonstrated->load_point = static_cast<std::uint64_t>(place);
    }
    result.at_latency_target.push_back(rounded(std::move(told)));
  }
  if (const auto ort = overall_response_time(curve)) result.ort = rounded(Millis(*ort));
  result.ort_variant = overall_response_time_variant;
  result.finished_at = rfc3339_now();
  result.status = status_of(curve);
}

StalenessFigures staleness_figures(const Staleness& staleness) {
  return rounded(StalenessFigures{stale_figures(staleness.attributes), stale_figures(staleness.data),
                                  stale_figures(staleness.lookups)});
}

namespace {

/// "model name" of the first processor; not all architectures tell it.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto at = line.find(": "); at != std::string::npos) return line.substr(at + 2);
  return "";
}

}  // namespace

Host this_host() {
  utsname name{};
  ::uname(&name);
  return {.name = name.nodename,
          .kernel = name.release,
          .processor = processor_name(),
          .cpus = static_cast<std::int64_t>(usable_processor_count()),
          .memory_bytes = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE),
          .sysctls = read_client_settings({}).sysctls};
}

}  // namespace edagen
