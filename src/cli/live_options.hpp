// The options that let others see a session while it goes on, as typed, and what they make.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "edagen/run_plan.hpp"
#include "live/hdr_log.hpp"
#include "live/interval_csv.hpp"
#include "live/metrics_file.hpp"
#include "live/metrics_server.hpp"
#include "session/session_watch.hpp"

namespace edagen {

struct LiveOptions {
  std::optional<Endpoint> metrics;
  std::string metrics_file, interval_csv, hdr_log;

  void add_to(CLI::App& app);
  /// The files among them.
  std::vector<Place> places() const;
  bool given() const { return !places().empty() || metrics; }
  bool shows_state() const { return metrics || !metrics_file.empty(); }
  bool to_stdout() const { return interval_csv == "-" || hdr_log == "-"; }
};

/// The latencies that a plan searches for.
std::vector<Nanos> latency_targets(const RunPlan& plan);
std::vector<Nanos> latency_targets(const ComparisonPlan& plan);

/// What others read of a session while it goes on: files that are written, and metrics that are served.
class LiveOutputs {
 public:
  /// `emit` gets calls that hang for `stuck_after`, or although the process is to end by `stop`. Throws Error (usage)
  /// when the metrics cannot be served.
  LiveOutputs(const LiveOptions& options, const LiveRun& run, const EventSink& emit, Nanos stuck_after,
              std::stop_token stop);

  /// A file that hangs is abandoned after a signal, also when the session has failed and finish() was not called.
  ~LiveOutputs() { file_watch_.end_with(stop_); }
  LiveOutputs(const LiveOutputs&) = delete;
  LiveOutputs& operator=(const LiveOutputs&) = delete;

  void observe(const Event& event);
  /// What a result notes of the files.
  std::vector<std::string> write_failures() const;
  /// To be called after the session. Logs what could not be written, and returns whether all could.
  bool finish();

 private:
  std::vector<const Stream*> streams() const;

  const std::stop_token stop_;
  SessionWatch stream_watch_, file_watch_;
  std::optional<IntervalCsv> interval_csv_;
  std::optional<HdrLog> hdr_log_;
  std::optional<MetricsFile> metrics_file_;
  std::optional<MetricsServer> metrics_;
};

}  // namespace edagen
