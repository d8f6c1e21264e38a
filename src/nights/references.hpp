// The references of a measurement: unchanged volumes that are measured in the same night.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "nights/baseline.hpp"
#include "nights/night.hpp"

namespace edagen {

/// The figure of the references of each night. nullopt: the night has no reference.
struct ReferenceSeries {
  std::vector<std::optional<LogSample>> samples;
  std::size_t count = 0;  ///< references that count
  /// Whether a single reference that changes alone is outvoted.
  bool is_robust() const { return count > 2; }
};

/// One sample for each of `nights`, of which the last one is tonight. One
/// reference counts as it is. The median of several counts, after each was shifted by its usual distance from the
/// others, so that one reference that changes alone moves nothing.
///
/// The references that count are those of tonight that three nights before have, once these nights have all of them;
/// until then the one of them that most nights have. Errors are pooled as pool_errors() does. Thread-safe.
ReferenceSeries reference_series(std::span<const NightMeasurement* const> nights, const std::string& figure);

/// A reference whose distance from the others is not the usual one tonight.
struct DeviatingReference {
  std::uint64_t number = 1;  ///< from 1
  double change = 0;         ///< against the others, as a logarithm
  double p = 1;              ///< of such a change in a night without one, adjusted for the number of references
};

/// The reference that deviates most, if three or more count and one of them deviates with p of at most 0.1 %.
/// `resolution` of their ratios: as of baseline_of().
std::optional<DeviatingReference> deviating_reference(std::span<const NightMeasurement* const> nights,
                                                      const std::string& figure, double resolution);

/// The references of which a measurement has runs.
std::set<std::size_t> reference_numbers(const NightMeasurement& measurement);

/// What runs of a reference must have in common; empty: it was not measured.
const Comparable& comparable_of_reference(const NightMeasurement& measurement, std::size_t number);

/// What a volume is to a measurement: "reference", "reference 2".
std::string volume_role(std::size_t number);

/// A reference with its volume: "reference 2 (/mnt/b)".
std::string reference_name(const NightMeasurement& measurement, std::size_t number);

}  // namespace edagen
