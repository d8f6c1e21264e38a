// Takes down the load points of a run as they are measured: into the journal, with what the NFS client counts.
#pragma once

#include "edagen/session_observer.hpp"
#include "result/journal.hpp"
#include "session/nfs_window.hpp"

namespace edagen {

class PointRecorder final : public CurveObserver {
 public:
  /// `observer` is told what this is told. `nfs_mount_points`: whose counters are part of each point. All outlive this.
  PointRecorder(Journal& journal, SessionObserver& observer, std::vector<std::string> nfs_mount_points)
      : journal_(journal), observer_(observer), nfs_(std::move(nfs_mount_points)) {}

  void point_begins(std::optional<double> rate, const std::string& purpose) override;
  void point_done(const CurvePoint& point) override;
  void window_began() override;
  void window_ended() override;
  void estimated(const AtTarget& answer) override { observer_.estimated(answer); }
  void warming_up(const Interval& interval, const IntervalStats& stats) override;
  void measured(const Interval& interval, const IntervalStats& stats) override;
  void op_failed(const std::string& what, OpKind kind, int error) override { observer_.op_failed(what, kind, error); }
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override { observer_.op_stuck(what, kind, age); }

  /// In the order of measurement.
  std::vector<PointFigures> take_points() { return std::move(points_); }

 private:
  Journal& journal_;
  SessionObserver& observer_;
  NfsWindow nfs_;
  std::vector<PointFigures> points_;
};

}  // namespace edagen
