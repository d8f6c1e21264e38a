// What was seen of the ops of a window, per op kind: counts, bytes, errors and the three latencies.
#pragma once

#include <array>
#include <map>

#include "edagen/op.hpp"
#include "edagen/parts/latency_histogram.hpp"

namespace edagen {

/// Where the time of one op went. response = end - intended start (what a user waits), service = end - actual start,
/// lag = actual start - intended start. Ops of a closed loop have no intended start: response = service, lag = 0.
struct OpLatencies {
  Nanos response{0};
  Nanos service{0};
  Nanos lag{0};
};

/// Counts and bytes are of the ops that ended in the window, whenever they were due: what was achieved. Latencies are
/// of the ops that were due in it (in a closed loop: began in it), whenever they ended, so that a slow end of the
/// window shows like any other.
struct OpKindStats {
  std::uint64_t operations = 0;  ///< ended in the window, failed ones included
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::uint64_t lost_races = 0;         ///< ops that count as done, though another proc was at the shared file
  std::map<int, std::uint64_t> errors;  ///< by errno or pseudo error (edagen/op.hpp)
  LatencyHistogram service;
  LatencyHistogram lag;  ///< of the ops with an intended start

  const LatencyHistogram& response() const { return response_.count() == 0 ? service : response_; }
  std::uint64_t error_count() const;

  /// An op that ended in the window.
  void count(const OpResult& result) {
    ++operations;
    bytes_read += result.bytes_read;
    bytes_written += result.bytes_written;
    lost_races += result.lost_race ? 1 : 0;
    if (result.error != 0) ++errors[result.error];
  }
  /// An op of an open loop that was due in the window.
  void time(const OpLatencies& times) {
    if (response_.count() != service.count()) response_ = service;  // ops of a closed loop came before
    response_.record(times.response);
    service.record(times.service);
    lag.record(times.lag);
  }
  /// An op of a closed loop that began in the window: cheaper.
  void time_closed_loop(Nanos service_time) {
    if (response_.count() != 0) response_.record(service_time);
    service.record(service_time);
  }
  void merge(const OpKindStats& other);
  void clear();
  void forget_latencies() { service = lag = response_ = LatencyHistogram(); }
  friend void fields(auto&& visit, Is<OpKindStats> auto& stats) {
    visit("operations", stats.operations);
    visit("bytes_read", stats.bytes_read);
    visit("bytes_written", stats.bytes_written);
    visit("lost_races", stats.lost_races);
    visit("errors", stats.errors);
    visit("service", stats.service);
    visit("lag", stats.lag);
    visit("response", stats.response_);
  }

 private:
  LatencyHistogram response_;  ///< of all ops; empty while all are of a closed loop: then it is the service time
};

/// Not thread-safe.
class OpStats {
 public:
  /// An op that was due and ended in the window.
  void record(OpKind kind, const OpLatencies& times, const OpResult& result) {
    of(kind).count(result);
    of(kind).time(times);
  }
  /// An op that was due in the window and had not ended when the wait for it was over: it counts with its age.
  void record_outstanding(Nanos age) { outstanding_.record(age); }
  /// An error of something that is no op of the load.
  void record_error(OpKind kind, int error) { ++kinds_[static_cast<std::size_t>(kind)].errors[error]; }

  void merge(const OpStats& other);
  void clear();
  /// Frees their memory: 19 KB for each histogram that is not empty.
  void forget_latencies() {
    for (OpKindStats& kind : kinds_) kind.forget_latencies();
  }

  OpKindStats& of(OpKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  const OpKindStats& of(OpKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  std::uint64_t operations() const;
  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;
  std::uint64_t error_count() const;
  std::uint64_t lost_races() const;
  std::map<int, std::uint64_t> errors() const;
  std::uint64_t outstanding() const { return outstanding_.count(); }
  const LatencyHistogram& outstanding_ages() const { return outstanding_; }
  /// Over all kinds, the ages of outstanding ops included: these are of no kind, as not all have begun.
  LatencyHistogram response() const;
  /// Over all kinds, as lag().
  LatencyHistogram service() const;
  LatencyHistogram lag() const;
  friend void fields(auto&& visit, Is<OpStats> auto& stats) {
    visit("kinds", stats.kinds_);
    visit("outstanding", stats.outstanding_);
  }

 private:
  std::array<OpKindStats, op_kind_count> kinds_;
  LatencyHistogram outstanding_;  ///< ages
};

}  // namespace edagen
