// Takes down the load points of a run as they are measured: into the journal, with what the NFS client counts.
#pragma once

#include "edagen/event.hpp"
#include "result/journal.hpp"
#include "session/nfs_window.hpp"

namespace edagen {

class PointRecorder {
 public:
  /// `nfs`: the counters that are part of each point. All outlive this.
  PointRecorder(Journal& journal, const EventSink& emit, NfsWindow nfs)
      : journal_(journal), emit_(emit), nfs_(std::move(nfs)) {}

  /// Records the event and emits it; of a point that has ended its figures.
  void record(const Event& event);
  /// In the order of measurement.
  std::vector<PointFigures> take_points() { return std::move(points_); }

 private:
  void add(const PointEnded& ended);

  Journal& journal_;
  const EventSink& emit_;
  NfsWindow nfs_;
  std::vector<PointFigures> points_;
};

}  // namespace edagen
