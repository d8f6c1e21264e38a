#include "session/point_recorder.hpp"

#include <algorithm>

#include "session/measured.hpp"

namespace edagen {

void PointRecorder::point_begins(std::optional<double> rate, const std::string& purpose) {
  observer_.point_begins(rate, purpose);
}

void PointRecorder::point_done(const CurvePoint& point) {
  PointFigures figures = point_figures(point, nfs_);
  journal_.point(points_.size(), figures);
  observer_.point_done(point);
  observer_.point_measured(figures);
  points_.push_back(std::move(figures));
}

void PointRecorder::warming_up(const Interval& interval) {
  journal_.interval(points_.size(), Phase::warmup, interval_figures(interval));
  observer_.warming_up(interval);
}

void PointRecorder::measured(const Interval& interval) {
  journal_.interval(points_.size(), Phase::measure, interval_figures(interval));
  observer_.measured(interval);
}

std::vector<NfsMountStats> PointRecorder::nfs_mounts() const {
  if (nfs_mount_points_.empty()) return {};
  std::vector<NfsMountStats> mounts = read_mountstats();
  std::erase_if(mounts, [&](const NfsMountStats& mount) {
    return std::ranges::find(nfs_mount_points_, mount.mount_point) == nfs_mount_points_.end();
  });
  return mounts;
}

}  // namespace edagen
