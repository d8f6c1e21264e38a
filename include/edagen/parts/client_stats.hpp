// What became of the ops of each client: counts and latencies of a window, and of its slices.
#pragma once

#include <array>
#include <vector>

#include "edagen/op.hpp"
#include "edagen/parts/compact_histogram.hpp"

namespace edagen {

/// What became of a client's ops: counted as those of a kind are (OpKindStats).
struct ClientCounts {
  std::uint64_t operations = 0;
  std::uint64_t errors = 0;
  std::int64_t bytes = 0;  ///< read and written

  void count(const OpResult& result) {
    ++operations;
    errors += result.error != 0 ? 1 : 0;
    bytes += result.bytes_read + result.bytes_written;
  }
  void merge(const ClientCounts& other) {
    operations += other.operations;
    errors += other.errors;
    bytes += other.bytes;
  }
  bool operator==(const ClientCounts&) const = default;
};
void fields(auto&& visit, Is<ClientCounts> auto& client) {
  visit("operations", client.operations);
  visit("errors", client.errors);
  visit("bytes", client.bytes, {.about = "read and written"});
}

/// Counts and latencies of a client's ops, timed as those of a kind are (OpKindStats).
struct ClientStats {
  ClientCounts counts;
  std::uint64_t outstanding = 0;
  std::array<std::uint64_t, op_kind_count> timed{};  ///< ops that have latencies, by kind
  CompactHistogram service;

  /// Outstanding ops count with their age.
  const CompactHistogram& response() const { return response_.count() == 0 ? service : response_; }
  /// An op of an open loop that was due in the window.
  void time(OpKind kind, Nanos response, Nanos service_time) {
    ++timed[static_cast<std::size_t>(kind)];
    if (response_.count() == 0) response_ = service;  // ops of a closed loop may have come before
    response_.record(response);
    service.record(service_time);
  }
  /// An op of a closed loop that began in the window: cheaper.
  void time_closed_loop(OpKind kind, Nanos service_time) {
    ++timed[static_cast<std::size_t>(kind)];
    if (response_.count() != 0) response_.record(service_time);
    service.record(service_time);
  }
  void record_outstanding(Nanos age) {
    if (response_.count() == 0) response_ = service;
    response_.record(age);
    ++outstanding;
  }
  void merge(const ClientStats& other);
  void clear();
  bool operator==(const ClientStats&) const = default;
  friend void fields(auto&& visit, Is<ClientStats> auto& client) {
    visit("counts", client.counts);
    visit("outstanding", client.outstanding);
    visit("timed", client.timed);
    visit("service", client.service);
    visit("response", client.response_);
  }

 private:
  CompactHistogram response_;  ///< empty while all ops are of a closed loop: then it is the service time
};

/// Adds client by client; `all` grows when there are more `others`.
void merge_clients(std::vector<ClientStats>& all, const std::vector<ClientStats>& others);

/// The sum of the responses of a client's ops, and what it would be if each had the mean of all clients' ops of its
/// kind: by chance a client may have more ops of the slow kinds than another.
struct ResponseSum {
  double total = 0, expected = 0;  ///< ns

  void merge(const ResponseSum& other) {
    total += other.total;
    expected += other.expected;
  }
  /// 0 without ops.
  double over_expected() const { return expected > 0 ? total / expected : 0; }
};

using MeanOfKinds = std::array<double, op_kind_count>;  ///< ns

/// The responses of each client over the course of a window, which is divided into at most 64 slices of as many
/// intervals each. Ops that follow one another are alike, so that only the scatter between slices shows how exact a
/// mean is.
class ClientSlices {
 public:
  /// `means`: of the responses of all clients in the window so far.
  void add_interval(const std::vector<ClientStats>& clients, const MeanOfKinds& means);
  void clear() { *this = ClientSlices(); }
  /// By slice, then by client. The last slice may be shorter.
  const std::vector<std::vector<ResponseSum>>& slices() const { return slices_; }

 private:
  static constexpr std::size_t most_slices = 64;
  std::vector<std::vector<ResponseSum>> slices_;
  std::size_t intervals_ = 0, intervals_per_slice_ = 1;
};

}  // namespace edagen
