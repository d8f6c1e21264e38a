// When a comparison by whole runs has enough repeats.
#pragma once

#include "edagen/result.hpp"
#include "edagen/run_plan.hpp"

namespace edagen {

/// The time of the load of one whole run of each variant, on simulated volumes in their time.
Nanos time_of_first_repeat(const ComparisonPlan& plan);
/// Whether one whole run of each variant fits into the time of a comparison of which so much is `spent`.
bool has_time_for_runs(const ComparisonPlan& plan, Nanos spent);
/// The time of all load of a comparison by whole runs, at most where the latency settles, and where it trends until the
/// end of each load point; without simulated volumes beside real ones.
Nanos time_of_runs(const ComparisonPlan& plan);
Nanos longest_time_of_runs(const ComparisonPlan& plan);

/// The time of a run's load, with its warm-ups and without its dataset; also of a run that an earlier comparison kept.
Nanos load_time(const Result& result);

/// Throws Error (usage) when no interval is ever as narrow as the comparison is asked for (--until).
void check_precision(const ComparisonPlan& plan);

/// Why no further repeat is made after so many; nullopt: another one follows. `so_far`: what they show. `spent`: the
/// time of all load, of which `spent_before` came before the first repeat, as climbs and pilots do.
std::optional<EndReason> end_of_repeats(const ComparisonPlan& plan, const ComparisonResult& so_far, std::size_t repeats,
                                        Nanos spent, Nanos spent_before);

}  // namespace edagen
