#include "edagen/parts/op_stats.hpp"

namespace edagen {

std::uint64_t OpKindStats::error_count() const {
  std::uint64_t total = 0;
  for (const auto& [error, count] : errors) total += count;
  return total;
}

void OpKindStats::merge(const OpKindStats& other) {
  if (response_.count() != 0 || other.response_.count() != 0) {
    if (response_.count() != service.count()) response_ = service;
    response_.merge(other.response());
  }
  operations += other.operations;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  lost_races += other.lost_races;
  for (const auto& [error, count] : other.errors) errors[error] += count;
  service.merge(other.service);
  lag.merge(other.lag);
}

void OpKindStats::clear() {
  operations = 0;
  bytes_read = bytes_written = 0;
  lost_races = 0;
  errors.clear();
  response_.clear();
  service.clear();
  lag.clear();
}

void OpStats::merge(const OpStats& other) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) kinds_[i].merge(other.kinds_[i]);
  outstanding_.merge(other.outstanding_);
}

void OpStats::clear() {
  for (OpKindStats& kind : kinds_) kind.clear();
  outstanding_.clear();
}

std::uint64_t OpStats::operations() const {
  std::uint64_t total = 0;
  for (const OpKindStats& kind : kinds_) total += kind.operations;
  return total;
}

std::int64_t OpStats::bytes_read() const {
  std::int64_t total = 0;
  for (const OpKindStats& kind : kinds_) total += kind.bytes_read;
  return total;
}

std::int64_t OpStats::bytes_written() const {
  std::int64_t total = 0;
  for (const OpKindStats& kind : kinds_) total += kind.bytes_written;
  return total;
}

std::uint64_t OpStats::error_count() const {
  std::uint64_t total = 0;
  for (const OpKindStats& kind : kinds_) total += kind.error_count();
  return total;
}

std::uint64_t OpStats::lost_races() const {
  std::uint64_t total = 0;
  for (const OpKindStats& kind : kinds_) total += kind.lost_races;
  return total;
}

std::map<int, std::uint64_t> OpStats::errors() const {
  std::map<int, std::uint64_t> all;
  for (const OpKindStats& kind : kinds_)
    for (const auto& [error, count] : kind.errors) all[error] += count;
  return all;
}

LatencyHistogram OpStats::response() const {
  LatencyHistogram all = outstanding_;
  for (const OpKindStats& kind : kinds_) all.merge(kind.response());
  return all;
}

LatencyHistogram OpStats::service() const {
  LatencyHistogram all;
  for (const OpKindStats& kind : kinds_) all.merge(kind.service);
  return all;
}

LatencyHistogram OpStats::lag() const {
  LatencyHistogram all;
  for (const OpKindStats& kind : kinds_) all.merge(kind.lag);
  return all;
}

}  // namespace edagen
