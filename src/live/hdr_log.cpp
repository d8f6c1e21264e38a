#include "live/hdr_log.hpp"

#include <fmt/format.h>

#include "base/rfc3339.hpp"
#include "edagen/error.hpp"
#include "stats/hdr_histogram.hpp"

namespace edagen {

void HdrLog::observe(const Event& event) {
  handle(
      event, [this](const LoadBegan& load) { begin_run(load.header); },
      [this](const PointBegan& point) {
        stream_.add(fmt::format("#[{}{}]", point.purpose.empty() ? to_string(Purpose::load_point) : point.purpose,
                                point.ops_per_sec ? fmt::format(" at {:.6g} ops/s", *point.ops_per_sec) : ""));
      },
      [this](const WindowBegan&) { clock_.window_begins(); },
      [this](const IntervalEnded& ended) {
        if (ended.in_window) add(ended.interval, ended.stats);
      });
}

void HdrLog::begin_run(const Result& header) {
  clock_.begins();
  if (stream_.opens()) {
    began_ = IntervalClock::time_now();
    const double epoch = Seconds(began_.time_since_epoch()).count();
    stream_.add("#[edagen: latencies of the intervals that were measured, in ns]");
    stream_.add("#[Histogram log format version 1.3]");
    stream_.add(
        fmt::format("#[StartTime: {:.3f} (seconds since epoch), {}]", epoch, rfc3339(static_cast<std::time_t>(epoch))));
    stream_.add(fmt::format("#[BaseTime: {:.3f} (seconds since epoch)]", epoch));
    stream_.add("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"");
  }
  stream_.add("#[run: " + one_line(header.workload.name) + "]");
}

void HdrLog::add(const Interval& interval, const IntervalStats& stats) {
  if (!stream_.is_open()) return;
  const double start = std::max(0.0, Seconds(clock_.began(interval) - began_).count());
  const auto add_line = [&](const std::string& tag, const LatencyHistogram& latency) {
    if (latency.count() == 0) return;
    // The maximum is in the unit of the log's readers: a millionth of the values'.
    stream_.add(fmt::format("{}{:.3f},{:.3f},{:.3f},{}", tag.empty() ? "" : "Tag=" + tag + ",", start,
                            to_seconds(interval.length), to_millis(latency.max()), hdr_encoded(latency)));
  };
  add_line("", stats.ops.response());
  add_line("service", stats.ops.service());
  for (const OpKind kind : all_op_kinds()) {
    const OpKindStats& op = stats.ops.of(kind);
    add_line(fmt::format("response.{}", to_string(kind)), op.response());
    add_line(fmt::format("service.{}", to_string(kind)), op.service);
  }
}

}  // namespace edagen
