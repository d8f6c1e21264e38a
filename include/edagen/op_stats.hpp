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
  LatencyHistogram service;
  LatencyHistogram lag;  ///< of the ops with an intended start

  const LatencyHistogram& response() const { return response_.count() == 0 ? service : response_; }
  std::uint64_t error_count() const;

  /// An op of an open loop.
  void record(const OpTimes& times, const OpResult& result) {
    if (response_.count() != operations) response_ = service;  // ops of a closed loop came before
    count(result);
    response_.record(times.response);
    service.record(times.service);
    lag.record(times.lag);
  }
  /// An op of a closed loop: cheaper.
  void record_closed_loop(Nanos service_time, const OpResult& result) {
    if (response_.count() != 0) response_.record(service_time);
    count(result);
    service.record(service_time);
  }
  void merge(const OpKindStats& other);
  void clear();

 private:
  void count(const OpResult& result) {
    ++operations;
    bytes_read += result.bytes_read;
    bytes_written += result.bytes_written;
    if (result.error != 0) ++errors[result.error];
  }

  LatencyHistogram response_;  ///< of all ops; empty while all are of a closed loop: then it is the service time
};

/// Not thread-safe.
class OpStats {
 public:
  void record(OpKind kind, const OpTimes& times, const OpResult& result) {
    kinds_[static_cast<std::size_t>(kind)].record(times, result);
  }
  void record_closed_loop(OpKind kind, Nanos service, const OpResult& result) {
    kinds_[static_cast<std::size_t>(kind)].record_closed_loop(service, result);
  }
  /// An error of something that is no op of the load.
  void record_error(OpKind kind, int error) { ++kinds_[static_cast<std::size_t>(kind)].errors[error]; }

  void merge(const OpStats& other);
  void clear();

  const OpKindStats& of(OpKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }
  std::uint64_t operations() const;
  std::int64_t bytes_read() const;
  std::int64_t bytes_written() const;
  std::uint64_t error_count() const;
  std::map<int, std::uint64_t> errors() const;
  /// Over all kinds.
  LatencyHistogram response() const;
  LatencyHistogram service() const;
  LatencyHistogram lag() const;

 private:
  std::array<OpKindStats, op_kind_count> kinds_;
};

}  // namespace edagen
