// How long a load takes to settle whose variant was idle, as the pilots of a comparison by slices show it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "edagen/clock.hpp"
#include "edagen/comparison_result.hpp"

namespace edagen {

struct Settling {
  std::size_t intervals = 1;  ///< of a pilot
  /// The variant whose queue settles for longer than is seen in the pilots, where one does.
  std::optional<std::size_t> queue_of = {};
};

class Pilots {
 public:
  /// All pilots have this number of intervals of this length.
  Pilots(std::size_t variants, std::size_t intervals, Nanos interval);

  /// `responses`: means of the intervals; 0: no op ended in it. Some may be missing, or too many. A pilot in which no
  /// op ended shows nothing.
  void add(std::size_t variant, const RunFigures& pilot, std::span<const double> responses);

  /// The longer one of two times, in intervals. The first is what is seen of the settling, by the marginal standard
  /// error rule (White: An Effective Truncation Heuristic for Bias Reduction in Simulation Output, 1997): at least one
  /// interval, at most half of them. The shorter time of a variant's pilots counts, since a disturbance lengthens one
  /// of them, and the longest one of the variants. The second, with `with_queues`, is how long the slowest queue
  /// settles: six times its memory, which is -1 / log(c) intervals, where c is the rank correlation of neighbouring
  /// intervals after those of the first time, less its standard error. A disturbance is no reason to settle: the second
  /// time is no longer than a queue of so many ops takes (8 mean responses times the mean number of ops), and counts
  /// where the responses of these intervals vary as those of a queue do (a variance of 0.1 squared means or more).
  Settling settling(bool with_queues) const;

 private:
  /// The pilots of a variant.
  struct Seen {
    std::vector<std::vector<double>> responses = {};  ///< by pilot and interval, over the mean of the pilot
    double response_seconds = 0, ops_per_sec = 0;     ///< sums over pilots
  };
  double queue_intervals(const Seen& seen, std::size_t left_out) const;

  const std::size_t intervals_;
  const Nanos interval_;
  std::vector<Seen> variants_;
};

}  // namespace edagen
