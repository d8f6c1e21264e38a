#include "workload/op_mix.hpp"

namespace edagen {
namespace {

std::vector<double> positive(const OpWeights& weights) {
  std::vector<double> found;
  for (const double weight : weights)
    if (weight > 0) found.push_back(weight);
  return found;
}

}  // namespace

OpMix::OpMix(const OpWeights& weights) : weights_(weights), table_(positive(weights)) {
  for (const OpKind kind : all_op_kinds())
    if (weights[static_cast<std::size_t>(kind)] > 0) kinds_.push_back(kind);
}

}  // namespace edagen
