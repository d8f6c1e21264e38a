#include "session/point_recorder.hpp"

#include "session/measured.hpp"

namespace edagen {

void PointRecorder::point_begins(std::optional<double> rate, const std::string& purpose) {
  journal_.point_begins(points_.size(), rate);
  observer_.point_begins(rate, purpose);
}

void PointRecorder::point_done(const CurvePoint& point) {
  PointFigures figures = point_figures(point, nfs_.counted());
  journal_.point(points_.size(), figures);
  observer_.point_done(point);
  observer_.point_measured(figures);
  points_.push_back(std::move(figures));
}

void PointRecorder::window_began() {
  nfs_.window_began();
  observer_.window_began();
}

void PointRecorder::window_ended() {
  nfs_.window_ended();
  observer_.window_ended();
}

void PointRecorder::warming_up(const Interval& interval, const IntervalStats& stats) {
  journal_.interval(points_.size(), Phase::warmup, interval_figures(interval), interval_op_figures(stats.ops));
  observer_.warming_up(interval, stats);
}

void PointRecorder::measured(const Interval& interval, const IntervalStats& stats) {
  journal_.interval(points_.size(), Phase::measure, interval_figures(interval), interval_op_figures(stats.ops));
  observer_.measured(interval, stats);
}

}  // namespace edagen
