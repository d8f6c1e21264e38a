#include "edagen/parts/client_stats.hpp"

namespace edagen {
namespace {

void merge_sums(std::vector<ResponseSum>& all, const std::vector<ResponseSum>& others) {
  if (all.size() < others.size()) all.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) all[i].merge(others[i]);
}

}  // namespace

void ClientStats::merge(const ClientStats& other) {
  if (response_.count() != 0 || other.response_.count() != 0) {
    if (response_.count() == 0) response_ = service;
    response_.merge(other.response());
  }
  counts.merge(other.counts);
  outstanding += other.outstanding;
  for (std::size_t kind = 0; kind < timed.size(); ++kind) timed[kind] += other.timed[kind];
  service.merge(other.service);
}

void ClientStats::clear() {
  counts = {};
  outstanding = 0;
  timed = {};
  service.clear();
  response_.clear();
}

void merge_clients(std::vector<ClientStats>& all, const std::vector<ClientStats>& others) {
  if (all.size() < others.size()) all.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) all[i].merge(others[i]);
}

void ClientSlices::add_interval(const std::vector<ClientStats>& clients, const MeanOfKinds& means) {
  std::vector<ResponseSum> sums;
  sums.reserve(clients.size());
  for (const ClientStats& client : clients) {
    ResponseSum& sum = sums.emplace_back();
    sum.total = client.response().total().count();
    for (std::size_t kind = 0; kind < means.size(); ++kind)
      sum.expected += static_cast<double>(client.timed[kind]) * means[kind];
  }
  if (intervals_ % intervals_per_slice_ != 0) {
    merge_sums(slices_.back(), sums);
  } else {
    if (slices_.size() == most_slices) {
      for (std::size_t i = 0; i < most_slices / 2; ++i) {
        merge_sums(slices_[2 * i], slices_[2 * i + 1]);
        if (i > 0) slices_[i] = std::move(slices_[2 * i]);
      }
      slices_.resize(most_slices / 2);
      intervals_per_slice_ *= 2;
    }
    slices_.push_back(std::move(sums));
  }
  ++intervals_;
}

}  // namespace edagen
