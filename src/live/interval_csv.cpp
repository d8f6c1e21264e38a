#include "live/interval_csv.hpp"

#include <fmt/format.h>

#include "base/mib.hpp"
#include "base/rfc3339.hpp"

namespace edagen {
namespace {

/// Empty where no op ended.
std::string millis(const LatencyHistogram& latency, double percentile) {
  if (latency.count() == 0) return "";
  const double ns = percentile > 0 ? static_cast<double>(latency.percentile(percentile).count()) : latency.mean();
  return fmt::format("{:.6g}", ns / 1e6);
}

}  // namespace

void IntervalCsv::observe(const Event& event) {
  handle(
      event, [this](const LoadBegan&) { begin_run(); },
      [this](const PointBegan& its) {
        ++point_;
        if (!its.purpose.empty()) purpose_ = its.purpose;
        rate_ = its.ops_per_sec;
      },
      [this](const WindowBegan&) { clock_.begins(); }, [this](const PointMeasured&) { clock_.begins(); },
      [this](const IntervalEnded& its) { add(its); });
}

void IntervalCsv::begin_run() {
  ++run_;
  point_ = 0;
  purpose_ = to_string(Purpose::load_point);
  rate_.reset();
  clock_.begins();
  if (!stream_.opens()) return;
  stream_.add(
      "time,run,load_point,purpose,requested_ops_per_sec,phase,seconds,operations,errors,ops_per_sec,read_mib_per_sec,"
      "write_mib_per_sec,response_mean_ms,response_p50_ms,response_p99_ms,response_max_ms,service_mean_ms,"
      "service_p50_ms,service_p99_ms,service_max_ms,generator_lag_mean_ms");
}

void IntervalCsv::add(const IntervalEnded& its) {
  if (!stream_.is_open()) return;
  const auto& [in_window, interval, stats] = its;
  const double seconds = to_seconds(interval.length);
  const LatencyHistogram response = stats.ops.response(), service = stats.ops.service();
  const auto latencies = [](const LatencyHistogram& latency) {
    return fmt::format("{},{},{},{}", millis(latency, 0), millis(latency, 50), millis(latency, 99),
                       millis(latency, 100));
  };
  stream_.add(fmt::format("{},{},{},\"{}\",{},{},{:.6g},{},{},{:.6g},{:.6g},{:.6g},{},{},{}",
                          rfc3339(std::chrono::floor<std::chrono::milliseconds>(clock_.began(interval))), run_, point_,
                          purpose_, rate_ ? fmt::format("{:.6g}", *rate_) : "", in_window ? "measure" : "warmup",
                          seconds, interval.operations, interval.errors, interval.ops_per_sec(),
                          mib_per_sec(stats.ops.bytes_read(), interval.length),
                          mib_per_sec(stats.ops.bytes_written(), interval.length), latencies(response),
                          latencies(service), millis(stats.generator_lag, 0)));
}

}  // namespace edagen
