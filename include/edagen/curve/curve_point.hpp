// A measured point of a latency curve, and what a curve answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "edagen/mounts/mountstats.hpp"
#include "edagen/stats/latency_statistic.hpp"
#include "edagen/stats/run_stats.hpp"

namespace edagen {

struct CurvePoint {
  RunStats stats;
  std::vector<std::string> invalid;
  std::string purpose;         ///< "load point", "exploration", "refinement", "judged"
  double sweep_value = 0;      ///< of the parameter that is swept
  std::size_t repeat = 1;      ///< the how manieth of the same load, from 1
  std::size_t job_sets = 0;    ///< that were active; 0: all
  double rate = 0;             ///< achieved, ops/s
  double latency_ns = 0;       ///< the statistic, over the whole window
  double latency_error_ns = 0; ///< its standard error, by batch means
  int degrees_of_freedom = 0;
  std::vector<NfsMountStats> nfs;  ///< counted in the window; the run's NFS mounts

  /// Below the volume's limits: the requested rate was reached.
  bool reached() const;
  /// Reached by a generator that was in time, so that the point is on the curve.
  bool on_curve() const;
  /// Not reached, or slower. A late generator only adds to the latency: such a point may well be below.
  bool above(double nanos) const { return !reached() || latency_ns > nanos; }
};

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, std::string purpose, std::size_t job_sets = 0);

/// The rate at which the latency reaches a target.
struct AtTarget {
  Nanos target{0};
  double ops_per_sec = 0;
  double mib_per_sec = 0;
  double low = 0, high = 0;  ///< 95 % confidence interval of ops_per_sec
  bool bounded = false;      ///< false: the target is not reached below the highest rate; ops_per_sec is a lower bound
  bool met = true;           ///< false: no load was found that meets the target
};

/// Points need not be sorted. Of those on the curve, and those below the target though the generator was late; see
/// docs/methodology.md.
/// A point that at least two points at higher rates clearly undercut is left out: latency does not fall with the rate.
/// Near the crossing (within 8 % of its rate, at least three points) log latency is fitted by a weighted line without
/// points far off it; elsewhere it is interpolated on the monotone (isotonic) fit. The interval is by parametric bootstrap,
/// `seed`ed. Windows that put the answer where full runs are over the target are overruled (full_runs.hpp): full runs
/// alone count then, and the interval holds what lies between those on both sides.
AtTarget rate_at_latency(const std::vector<CurvePoint>& points, Nanos target, std::uint64_t seed = 1);

/// Area under latency over achieved rate (trapezoids, measured points on the curve only), divided by the span of rates:
/// the variant with which published overall response times can be reproduced (Run and Reporting Rules v1.7). ns;
/// nullopt with fewer than two points. A search measures far beyond its target: points above `highest_ns` do not count.
std::optional<double> overall_response_time(const std::vector<CurvePoint>& points, double highest_ns = 1e300);
inline constexpr const char* overall_response_time_variant = "trapezoids / (highest - lowest rate)";

/// Weighted isotonic regression (pool adjacent violators): the non-decreasing series nearest to `values`.
std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights);

}  // namespace edagen
