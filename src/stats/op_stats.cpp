#include "edagen/op_stats.hpp"

namespace edagen {

std::uint64_t OpKindStats::error_count() const {
  std::uint64_t total = 0;
  for (const auto& [error, count] : errors) total += count;
  return total;
}

void OpStats::finish_closed_loop() {
  for (OpKindStats& kind : kinds_) kind.response = kind.service;
}

void OpStats::merge(const OpStats& other) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) {
    OpKindStats& mine = kinds_[i];
    const OpKindStats& theirs = other.kinds_[i];
    if (theirs.operations == 0 && theirs.errors.empty()) continue;
    mine.operations += theirs.operations;
    mine.bytes_read += theirs.bytes_read;
    mine.bytes_written += theirs.bytes_written;
    for (const auto& [error, count] : theirs.errors) mine.errors[error] += count;
    mine.response.merge(theirs.response);
    mine.service.merge(theirs.service);
    mine.lag.merge(theirs.lag);
  }
}

void OpStats::clear() {
  for (OpKindStats& kind : kinds_) {
    if (kind.operations == 0 && kind.errors.empty()) continue;
    kind.operations = 0;
    kind.bytes_read = kind.bytes_written = 0;
    kind.errors.clear();
    kind.response.clear();
    kind.service.clear();
    kind.lag.clear();
  }
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

std::map<int, std::uint64_t> OpStats::errors() const {
  std::map<int, std::uint64_t> all;
  for (const OpKindStats& kind : kinds_)
    for (const auto& [error, count] : kind.errors) all[error] += count;
  return all;
}

LatencyHistogram OpStats::merged(LatencyHistogram OpKindStats::*which) const {
  LatencyHistogram all;
  for (const OpKindStats& kind : kinds_) all.merge(kind.*which);
  return all;
}

}  // namespace edagen
