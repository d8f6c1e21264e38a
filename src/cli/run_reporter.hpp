// Shows and writes down what happens while load points are run.
#pragma once

#include "edagen/curve/load_curve.hpp"
#include "edagen/result/journal.hpp"
#include "progress.hpp"

namespace edagen {

class RunReporter final : public CurveObserver {
 public:
  /// `nfs_mount_points`: the NFS mounts of the run, whose counters are part of each point.
  RunReporter(Journal& journal, bool live, std::vector<std::string> nfs_mount_points)
      : journal_(journal), progress_(live), nfs_mount_points_(std::move(nfs_mount_points)) {}

  void point_begins(std::optional<double> rate, const std::string& purpose) override;
  void point_done(CurvePoint& point) override;
  void window_began() override { nfs_before_ = nfs_mounts(); }
  void window_ended() override { nfs_ = difference(nfs_before_, nfs_mounts()); }
  void warming_up(const Interval& interval) override { note(Phase::warmup, "warm-up", interval); }
  void measured(const Interval& interval) override { note(Phase::measure, "measuring", interval); }
  void op_failed(const std::string& what, OpKind kind, int error) override;
  void op_stuck(const std::string& what, OpKind kind, Nanos age) override;
  /// Takes the live line away.
  void finish() { progress_.clear(); }

 private:
  void note(Phase phase, const char* shown, const Interval& interval);

  std::vector<NfsMountStats> nfs_mounts() const;

  Journal& journal_;
  Progress progress_;
  std::vector<std::string> nfs_mount_points_;
  std::vector<NfsMountStats> nfs_before_, nfs_;
  std::size_t points_done_ = 0;
  std::string point_;  ///< what the live line says of it
};

}  // namespace edagen
