#include "edagen/parts/op_stats.hpp"

#include <functional>

namespace edagen {
namespace {

/// The sum of a member, or of what a function gives, over all kinds.
template <class Member>
auto sum_of(const auto& kinds, Member member) {
  std::remove_cvref_t<std::invoke_result_t<Member, const OpKindStats&>> total{};
  for (const OpKindStats& kind : kinds) total += std::invoke(member, kind);
  return total;
}

/// `all` and the same histogram of all kinds.
LatencyHistogram merged(const auto& kinds, auto histogram, LatencyHistogram all = {}) {
  for (const OpKindStats& kind : kinds) all.merge(std::invoke(histogram, kind));
  return all;
}

}  // namespace

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
  const auto clear_one = [](const char*, auto& member) {
    if constexpr (requires { member.clear(); }) member.clear();
    else member = 0;
  };
  fields(clear_one, *this);
}

void OpStats::merge(const OpStats& other) {
  for (std::size_t i = 0; i < kinds_.size(); ++i) kinds_[i].merge(other.kinds_[i]);
  outstanding_.merge(other.outstanding_);
}

void OpStats::clear() {
  for (OpKindStats& kind : kinds_) kind.clear();
  outstanding_.clear();
}

std::uint64_t OpStats::operations() const { return sum_of(kinds_, &OpKindStats::operations); }
std::int64_t OpStats::bytes_read() const { return sum_of(kinds_, &OpKindStats::bytes_read); }
std::int64_t OpStats::bytes_written() const { return sum_of(kinds_, &OpKindStats::bytes_written); }
std::uint64_t OpStats::error_count() const { return sum_of(kinds_, &OpKindStats::error_count); }
std::uint64_t OpStats::lost_races() const { return sum_of(kinds_, &OpKindStats::lost_races); }

std::map<int, std::uint64_t> OpStats::errors() const {
  std::map<int, std::uint64_t> all;
  for (const OpKindStats& kind : kinds_)
    for (const auto& [error, count] : kind.errors) all[error] += count;
  return all;
}

LatencyHistogram OpStats::response() const { return merged(kinds_, &OpKindStats::response, outstanding_); }
LatencyHistogram OpStats::service() const { return merged(kinds_, &OpKindStats::service); }
LatencyHistogram OpStats::lag() const { return merged(kinds_, &OpKindStats::lag); }

}  // namespace edagen
