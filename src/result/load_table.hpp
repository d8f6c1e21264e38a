// A table of loads that others have measured, to be laid beside a curve.
#pragma once

#include <string>
#include <vector>

#include "edagen/units.hpp"

namespace edagen {

/// A point of a curve, wherever it is from.
struct RateLatency {
  double rate = 0;  ///< ops/s
  Millis latency{0};
  Millis standard_error{0};  ///< 0: not known
  bool valid = true;         ///< false: a load point that it is from is invalid
};

struct LoadTable {
  std::string name;                 ///< of its file
  std::vector<RateLatency> points;  ///< ascending by rate; not empty
};

/// Reads one of
/// - CSV with a head: "Achieved Op Rate" and "Avg Lat (ms)" as in published load tables and in edagen's own CSV, of
///   which the load points that were asked for and those of a shape are read; or names such as rate, iops, latency_ms;
/// - CSV without a head: rate in ops/s and latency in ms;
/// - fio's JSON: a point for each group of jobs that ran together, with the sum of their IOPS and their mean latency.
/// Throws Error (usage), which names the line.
LoadTable read_load_table(const std::string& path);

}  // namespace edagen
