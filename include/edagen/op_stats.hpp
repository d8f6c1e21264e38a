// What was seen of the ops of a stretch of time, per op kind: counts, bytes, errors and the three latencies.
#pragma once

#include <array>
#include <map>

#include "edagen/latency_histogram.hpp"
#include "edagen/op.hpp"

namespace edagen {

/// Where the time of one op went. response = end - intended start (what a user waits), service = end - actual start,
/// lag = actual start - intended start. Ops of a closed loop have no intended start: response = service, lag = 0.
struct OpTimes {
  Nanos response{0};
  Nanos service{0};
  Nanos lag{0};
};

struct OpKindStats {
  std::uint64_t operations = 0;  ///< completed, failed ones included
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  std::map<int, std::uint64_t> errors;  ///< by errno or pseudo error (edagen/op.hpp)
  LatencyHistogram response, service, lag;

  std::uint64_t error_count() const;
};

/// Not thread-safe.
class OpStats {
 public:
  void record(OpKind kind, const OpTimes& times, const OpResult& result) {
    OpKindStats& stats = kinds_[static_cast<std::size_t>(kind)];
    ++stats.operations;
    stats.bytes_read += result.bytes_read;
    stats.bytes_written += result.bytes_written;
    stats.response.record(times.response);
    stats.service.record(times.service);
    stats.lag.record(times.lag);
    if (result.error != 0) ++stats.errors[result.error];
  }
  /// An op of a closed loop: cheaper than record(); finish_closed_loop() fills in the rest.
  void record_closed_loop(OpKind kind, Nanos service, const OpResult& result) {
    OpKindStats& stats = kinds_[static_cast<std::size_t>(kind)];
    ++stats.operations;
    stats.bytes_read += result.bytes_read;
    stats.bytes_written += result.bytes_written;
    stats.service.record(service);
    if (result.error != 0) ++stats.errors[result.error];
  }
  /// An error of something that is no op of the load.
  void record_error(OpKind kind, int error) { ++kinds_[static_cast<std::size_t>(kind)].errors[error]; }
  /// After record_closed_loop(): response is the service time; there is no lag.
  void finish_closed_loop();

  void merge(const OpStats& other);
  void clear();

  const OpKindStats& of(OpKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  std::uint64_t operations() const;
  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;
  std::uint64_t error_count() const;
  std::map<int, std::uint64_t> errors() const;
  /// Over all kinds.
  LatencyHistogram response() const { return merged(&OpKindStats::response); }
  LatencyHistogram service() const { return merged(&OpKindStats::service); }
  LatencyHistogram lag() const { return merged(&OpKindStats::lag); }

 private:
  LatencyHistogram merged(LatencyHistogram OpKindStats::*which) const;

  std::array<OpKindStats, op_kind_count> kinds_;
};

}  // namespace edagen
