// A measured point of a latency curve.
#pragma once

#include <vector>

#include "edagen/core/named_enum.hpp"
#include "edagen/curve/validity.hpp"
#include "edagen/mounts/mountstats.hpp"
#include "edagen/stats/latency_statistic.hpp"
#include "edagen/stats/run_stats.hpp"

namespace edagen {

/// A latency whose standard error is a larger share of it tells little alone.
inline constexpr double vague_error = 0.1;

/// What a load point is measured for.
enum class Purpose {
  load_point,   ///< asked for
  exploration,  ///< of a search: a short window far from the target
  refinement,   ///< of a search: a window near the target
  judged,       ///< of a search: a full run
  incomplete    ///< read from a journal that ends in it
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<Purpose>{"load point", "exploration", "refinement", "judged", "incomplete"};

struct CurvePoint {
  RunStats stats;
  std::vector<Invalid> invalid;  ///< why; empty: valid
  Purpose purpose = Purpose::load_point;
  double sweep_value = 0;      ///< of the parameter that is swept
  std::size_t repeat = 1;      ///< number of the repeat of the same load, from 1
  std::size_t job_sets = 0;    ///< that were active; 0: all
  double rate = 0;             ///< achieved, ops/s
  double latency_ns = 0;       ///< the statistic, over the whole window
  double latency_error_ns = 0; ///< its standard error, by batch means
  int degrees_of_freedom = 0;
  double typical_latency_ns = 0;  ///< the median of its intervals' statistic: what a pause or two do not change; 0: unknown
  std::vector<NfsMountStats> nfs;  ///< counted in the window; the run's NFS mounts

  /// Below the volume's limits: the requested rate was reached.
  bool reached() const;
  bool generator_limited() const;
  /// Reached by a generator that was in time, so that the point is on the curve.
  bool on_curve() const;
  /// Not reached, or slower. A late generator only adds to the latency: such a point may well be below.
  bool above(double nanos) const { return !reached() || latency_ns > nanos; }
};

CurvePoint make_point(RunStats stats, const LatencyStatistic& statistic, Purpose purpose, std::size_t job_sets = 0);

}  // namespace edagen
