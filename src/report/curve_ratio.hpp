// Two curves at equal rates.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// The points of its line that are no overload and in which the generator was in time, ascending.
std::vector<RateLatency> line_of(const std::vector<VariantPoint>& points);
std::vector<VariantPoint> variant_points(const Result& result);

/// The latency between two points of an ascending curve, on the straight line. nullopt outside of the curve's rates.
std::optional<RateLatency> latency_at(std::span<const RateLatency> curve, double rate);

/// A latency over another one at the same rate.
struct LatencyRatio {
  double rate = 0, ratio = 1;
  double standard_error = 0;  ///< 0: not known
  bool valid = true;          ///< false: a load point that it is from is invalid
};

/// At the rates of the points of both curves that lie within both.
std::vector<LatencyRatio> latency_ratios(std::span<const RateLatency> baseline, std::span<const RateLatency> other);

}  // namespace edagen
