// The options that let others see a session while it goes on, as typed, and what they make.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
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

/// That a plan looks for.
std::vector<Nanos> latency_targets(const RunPlan& plan);
std::vector<Nanos> latency_targets(const ComparisonPlan& plan);

/// Those who tell others of a session: observers of it, and what serves what they know.
class LiveOutputs {
 public:
  /// How the process ends when it is to end and a call does not return.
  struct Ending {
    Nanos stuck_after;
    std::stop_token stop;
    std::function<void(const std::string& call)> abandon;
  };
  /// `observer` is told of calls that hang. Throws Error (usage) when the metrics cannot be served.
  LiveOutputs(const LiveOptions& options, const LiveRun& run, SessionObserver& observer, Ending ending);

  std::vector<SessionObserver*> observers();
  /// After the session. Returns whether all could be written; says what could not.
  bool finish();

 private:
  const Ending ending_;
  SessionWatch stream_watch_, file_watch_;
  std::optional<IntervalCsv> interval_csv_;
  std::optional<HdrLog> hdr_log_;
  std::optional<MetricsFile> metrics_file_;
  std::optional<MetricsServer> metrics_;
};

}  // namespace edagen
