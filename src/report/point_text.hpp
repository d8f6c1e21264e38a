// Texts about one load point, in a run and in a curve.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "edagen/result.hpp"
#include "report/text_table.hpp"

namespace edagen {

/// Milliseconds with three significant digits.
std::string ms(Millis time);
/// Ops per second; small rates are not rounded to nothing.
std::string per_second(double value);
/// "errors, unsteady"
std::string reason_names(const std::vector<Invalid>& reasons, std::string_view separator = ", ");
/// "1 ESTALE, 20 EIO"
std::string errors_text(const ErrorCounts& errors);

/// "1,000 ops/s and 7.8 MiB/s at 2.00 ms mean response", "no op ended", "3 ops ended, too few for figures". Where
/// edagen was paused, that the pause is in them.
std::string figures_text(const PointFigures& point);
/// "as the latency trended, the warm-up took 5 s longer than asked for and a first window of 20 s does not count"; ""
/// where the load point took no longer than asked for.
std::string settling_text(Seconds longer_warmup, Seconds first_window);
/// A cell about a load point; "-" where it has no such figure.
std::string rate_cell(const PointFigures& point);
std::string mib_cell(const PointFigures& point);
/// "> 2.31" where ops that had not ended count with their age. `above`: the share of responses above `time`; 0 of their
/// mean and of the longest.
std::string response_cell(const PointFigures& point, Millis time, double above = 0);
std::string service_cell(const PointFigures& point, Millis time);

/// "/mnt/a", "regular (simulated)", "2 of 3 mounts"
std::string volume_name(const Result& result);
/// "eda_mixed, 10 clients on /mnt/a"
std::string scenario(const Result& result);

/// False of a load point that was cut off: only its intervals are known.
bool has_ended(const PointFigures& point);
/// ", INVALID" for the head of a table of an invalid load point; "" of a valid one.
std::string invalid_mark(const PointFigures& point);
/// Whether a kind of procs has a rate of its own, as all kinds have in an open loop.
bool any_kind_is_paced(const PointFigures& point);
/// How long such a load point was measured, and what is known of its percentiles.
std::string cut_off_point_text(const PointFigures& point);
/// The requested rate, "max" in a closed loop, "" of a load point that was cut off.
std::string requested_cell(const PointFigures& point);
/// "yes", or the reasons.
Cell validity_cell(const std::vector<Invalid>& invalid);

/// The mean time for which ops wait for their procs: what of the response is neither service nor the generator's own
/// delay. The response has ops that have not ended, too, with their age: those that ended may have waited for longer.
Millis wait_for_procs(const PointFigures& point);
/// The response and its parts side by side, and how large the generator's part is. With a pause of edagen in the
/// figures they are no parts, which a note explains.
TextTable latency_table(const PointFigures& point);
std::vector<std::string> latency_notes(const PointFigures& point);
std::string latency_parts(const PointFigures& point);  ///< both, for a terminal
/// The latency of each kind of op.
TextTable op_table(const PointFigures& point);
/// "NFS view"; on several hosts with the name of the first, whose NFS client alone is read. With the mark of an invalid
/// load point.
std::string nfs_heading(const PointFigures& point);
/// RPCs per op with their time, and RPCs in flight.
std::array<std::string, 2> nfs_lines(const NfsFigures& nfs);
/// What the NFS client's counters say about the window; nothing without NFS mounts.
std::string nfs_text(const PointFigures& point);
/// "/mnt/a  nfs4 server:/a  rw,nconnect=8"
std::string mount_text(const MountFigures& mount);
/// Which edagen measured when and where, the mount options, and what was lost.
std::string origin_text(const Result& result);

}  // namespace edagen
