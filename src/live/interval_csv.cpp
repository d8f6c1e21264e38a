#include "live/interval_csv.hpp"

#include <fmt/format.h>

#include "base/mib.hpp"
#include "base/rfc3339.hpp"
#include "base/words.hpp"
#include "edagen/error.hpp"
#include "session/mount_loads.hpp"

namespace edagen {
namespace {

/// One line in the quotes of CSV. A cell that a spreadsheet would take for a formula begins with an apostrophe.
std::string csv_quoted(const std::string& text) {
  const bool is_formula = text.find_first_of("=+-@") == 0;
  return fmt::format("\"{}{}\"", is_formula ? "'" : "", replaced(one_line(text, std::string::npos), "\"", "\"\""));
}

/// Empty where no op ended.
template <class Histogram>
std::string millis(const Histogram& latency, double percentile) {
  if (latency.count() == 0) return "";
  const double ns =
      percentile > 0 ? static_cast<double>(latency.percentile(percentile).count()) : NanosF(latency.mean()).count();
  return fmt::format("{:.6g}", ns / 1e6);
}

}  // namespace

void IntervalCsv::observe(const Event& event) {
  handle(
      event, [this](const LoadBegan& load) { begin_run(load.header); },
      [this](const PointBegan& point) {
        ++point_;
        if (!point.purpose.empty()) purpose_ = point.purpose;
        rate_ = point.ops_per_sec;
      },
      [this](const WindowBegan&) { clock_.window_begins(); }, [this](const PointMeasured&) { clock_.begins(); },
      [this](const IntervalEnded& ended) { add(ended); });
}

void IntervalCsv::begin_run(const Result& header) {
  mounts_.clear();
  for (const MountFigures& mount : header.target.mounts) mounts_.push_back(mount.path);
  ++run_;
  point_ = 0;
  purpose_ = to_string(Purpose::load_point);
  rate_.reset();
  clock_.begins();
  if (!stream_.opens()) return;
  stream_.add(
      "time,run,load_point,purpose,requested_ops_per_sec,phase,seconds,operations,errors,ops_per_sec,read_mib_per_sec,"
      "write_mib_per_sec,response_mean_ms,response_p50_ms,response_p99_ms,response_max_ms,service_mean_ms,"
      "service_p50_ms,service_p99_ms,service_max_ms,generator_lag_mean_ms,mount");
}

std::string IntervalCsv::head(const IntervalEnded& ended) {
  return fmt::format("{},{},{},{},{},{},{:.6g}",
                     rfc3339(std::chrono::floor<std::chrono::milliseconds>(clock_.began(ended.interval))), run_, point_,
                     csv_quoted(purpose_), rate_ ? fmt::format("{:.6g}", *rate_) : "",
                     ended.in_window ? "measure" : "warmup", to_seconds(ended.interval.length));
}

void IntervalCsv::add(const IntervalEnded& ended) {
  if (!stream_.is_open()) return;
  const auto& [in_window, interval, stats] = ended;
  const auto latencies = [](const auto& latency) {
    return fmt::format("{},{},{},{}", millis(latency, 0), millis(latency, 50), millis(latency, 99),
                       millis(latency, 100));
  };
  const std::string begin = head(ended);
  stream_.add(fmt::format("{},{},{},{:.6g},{:.6g},{:.6g},{},{},{},", begin, interval.operations, interval.errors,
                          interval.ops_per_sec(), mib_per_sec(stats.ops.bytes_read(), interval.length),
                          mib_per_sec(stats.ops.bytes_written(), interval.length), latencies(stats.ops.response()),
                          latencies(stats.ops.service()), millis(stats.generator_lag, 0)));
  if (mounts_.size() < 2) return;
  const std::vector<ClientStats> sums = by_mount(stats.clients, mounts_.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const ClientStats& mount = sums[i];
    // Bytes of a client are counted together, and not as read and written.
    stream_.add(fmt::format("{},{},{},{:.6g},,,{},{},,{}", begin, mount.counts.operations, mount.counts.errors,
                            static_cast<double>(mount.counts.operations) / to_seconds(interval.length),
                            latencies(mount.response()), latencies(mount.service), csv_quoted(mounts_[i])));
  }
}

}  // namespace edagen
