// A plan for people.
#pragma once

#include <string>

#include "session/run_site.hpp"

namespace edagen {

/// Its first lines: what is run `where`, and whether its procs lack the mix.
std::string plan_head(const RunPlan& plan, const std::string& where);
/// The volume of the run has been looked at.
std::string plan_text(const RunPlan& plan, const RunSite& site);
/// The same of a variant of a comparison, without the time, which is that of all variants. `last_run`: the plan of the
/// last run, where that alone draws a shape; else nullptr.
std::string variant_plan_text(const RunPlan& plan, const RunSite& site, const RunPlan* last_run);
/// The end of the line that has the time of simulated volumes.
inline constexpr const char* of_virtual_time =
    " of virtual time; to compute it takes seconds, for the fastest volumes minutes\n";
/// What comes after the answer of a search, and before load points; lines of a plan.
std::string beside_measurement_text(const RunPlan& plan, bool in_last_run_only);
/// "search for the op rate at 2 ms mean response to 2 %, for 2 min at most; 5 s warm-up, 20 s measured in ..."
std::string measurement_text(const RunPlan& plan);
/// How long the load will be measured where the latency settles, of a search at most: without the dataset, and by the
/// clock of a simulated volume.
Nanos expected_time(const RunPlan& plan);
/// The same where the latency trends until the end of each load point.
Nanos longest_load_time(const RunPlan& plan);
/// " (up to 41 s where the latency still trends)"; "" where nothing takes longer for that.
std::string longer_time_text(Nanos expected, Nanos longest);

/// Intervals are a second long. A shorter window is divided into enough of them to show whether it was steady; where a
/// result would have more than can be read again, they take more seconds.
void set_intervals(RunPlan& plan);
inline constexpr std::int64_t intervals_of_a_short_window = 10;
inline constexpr Nanos shortest_interval = std::chrono::milliseconds(500);
inline constexpr std::int64_t max_intervals_per_result = 200'000;  ///< some 130 MB of JSON
/// The lines of `text` that `other` does not have: what is alike in all plans is printed with the first.
std::string lines_that_differ(const std::string& text, const std::string& other);
/// "up to about 3 min"
std::string at_most_text(Nanos time);
/// "10 clients x 5 procs"
std::string procs_text(const RunPlan& plan);
/// What a volume is, in a line: "/mnt/a", "sim:regular", "nconnect=16".
std::string volume_text(const Volume& volume);

}  // namespace edagen
