// What is known of a session while it goes on, for those that show it: the metrics and the screen.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "edagen/session.hpp"
#include "live/load_phase.hpp"

namespace edagen {

/// Latencies in a few buckets, as monitoring systems keep them.
struct BoundedHistogram {
  std::vector<std::uint64_t> counts;  ///< by bound, and those above all bounds
  std::uint64_t count = 0;
  double seconds = 0;  ///< their sum

  /// `bounds` ascend. A latency counts below a bound when its bucket there lies wholly below: within 1.6 %.
  void add(const LatencyHistogram& latency, const std::vector<Nanos>& bounds);
};

/// Totals of the ops of a kind since the session began.
struct KindTotals {
  std::uint64_t operations = 0, errors = 0;
  std::int64_t bytes_read = 0, bytes_written = 0;
  BoundedHistogram response, service;
};

/// Totals of a client.
struct ClientTotal {
  ClientCounts counts;
  std::uint64_t timed_responses = 0, timed_services = 0;
  double response_seconds = 0, service_seconds = 0;  ///< sums

  void add(const ClientStats& client);
  void merge(const ClientTotal& other);
};

/// Totals of clients on the same mounts.
struct ClientTotals {
  std::vector<std::string> mounts;   ///< client i works on mount i mod their number
  std::vector<ClientTotal> clients;  ///< by client
};

/// What is kept of an interval of the last minute.
struct PastInterval {
  Nanos length{0};
  double ops_per_sec = 0;
  std::optional<NanosF> response_mean;
};

enum class Stage { begins, builds_dataset, warms_up, measures, between_loads, is_over };
template <>
inline constexpr std::array<std::string_view, 6> enum_names<Stage>{"begins",   "dataset",       "warmup",
                                                                   "measures", "between_loads", "over"};

/// What each load of a session begins anew.
struct LoadState {
  // The load point:
  std::size_t point = 0;  ///< from 1, of the run
  std::string purpose;
  std::optional<double> requested_ops_per_sec;
  LoadPhase phase;
  std::optional<TimePoint> phase_began;  ///< of the warm-up or the window
  std::map<Nanos, AtTarget> estimates;   ///< of the search, by target
  // The last interval:
  std::optional<Interval> interval;
  Latencies latency;                                             ///< of all kinds
  std::map<OpKind, OpFigures> kinds;                             ///< of the kinds that there were
  std::vector<ClientFigures> interval_clients, interval_mounts;  ///< by client, by mount
  std::vector<HostInterval> interval_hosts;                      ///< by rank; empty: one host
  std::deque<PastInterval> last_minute;                          ///< the latest at the end
};

struct LiveState : LoadState {
  Stage stage = Stage::begins;
  BuildProgress build;
  // The run, since its load began:
  std::string workload;
  std::vector<std::string> mounts;  ///< client i works on mount i mod their number; "sim:NAME" of a simulated volume
  std::uint64_t clients = 0;
  Nanos will_take{0};                   ///< 0: not known
  std::optional<TimePoint> load_began;  ///< of the run
  std::size_t runs = 0;                 ///< that began, of the session
  LatencyFigures generator_lag;         ///< of the last interval, whose load may be over
  // Since the session began, in warm-ups and windows:
  std::vector<Nanos> bounds;  ///< of the histograms
  std::array<KindTotals, op_kind_count> totals;
  std::vector<ClientTotals> clients_totals;  ///< a few: what is compared has other mounts
  std::size_t totals_now = 0;                ///< of these, those of the current run
  std::uint64_t outstanding = 0;             ///< ops that had not ended when the wait for them was over
  std::uint64_t load_points = 0;
};

/// Thread-safe.
class LiveRun {
 public:
  /// `targets`: latencies that are bounds of the histograms besides the usual ones.
  explicit LiveRun(const std::vector<Nanos>& targets);

  /// A copy.
  LiveState state() const;
  /// Goes up with each change.
  std::uint64_t version() const;

  void observe(const Event& event);

 private:
  template <class F>
  void change(F f) {
    const std::lock_guard lock(mutex_);
    f(state_);
    ++version_;
  }
  void begin_load(const Result& header);
  void add(const IntervalEnded& ended);

  mutable std::mutex mutex_;
  LiveState state_;
  std::uint64_t version_ = 0;
  std::size_t mounts_ = 0;  ///< of the run; the thread that emits events has it alone
};

}  // namespace edagen
