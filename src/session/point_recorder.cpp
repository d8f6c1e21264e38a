#include "session/point_recorder.hpp"

#include <algorithm>

#include "session/measured.hpp"

namespace edagen {

void PointRecorder::record(const Event& event) {
  if (const auto* const ended = std::get_if<PointEnded>(&event)) return add(*ended);
  handle(
      event,
      [this](const PointBegan& point) {
        if (journal_) journal_->point_begins(points_.size(), point.ops_per_sec);
      },
      [this](const WindowBegan&) { nfs_.window_began(); }, [this](const WindowEnded&) { nfs_.window_ended(); },
      [this](const IntervalEnded& ended) {
        if (journal_)
          journal_->interval(points_.size(), ended.in_window ? Phase::measure : Phase::warmup,
                             interval_figures(ended.interval), interval_op_figures(ended.stats.ops),
                             interval_mount_figures(ended.stats.clients));
      });
  emit_(event);
}

std::vector<IntervalOpFigures> PointRecorder::interval_mount_figures(const std::vector<ClientStats>& clients) const {
  std::vector<IntervalOpFigures> figures;
  if (mounts_.size() < 2) return figures;
  for (const ClientStats& mount : by_mount(clients, std::min(mounts_.size(), clients.size())))
    figures.push_back(interval_figures(mount));
  return figures;
}

void PointRecorder::add_stuck_ops(const Curve& curve) {
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const std::uint64_t stuck_ops = curve.points.at(i).stats.stuck_ops;
    if (stuck_ops == points_[i].stuck_ops) continue;
    if (points_[i].stuck_ops == 0) points_[i].invalid.push_back(Invalid::stuck_ops);
    points_[i].stuck_ops = stuck_ops;
    if (journal_) journal_->point(i, points_[i]);
  }
}

void PointRecorder::add(const PointEnded& ended) {
  points_.push_back(point_figures(ended.point, nfs_.counted(), mounts_));
  if (journal_) journal_->point(points_.size() - 1, points_.back());
  emit_(PointMeasured{points_.back()});
}

}  // namespace edagen
