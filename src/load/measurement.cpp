#include "load/measurement.hpp"

#include <algorithm>

#include "stats/series.hpp"

namespace edagen {
namespace {

/// The warm-up of a load that does not settle is at most this many times as long as requested.
constexpr int longest_warmup = 4;

std::vector<double> statistics_of(const std::vector<Interval>& intervals) {
  std::vector<double> values;
  for (const Interval& interval : intervals) values.push_back(interval.statistic.count());
  return values;
}

}  // namespace

void IntervalStats::clear() {
  ops.clear();
  generator_lag_ns = 0;
  std::fill(group_operations.begin(), group_operations.end(), 0);
}

void IntervalStats::merge(const IntervalStats& other) {
  ops.merge(other.ops);
  generator_lag_ns += other.generator_lag_ns;
  for (std::size_t i = 0; i < group_operations.size(); ++i) group_operations[i] += other.group_operations[i];
}

Measurement::Measurement(const LoadPoint& load, const std::vector<std::string>& groups, RunObserver& observer)
    : load_(load),
      observer_(observer),
      measuring_(load.warmup == Nanos(0)),
      phase_end_(measuring_ ? load.duration : load.warmup) {
  for (const std::string& name : groups) stats_.groups.push_back({.name = name});
}

void Measurement::load_began() {
  if (measuring_) observer_.window_began();
}

Nanos Measurement::interval_end() const { return std::min(interval_start_ + load_.interval, phase_end_); }

Measurement::Next Measurement::interval_ended(Nanos at, IntervalStats& stats, bool ending) {
  const LatencyHistogram response = stats.ops.response(), service = stats.ops.service();
  Interval interval;
  interval.start = interval_start_ - window_start_;
  interval.length = at - interval_start_;
  interval.operations = stats.ops.operations();
  interval.errors = stats.ops.error_count();
  interval.bytes = stats.ops.bytes_read() + stats.ops.bytes_written();
  interval.response_mean = NanosF(response.mean());
  interval.service_mean = NanosF(service.mean());
  interval.response_p99 = response.percentile(99);
  interval.statistic = NanosF(load_.statistic.of(load_.statistic.service ? service : response));
  interval_start_ = at;
  if (!measuring_) {
    warm_.push_back(interval);
    observer_.warming_up(interval);
    if (ending) return Next::end;
    if (at < phase_end_) return Next::interval;
    const std::size_t recent = std::min<std::size_t>(warm_.size(), 20);
    const std::vector<double> values = statistics_of({warm_.end() - static_cast<std::ptrdiff_t>(recent), warm_.end()});
    if (load_.settle && trends(values) && at < longest_warmup * load_.warmup) {
      phase_end_ += load_.warmup;
      return Next::interval;
    }
    begin_window(at);
    return Next::window;
  }
  stats_.ops.merge(stats.ops);
  generator_lag_ns_ += stats.generator_lag_ns;
  for (std::size_t i = 0; i < stats_.groups.size(); ++i) stats_.groups[i].operations += stats.group_operations[i];
  stats_.intervals.push_back(interval);
  observer_.measured(interval);
  if (ending) return Next::end;
  if (at < phase_end_) return Next::interval;
  if (load_.settle && trends(statistics_of(stats_.intervals))) {
    if (extended_) {
      stats_.unsteady = true;
      return Next::end;
    }
    extended_ = true;
    begin_window(at);
    return Next::window;
  }
  return Next::end;
}

void Measurement::begin_window(Nanos at) {
  measuring_ = true;
  window_start_ = at;
  phase_end_ = at + load_.duration;
  stats_.ops.clear();
  stats_.intervals.clear();
  generator_lag_ns_ = 0;
  for (GroupStats& group : stats_.groups) group.operations = 0;
  observer_.window_began();
}

RunStats Measurement::result() {
  observer_.window_ended();
  stats_.length = interval_start_ - window_start_;
  stats_.warmup = measuring_ ? window_start_ : interval_start_;
  stats_.requested_ops_per_sec = load_.ops_per_sec;
  stats_.random_arrivals = load_.arrivals == Arrivals::poisson;
  if (const auto operations = stats_.ops.operations(); operations > 0)
    stats_.generator_lag_mean = NanosF(generator_lag_ns_ / static_cast<double>(operations));
  return std::move(stats_);
}

}  // namespace edagen
