// Draws an index with given weights in O(1) (Walker 1977, Vose 1991).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "edagen/parts/random.hpp"

namespace edagen {

/// Immutable after construction: safe to share between threads, each with its own Random.
class AliasTable {
 public:
  /// `weights` are finite, not negative, and at least one is above zero.
  explicit AliasTable(std::span<const double> weights);

  /// The place of a weight above zero in `weights`.
  std::size_t sample(Random& random) const {
    const std::uint64_t bits = random.next();
    const Column& drawn = columns_[((bits >> 32) * columns_.size()) >> 32];
    // Without a branch, which no processor could predict.
    const std::uint64_t aliased = -std::uint64_t{static_cast<std::uint32_t>(bits) >= drawn.threshold};
    return drawn.own ^ (drawn.to_alias & aliased);
  }

 private:
  struct Column {
    std::uint64_t threshold;  ///< of 2^32: below it `own` is drawn, else its alias
    std::uint32_t own;        ///< place in the weights
    std::uint32_t to_alias;   ///< own xor alias
  };
  std::vector<Column> columns_;
};

}  // namespace edagen
