#include "run_reporter.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>

namespace edagen {

void RunReporter::point_begins(std::optional<double> rate, const std::string& purpose) {
  point_ = fmt::format("point {} ({}){}: ", points_done_ + 1, purpose,
                       rate ? fmt::format(" at {} ops/s", format_count(*rate)) : "");
}

std::vector<NfsMountStats> RunReporter::nfs_mounts() const {
  if (nfs_mount_points_.empty()) return {};
  std::vector<NfsMountStats> mounts = read_mountstats();
  std::erase_if(mounts, [&](const NfsMountStats& mount) {
    return std::find(nfs_mount_points_.begin(), nfs_mount_points_.end(), mount.mount_point) == nfs_mount_points_.end();
  });
  return mounts;
}

void RunReporter::point_done(CurvePoint& point) {
  point.nfs = std::move(nfs_);
  journal_.point(points_done_++, point_figures(point));
  spdlog::debug("{}{:.0f} ops/s, {} {:.4f} ms{}", point_, point.rate, "latency", point.latency_ns / 1e6,
                point.invalid.empty() ? "" : fmt::format(", {}", to_string(point.invalid.front())));
}

void RunReporter::op_failed(const std::string& what, OpKind kind, int error) {
  const char* const text = error < short_read_error ? std::strerror(error) : "the file system broke its promise";
  spdlog::warn("{} {}: {} ({})", to_string(kind), what, error_name(error), text);
}

void RunReporter::op_stuck(const std::string& what, OpKind kind, Nanos age) {
  progress_.clear();
  spdlog::warn("stuck for {}: {} {}", format_duration(age), to_string(kind), what);
}

void RunReporter::note(Phase phase, const char* shown, const Interval& interval) {
  journal_.interval(points_done_, phase, interval);
  progress_.show(fmt::format("{}{} {:.0f} s  {} ops/s  {:.1f} MiB/s  response mean {:.3f} ms, p99 {:.3f} ms{}", point_,
                             shown, to_seconds(interval.start + interval.length), format_count(interval.ops_per_sec()),
                             static_cast<double>(interval.bytes) / 0x1p20 / to_seconds(interval.length),
                             interval.response_mean_ns / 1e6, to_millis(interval.response_p99),
                             interval.errors > 0 ? fmt::format("  {} ERRORS", interval.errors) : ""));
}

}  // namespace edagen
