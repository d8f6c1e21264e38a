// From what was measured to its figures.
#pragma once

#include "edagen/comparison_result.hpp"
#include "edagen/search.hpp"
#include "nfs/mountstats.hpp"
#include "nfs/staleness.hpp"
#include "session/mount_loads.hpp"

namespace edagen {

/// `nfs`: what the NFS client counted in the window, by mount. `mounts`: those that the clients work on.
PointFigures point_figures(const CurvePoint& point, const std::vector<NfsMountStats>& nfs = {},
                           const std::vector<LoadMount>& mounts = {});
IntervalFigures interval_figures(const Interval& interval);
/// The figures of one client, or of all clients of a mount, in an interval.
IntervalOpFigures interval_figures(const ClientStats& client);
/// Has the kinds that there were.
std::map<OpKind, IntervalOpFigures> interval_op_figures(const OpStats& ops);
std::map<OpKind, OpFigures> op_figures(const OpStats& ops, bool with_histograms = false);
LatencyFigures latency_figures(const LatencyHistogram& latency);
StalenessFigures staleness_figures(const Staleness& staleness);

/// Adds the load points (ascending by requested rate), the answers, what repeats say, the overall response time and the
/// end. `figures` are those of the curve's points, in their order.
void add_curve(Result& result, const Curve& curve, std::vector<PointFigures> figures);

/// The machine this runs on.
Host this_host();

}  // namespace edagen
