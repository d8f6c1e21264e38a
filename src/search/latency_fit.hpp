// Log latency over the rate, fitted near a target.
#pragma once

#include <optional>
#include <vector>

#include "edagen/search.hpp"

namespace edagen {

/// What the fit needs of a point.
struct Sample {
  double rate;  ///< achieved
  double log_latency, log_error;
  double requested;
  double weight() const { return 1 / (log_error * log_error); }
};

struct Line {
  double at_center = 0, slope = 0, center = 0;
  /// How many times more than their errors the points scatter around the line; at least 1. (The Birge ratio of R. T.
  /// Birge, Phys. Rev. 40, 207, 1932.)
  double scatter = 1;
  double rate_at(double log_latency) const { return center + (log_latency - at_center) / slope; }
  double log_latency_at(double rate) const { return at_center + slope * (rate - center); }
};

struct Crossing {
  double rate = 0;
  std::optional<Line> line;  ///< through the points near it
};

/// Within 8 % of the crossing's rate.
bool near_crossing(double rate, double crossing);

/// Of the points on the curve, and of those below the target although the generator was late, which only adds to the
/// latency. Sorted by rate.
std::vector<Sample> samples_of(const std::vector<CurvePoint>& points, double log_target, bool probes_only = false);

/// Latency does not fall when the rate rises. A point that at least two points at higher rates clearly undercut was
/// disturbed by something else: it is outvoted.
std::vector<Sample> without_outvoted(const std::vector<Sample>& samples);

/// `samples`: sorted by rate. nullopt when none is above the target.
std::optional<Crossing> crossing(const std::vector<Sample>& samples, double log_target);

}  // namespace edagen
