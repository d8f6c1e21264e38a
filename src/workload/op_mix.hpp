// The op mix of a kind of procs, ready for sampling.
#pragma once

#include "edagen/parts/alias_table.hpp"
#include "edagen/workload.hpp"

namespace edagen {

/// Shared by all procs of a kind. Immutable.
class OpMix {
 public:
  explicit OpMix(const OpWeights& weights) : weights_(weights), table_(weights) {}
  OpKind sample(Random& random) const { return static_cast<OpKind>(table_.sample(random)); }
  double weight(OpKind kind) const { return weights_[static_cast<std::size_t>(kind)]; }

 private:
  OpWeights weights_;
  AliasTable table_;
};

}  // namespace edagen
