#include "load/measurement.hpp"

#include <algorithm>
#include <cmath>

#include "stats/series.hpp"

namespace edagen {
namespace {

/// Maximum length of the warm-up of a load that does not settle, in requested warm-ups.
constexpr int longest_warmup = 4;

std::vector<double> statistics_of(const std::vector<Interval>& intervals) {
  std::vector<double> values;
  for (const Interval& interval : intervals)
    if (interval.statistic) values.push_back(interval.statistic->count());
  return values;
}

/// The counts of Interval::response_counts.
std::vector<std::uint64_t> half_octaves(const LatencyHistogram& latency) {
  std::vector<std::uint64_t> counts;
  latency.for_each_bucket([&](std::int64_t low, std::int64_t high, std::uint64_t count) {
    const double micros = static_cast<double>(low + high) / 2 / 1000;
    const auto half = static_cast<std::size_t>(std::max(0.0, 2 * std::log2(std::max(micros, 1.0))));
    if (counts.size() <= half) counts.resize(half + 1);
    counts[half] += count;
  });
  return counts;
}

}  // namespace

/// mpirun sends SIGKILL one second after SIGTERM; results must be written by then.
Nanos longest_drain_when_ending(bool shared, bool may_abandon) {
  return std::chrono::milliseconds(shared ? 200 : may_abandon ? 600 : 1000);
}

Nanos longest_drain(Nanos window) { return std::max<Nanos>(std::chrono::seconds(1), window / 10); }

Nanos longest_load_time(const LoadPoint& load) {
  const auto repeated = [&](Nanos phase, Nanos::rep times) {
    const Nanos::rep intervals = (phase + load.interval - Nanos(1)) / load.interval;
    return load.settle && intervals >= static_cast<Nanos::rep>(fewest_for_trend) ? times * phase : phase;
  };
  const Nanos longest = repeated(load.warmup, longest_warmup) + repeated(load.duration, 2);
  return std::max(load.warmup + load.duration, std::min(longest, load.settle_within));
}

Measurement::Measurement(const LoadPoint& load, const std::vector<std::string>& groups, EventSink emit, Nanos start)
    : load_(load),
      emit_(std::move(emit)),
      measuring_(load.warmup == Nanos(0)),
      start_(start),
      phase_end_(start + (measuring_ ? load.duration : load.warmup)),
      interval_start_(start),
      window_start_(start) {
  for (const std::string& name : groups) stats_.groups.push_back({.name = name});
}

void Measurement::load_began() {
  if (measuring_) emit_(WindowBegan{});
}

Nanos Measurement::interval_end() const { return std::min(interval_start_ + load_.interval, phase_end_); }

Window Measurement::window() const { return measuring_ ? Window{window_start_, phase_end_} : Window{}; }

void Measurement::fill(Interval& interval, const IntervalStats& stats) const {
  const OpStats& ops = stats.ops;
  interval.operations = ops.operations();
  interval.errors = ops.error_count();
  interval.bytes = ops.bytes_read() + ops.bytes_written();
  const LatencyHistogram response = ops.response(), service = ops.service();
  const LatencyHistogram& chosen = load_.statistic.service ? service : response;
  if (response.count() > 0)
    interval.response_mean = NanosF(response.mean()), interval.response_p99 = response.percentile(99);
  if (service.count() > 0) interval.service_mean = NanosF(service.mean());
  if (stats.generator_lag.count() > 0) interval.generator_lag_mean = NanosF(stats.generator_lag.mean());
  interval.response_counts = half_octaves(response);
  if (chosen.count() > 0) interval.statistic = NanosF(load_.statistic.of(chosen));
}

void Measurement::add(const IntervalStats& stats) {
  stats_.ops.merge(stats.ops);
  stats_.generator_lag.merge(stats.generator_lag);
  for (std::size_t i = 0; i < stats_.groups.size(); ++i) {
    stats_.groups[i].operations += stats.group_operations[i];
    stats_.groups[i].waits.merge(stats.group_waits[i]);
  }
  merge_clients(stats_.clients, stats.clients);
  MeanOfKinds means{};
  for (const OpKind kind : all_op_kinds())
    means[static_cast<std::size_t>(kind)] = stats_.ops.of(kind).response().mean();
  stats_.client_slices.add_interval(stats.clients, means);
  emit_(IntervalEnded{true, stats_.intervals.back(), stats});
}

Measurement::Next Measurement::interval_ended(Nanos at, const IntervalStats& stats, bool ending) {
  const bool phase_over = at >= phase_end_;
  // The end of the window does not depend on when it was noticed. A window begins a moment after it was announced.
  if (measuring_) at = std::clamp(at, interval_start_, phase_end_);
  Interval interval{.start = interval_start_ - window_start_, .length = at - interval_start_};
  fill(interval, stats);
  last_ = interval;
  if (measuring_ && ending && at == window_start_) return Next::end;  // before the window: no interval, and no rate
  interval_start_ = at;
  if (!measuring_) {
    warm_.push_back(interval);
    emit_(IntervalEnded{false, interval, stats});
    if (ending) return Next::end;
    if (!phase_over) return Next::interval;
    const std::size_t recent = std::min<std::size_t>(warm_.size(), 20);
    const std::vector<double> values = statistics_of({warm_.end() - static_cast<std::ptrdiff_t>(recent), warm_.end()});
    if (load_.settle && trends(values) && at - start_ < longest_warmup * load_.warmup &&
        has_time_for(at, load_.warmup + load_.duration)) {
      extend_warmup();
      emit_(WarmupExtended{});
      return Next::interval;
    }
    return Next::window;
  }
  stats_.intervals.push_back(interval);
  if (!phase_over && !ending) {
    add(stats);
    return Next::interval;
  }
  if (!ending && load_.settle && trends(statistics_of(stats_.intervals))) {
    if (!extended_ && has_time_for(at, load_.duration)) {
      emit_(IntervalEnded{true, interval, stats});
      extended_ = true;
      return Next::window;
    }
    stats_.unsteady = true;
  }
  return Next::end;
}

bool Measurement::has_time_for(Nanos at, Nanos time) const { return at - start_ + time <= load_.settle_within; }

void Measurement::begin_window(Nanos at) {
  if (measuring_) stats_.first_window = interval_start_ - window_start_;
  else stats_.longer_warmup = phase_end_ - start_ - load_.warmup;
  measuring_ = true;
  interval_start_ = window_start_ = at;
  phase_end_ = at + load_.duration;
  stats_.ops.clear();
  stats_.generator_lag.clear();
  stats_.intervals.clear();
  stats_.clients.clear();
  stats_.client_slices.clear();
  for (GroupStats& group : stats_.groups) {
    group.operations = 0;
    group.waits = {};
  }
  emit_(WindowBegan{.again = stats_.first_window > Nanos(0)});
}

RunStats Measurement::finish(const IntervalStats& stats) {
  if (measuring_) {
    if (!stats_.intervals.empty()) {
      fill(stats_.intervals.back(), stats);
      add(stats);
    }
    stats_.length = interval_start_ - window_start_;
  }
  stats_.warmup = (measuring_ ? window_start_ : interval_start_) - start_;
  stats_.requested_ops_per_sec = load_.requested_ops_per_sec();
  return std::move(stats_);
}

}  // namespace edagen
