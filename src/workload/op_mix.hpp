// The op mix of a kind of procs, ready for sampling.
#pragma once

#include <vector>

#include "edagen/parts/alias_table.hpp"
#include "edagen/workload.hpp"

namespace edagen {

/// Shared by all procs of a kind. Immutable.
class OpMix {
 public:
  explicit OpMix(const OpWeights& weights);
  OpKind sample(Random& random) const { return kinds_[table_.sample(random)]; }
  double weight(OpKind kind) const { return weights_[static_cast<std::size_t>(kind)]; }

 private:
  OpWeights weights_;
  std::vector<OpKind> kinds_;
  AliasTable table_;
};

}  // namespace edagen
