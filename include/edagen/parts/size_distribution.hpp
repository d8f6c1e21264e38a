// How many bytes a file or a transfer has.
#pragma once

#include <vector>

#include "edagen/parts/alias_table.hpp"
#include "edagen/parts/random.hpp"
#include "edagen/units.hpp"

namespace edagen {

/// Immutable: safe to share between threads, each with its own Random.
class SizeDistribution {
 public:
  /// A slot of a weighted list; sizes are uniform in [low, high], both ends included.
  struct Slot {
    Bytes low = 0;
    Bytes high = 0;
    double weight = 1;
  };

  static SizeDistribution fixed(Bytes size);
  static SizeDistribution uniform(Bytes low, Bytes high);
  /// At least one slot has a weight above zero.
  static SizeDistribution weighted(std::vector<Slot> slots);
  /// exp(N(ln median, sigma^2)), clamped to [low, high].
  static SizeDistribution lognormal(Bytes median, double sigma, Bytes low, Bytes high);

  Bytes sample(Random& random) const;
  double mean() const { return mean_; }  ///< bytes
  Bytes min() const { return min_; }
  Bytes max() const { return max_; }
  bool is_fixed() const { return min_ == max_; }

 private:
  SizeDistribution(std::vector<Slot> slots, double median, double sigma);

  std::vector<Slot> slots_;
  AliasTable choice_;
  double log_median_ = 0;
  double sigma_ = 0;  ///< above 0: lognormal
  double mean_ = 0;
  Bytes min_ = 0;
  Bytes max_ = 0;
};

}  // namespace edagen
