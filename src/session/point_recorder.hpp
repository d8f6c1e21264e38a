// Takes down the load points of a run as they are measured: into the journal, with what the NFS client counts.
#pragma once

#include <utility>

#include "edagen/event.hpp"
#include "edagen/search.hpp"
#include "result/journal.hpp"
#include "session/mount_loads.hpp"
#include "session/nfs_window.hpp"

namespace edagen {

class PointRecorder {
 public:
  /// `journal`: nullptr: none. `mounts`: those that the clients work on. `nfs`: the counters that are part of each
  /// point. The journal, `emit` and what `nfs` reads outlive this.
  PointRecorder(Journal* journal, const EventSink& emit, std::vector<LoadMount> mounts, NfsWindow nfs)
      : journal_(journal), emit_(emit), mounts_(std::move(mounts)), nfs_(std::move(nfs)) {}

  /// Records the event and emits it; of a point that has ended its figures.
  void record(const Event& event);
  /// Whether an op of a load that stays up hangs is known when the load ends, after its load point was recorded: the
  /// figures get such ops of the curve, whose load points these are, and the journal gets the load point again.
  void add_stuck_ops(const Curve& curve);
  /// In the order of measurement.
  std::vector<PointFigures> take_points() { return std::exchange(points_, {}); }

 private:
  void add(const PointEnded& ended);
  /// By mount; empty with a single mount.
  std::vector<IntervalOpFigures> interval_mount_figures(const std::vector<ClientStats>& clients) const;

  Journal* journal_;
  const EventSink& emit_;
  std::vector<LoadMount> mounts_;
  NfsWindow nfs_;
  std::vector<PointFigures> points_;
};

}  // namespace edagen
