// How the variants of a comparison alternated: whole runs in turn, or slices of seconds.
#pragma once

#include <optional>
#include <string>

#include "edagen/clock.hpp"
#include "edagen/parts/fields.hpp"
#include "edagen/parts/named_enum.hpp"

namespace edagen {

/// The place of a slice, a run of seconds, in its comparison.
struct SliceFigures {
  std::uint64_t block = 1;   ///< from 1; a block has two slices of each variant, in a random order and its reverse
  double start_seconds = 0;  ///< of the window, since the first load of the comparison
  double seconds = 0;        ///< of the window
  Millis first_half{0}, second_half{0};  ///< mean responses in the halves of the window; 0: no op ended, or not known
  /// Where rates at a latency target are compared: the rate of the slice's load, and how far its latency was from the
  /// target, above 0 over it. For a mean 1 - target / latency; for a percentile the logarithm of the share of ops over
  /// the target, in units of the share that the percentile allows.
  std::optional<double> offered_ops_per_sec = {}, distance_from_target = {};
};
void fields(auto&& visit, Is<SliceFigures> auto& slice) {
  visit("block", slice.block,
        {.least = 1, .about = "two slices of each variant in a row; blocks are what variants are compared by"});
  visit("start_seconds", slice.start_seconds, {.about = "of the window, since the comparison's first load"});
  visit("seconds", slice.seconds, {.about = "of the window"});
  visit("first_half_ms", slice.first_half,
        {.known = slice.first_half > Millis(0),
         .added_later = true,
         .about = "mean response in the first half of the window; null: no op ended in it, or not known"});
  visit("second_half_ms", slice.second_half,
        {.known = slice.second_half > Millis(0), .added_later = true, .about = "the same in the second half"});
  visit(
      "offered_ops_per_sec", slice.offered_ops_per_sec,
      later("of the slice's load, where rates at a latency target are compared; ops_per_sec of the run is the rate at "
            "the target that it shows; null: latencies at a rate are compared"));
  visit(
      "distance_from_target", slice.distance_from_target,
      {.added_later = true,
       .least = any_number,
       .about = "of the slice's latency, above 0 over the target; of a mean 1 - target / latency, of a percentile the "
                "logarithm of the share of ops over the target, in units of the share that the percentile allows; "
                "null as offered_ops_per_sec"});
}

enum class Alternation {
  runs,   ///< whole runs in turn
  slices  ///< slices of seconds: all variants are set up at once
};
template <>
inline constexpr std::array<std::string_view, 2> enum_names<Alternation>{"runs", "slices"};

/// Why a comparison made no further block or repeat.
enum class EndReason {
  as_planned,  ///< all repeats are there
  precision,   ///< all intervals are as narrow as requested
  time,        ///< the time is over
  failure,     ///< a variant could not go on
  interrupt
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<EndReason>{"as planned", "precision", "time", "failure",
                                                                       "interrupt"};

struct AlternationFigures {
  Alternation unit = Alternation::runs;
  std::string reason;                        ///< why this unit
  std::vector<std::string> shared = {};      ///< what variants share that may make them look more alike than they are
  std::optional<double> slice_seconds = {};  ///< of the last slices
  std::optional<double> settle_seconds = {};
  std::optional<double> until = {};  ///< requested half-width of the intervals of the ratios
  std::optional<EndReason> end = {};
};
void fields(auto&& visit, Is<AlternationFigures> auto& alternation) {
  visit("unit", alternation.unit);
  visit("reason", alternation.reason, {.about = "why whole runs alternate, or slices"});
  visit("shared", alternation.shared,
        {.about = "what variants share while all are set up, so that one may leave work for the other"});
  visit("slice_seconds", alternation.slice_seconds, {.about = "of the window of the last slices; null: whole runs"});
  visit("settle_seconds", alternation.settle_seconds,
        {.about = "before the window of each slice, which do not count; null: whole runs, or no slice"});
  visit("until", alternation.until,
        {.about = "half-width of the intervals of the ratios at which no more is measured; null: not requested"});
  visit("end", alternation.end, {.about = "why nothing more was measured; null: the comparison goes on"});
}

}  // namespace edagen
