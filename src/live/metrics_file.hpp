// Keeps a file of metrics for the textfile collector of Prometheus' node_exporter, from a thread of its own.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/stuck_watch.hpp"
#include "edagen/run_plan.hpp"
#include "live/live_run.hpp"

namespace edagen {

class MetricsFile {
 public:
  /// Written once a second while there is something new, and at the end; put in its place when it is whole. Not before
  /// the session has begun. All outlive this.
  MetricsFile(Place place, const LiveRun& run, StuckWatch& watch);
  ~MetricsFile() { finish(); }

  /// Writes it for the last time. Returns whether it could always be written; logs the first failure.
  bool finish();

 private:
  void work(const std::stop_token& stop);
  void write();

  const Place place_;
  const LiveRun& run_;
  StuckWatch& watch_;
  std::uint64_t written_ = 0;  ///< version
  bool failed_ = false, is_over_ = false;
  std::mutex mutex_;
  std::condition_variable_any due_;
  std::jthread thread_;
};

}  // namespace edagen
