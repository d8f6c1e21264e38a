// What a result names by a word: how a run ended, what a load point was for, why it is invalid.
#pragma once

#include <array>

#include "edagen/parts/named_enum.hpp"

namespace edagen {

enum class Status {
  complete,
  interrupted,  ///< by the user; what was measured is there
  failed,
  incomplete,  ///< read from a journal without an end
  running      ///< in the header of a journal alone
};
inline constexpr std::size_t status_of_documents = 4;  ///< the first so many: what a document ends with
template <>
inline constexpr std::array<std::string_view, 5> enum_names<Status>{"complete", "interrupted", "failed", "incomplete",
                                                                    "running"};

/// What a load point is measured for.
enum class Purpose {
  load_point,     ///< asked for
  climb,          ///< of a search: until the target lies between two rates
  block,          ///< of a search: near the target
  demonstration,  ///< of a search: a load point of full length that is to meet the target
  shape,          ///< after the answer of a search: what the latency is from idle to over the answer
  incomplete      ///< read from a journal that ends in it
};
template <>
inline constexpr std::array<std::string_view, 6> enum_names<Purpose>{"load point",    "climb", "block",
                                                                     "demonstration", "shape", "incomplete"};

/// What kept a rate from reaching the latency target.
enum class RateLimit {
  highest_rate,  ///< that the search may ask for
  procs,         ///< all of them have an op in flight: more ops wait for them, and not at the storage
  search_time,   ///< the search ended, by its time or by an interruption, before it tried a higher rate
  host           ///< the generator's own: its delay is over its limit
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<RateLimit>{"highest_rate", "procs", "search_time", "host"};

/// Why the rate of an answer is a lower bound, as finely as there are remedies.
enum class BoundCause {
  max_rate,     ///< the latency was still below the target at the highest rate that the search may try
  points,       ///< the same at the highest load point that was asked for
  job_sets,     ///< the same with all job sets at work
  procs,        ///< RateLimit::procs
  search_time,  ///< the search ended before it tried a higher rate
  early_end,    ///< the run was ended before a higher rate was measured
  host          ///< RateLimit::host
};
template <>
inline constexpr std::array<std::string_view, 7> enum_names<BoundCause>{"max_rate",    "points",    "job_sets", "procs",
                                                                        "search_time", "early_end", "host"};

/// Why a load point, or an answer that rests on one, is invalid. Three are rules of SPECstorage Solution 2020 (Run
/// and Reporting Rules v1.7): all procs together reach 95 % of the requested rate (achieved_rate_low), each 75 % of its
/// own (proc_rate_low), and each kind of proc keeps its share of the ops within 5 points, and has procs (mix_off).
enum class Invalid {
  nothing_measured,
  achieved_rate_low,
  proc_rate_low,
  mix_off,
  generator_limited,  ///< by more than generator_lag_limit()
  generator_paused,   ///< edagen itself was stopped, suspended or without a processor: 100 ms, or 5 % of the time
  unsteady,           ///< the intervals trend, or a stop in the warm-up shows in the window
  window_short,       ///< the queue remembers for longer than the window what it was like: its mean is one of chance
  ops_outstanding,    ///< some that were due had not ended a while after the window: they count with their age
  errors,
  stuck_ops,        ///< some had not returned at the end
  too_many_errors,  ///< the run was ended for them
  interrupted,
  // Only answers have these:
  no_load_meets_target,
  target_not_reached,  ///< the rate is a lower bound
  not_demonstrated,    ///< no valid load point of full length met the target within 5 % below the rate
  imprecise            ///< the interval's half-width is over 10 %, or blocks hold too few ops over a percentile
};
template <>
inline constexpr std::array<std::string_view, 17> enum_names<Invalid>{"nothing_measured",   "achieved_rate_low",
                                                                      "proc_rate_low",      "mix_off",
                                                                      "generator_limited",  "generator_paused",
                                                                      "unsteady",           "window_short",
                                                                      "ops_outstanding",    "errors",
                                                                      "stuck_ops",          "too_many_errors",
                                                                      "interrupted",        "no_load_meets_target",
                                                                      "target_not_reached", "not_demonstrated",
                                                                      "imprecise"};

/// The first so many: those that a load point can have.
inline constexpr auto invalid_of_points = static_cast<std::size_t>(Invalid::no_load_meets_target);

enum class TargetKind {
  posix,
  nfs,
  sim,  ///< simulated
  own   ///< a storage client of the program that embeds edagen
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<TargetKind>{"posix", "nfs", "sim", "own"};

}  // namespace edagen
