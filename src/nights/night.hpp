// A night, how it is judged and what its judgement is: plain values. A history keeps one JSON line for each night
// (night_json.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "result/bound_cause.hpp"

namespace edagen {

enum class FigureKind {
  rate,     ///< ops or MiB per second, the only kind of which more is better
  latency,  ///< mean response
  tail,     ///< p99 response
  op_kind   ///< mean response of one kind of op; a night has a verdict even where such a figure has none
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<FigureKind>{"rate", "latency", "tail", "op kind"};
constexpr bool higher_is_better(FigureKind kind) { return kind == FigureKind::rate; }

/// A figure that a night measures: the op rate at a latency target, a latency at a load.
struct NightFigure {
  std::string name;  ///< "ops/s at 2 ms mean response"
  FigureKind kind = FigureKind::rate;
  std::optional<double> value;        ///< nullopt: no load meets the latency target
  double error = 0;                   ///< standard error over value, as the run states it; 0: not stated
  std::optional<bool> valid = {};     ///< whether its load point or its answer is; nullopt: of an older version
  std::vector<Invalid> invalid = {};  ///< why it is not; empty also in lines of older versions
  bool lower_bound = false;           ///< a latency in which ops that had not ended count with their age
};
void fields(auto&& visit, Is<NightFigure> auto& figure) {
  visit("name", figure.name);
  visit("kind", figure.kind);
  visit("value", figure.value, {.above = 0, .about = "null: no load meets the latency target"});
  visit("error", figure.error, {.about = "standard error over value, as the run states it; 0: not stated"});
  visit("valid", figure.valid, later("whether its load point or its answer is valid; null: not known"));
  visit("invalid_reasons", figure.invalid, later("why it is not valid; empty also where that is not known"));
  visit("lower_bound", figure.lower_bound, later("a latency in which ops that had not ended count with their age"));
}

/// One run of a measurement.
struct NightRun {
  std::string started_at;  ///< RFC 3339
  std::string file;        ///< path of the result below the directory of the history; the file may be gone
  bool reference = false;  ///< whether an unchanged volume was measured, and not the watched one
  Status status = Status::complete;
  std::vector<NightFigure> figures;
  std::vector<Invalid> invalid = {};    ///< why the result is invalid; empty: it is valid
  std::uint64_t reference_number = 1;   ///< which of several references was measured, from 1
  std::vector<BoundCause> bounds = {};  ///< of answers that are lower bounds, as bound_causes()
};
void fields(auto&& visit, Is<NightRun> auto& run) {
  visit("started_at", run.started_at, {.is_time = true});
  visit("file", run.file, {.about = "the run's result, below the directory of the history"});
  visit("reference", run.reference);
  visit("status", run.status, {.enum_values = status_of_documents});
  visit("figures", run.figures);
  visit("invalid_reasons", run.invalid, later("why the result is invalid; empty: it is valid"));
  visit("reference_number", run.reference_number, later("which of several references was measured, from 1"));
  visit("bounds", run.bounds,
        later("what kept answers from their latency targets, so that they are lower bounds; empty: nothing did"));
}

/// What two runs must have in common to be compared: a text for each part.
using Comparable = std::map<std::string, std::string>;

struct NightMeasurement {
  std::string name;
  Comparable comparable, reference_comparable;  ///< the latter of the first reference
  std::vector<NightRun> runs;
  std::vector<Comparable> further_references =
      {};  ///< what runs of the second, third, ... reference must have in common
};
void fields(auto&& visit, Is<NightMeasurement> auto& measurement) {
  visit("name", measurement.name);
  visit("comparable", measurement.comparable);
  visit("reference_comparable", measurement.reference_comparable);
  visit("runs", measurement.runs);
  visit("further_references", measurement.further_references,
        later("what runs of the second, third, ... reference must have in common"));
}

enum class NightVerdict {
  no_change,  ///< no loss above the limit
  improvement,
  cannot_tell,
  regression,
  failed  ///< verdict of a whole night alone: a measurement could not be run
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<NightVerdict>{"no change", "improvement", "cannot tell",
                                                                          "regression", "failed"};

/// How nights are judged, with the defaults. A judgement keeps the settings that it was made with.
struct GateSettings {
  double false_alarms = 0.01;    ///< probability that a night without a change has a regression; above 0, below 0.5
  double max_regression = 0.05;  ///< largest loss that is no regression; above 0, below 1
  double max_tail_regression = 0.15;  ///< the same for p99, which varies more
  std::string since;                  ///< nights before this time are not used; empty: all are
  std::size_t nights = 30;            ///< how many nights before are used at most
  std::vector<std::string> allowed;   ///< parts of Comparable that may differ
};

/// The comparison of a figure with the nights before. Changes are relative: -0.05 is 5 % less.
struct FigureVerdict {
  std::string measurement, figure;
  FigureKind kind = FigureKind::rate;
  NightVerdict verdict = NightVerdict::cannot_tell;
  bool against_reference = false;         ///< whether ratios to the reference are compared, and not the values
  std::optional<double> value, expected;  ///< tonight's value, and the one that the nights before predict
  std::optional<double> change;
  /// Interval of the change; all intervals of a night hold together. nullopt: too wide to mean anything.
  std::array<std::optional<double>, 2> interval{};
  std::optional<double> p;  ///< probability of such a loss without a change, adjusted for the number of figures
  std::optional<double> smallest_visible;               ///< the smallest loss that is shown in 90 of 100 nights
  std::optional<double> between_nights, within_nights;  ///< standard deviations
  double drift_per_night = 0;                           ///< change that is expected to go on; 0: none shows
  std::uint64_t nights = 0, outliers = 0;               ///< nights of the history, and those of them that are left out
  std::uint64_t incomparable_nights = 0;                ///< nights that differ from tonight in what was measured
  double limit = GateSettings().max_regression;         ///< largest loss that is no regression
  bool invalid = false;                                 ///< as is_invalid(): tonight's value is of invalid runs alone
  std::vector<Invalid> invalid_reasons = {};            ///< as why_invalid()
  bool lower_bound = false;                             ///< as is_lower_bound(): the change is at least this one
  std::string note;                                     ///< why there is no verdict, and other remarks
  bool newly_unmet = false;  ///< some runs of tonight missed the latency target, and few nights before did; not kept
  bool unconfirmed = false;  ///< one run alone shows a loss, as the others of tonight lack the figure; not kept
};
void fields(auto&& visit, Is<FigureVerdict> auto& figure) {
  visit("measurement", figure.measurement);
  visit("figure", figure.figure);
  visit("kind", figure.kind);
  visit("verdict", figure.verdict, {.enum_values = 4});  // a figure does not fail
  visit("against_reference", figure.against_reference, {.about = "ratios to the reference are compared"});
  visit("value", figure.value, {.least = any_number, .about = "tonight"});
  visit("expected", figure.expected, {.least = any_number, .about = "from the nights before"});
  visit("change", figure.change, {.least = any_number, .about = "relative: -0.05 is 5 % less"});
  visit("interval", figure.interval,
        {.least = any_number, .about = "of change; all intervals of a night hold together"});
  visit("p", figure.p, {.most = 1, .about = "of a regression, adjusted for the number of figures"});
  visit("smallest_visible", figure.smallest_visible,
        {.about = "a change for the worse of this size is found in 90 of 100 nights"});
  visit("between_nights", figure.between_nights, {.least = any_number, .about = "standard deviation"});
  visit("within_nights", figure.within_nights, {.least = any_number, .about = "standard deviation"});
  visit("drift_per_night", figure.drift_per_night, {.least = any_number});
  visit("nights", figure.nights);
  visit("outliers", figure.outliers);
  visit("incomparable_nights", figure.incomparable_nights,
        {.added_later = true, .about = "nights that are not used, as they differ from this one in what was measured"});
  visit("limit", figure.limit, {.added_later = true, .above = 0, .most = 1, .about = "what may be lost of the figure"});
  visit("invalid", figure.invalid, later("tonight's value is of invalid runs alone"));
  visit("invalid_reasons", figure.invalid_reasons, later("why they are invalid"));
  visit("lower_bound", figure.lower_bound,
        later("tonight's latency counts ops that had not ended with their age, and the change is at least this one"));
  visit("note", figure.note);
}

/// A measurement of a night that could not be run, or not to its end.
struct MeasurementFailure {
  std::string measurement, reason;
};
void fields(auto&& visit, Is<MeasurementFailure> auto& failure) {
  visit("measurement", failure.measurement);
  visit("reason", failure.reason);
}

/// The nights that a measurement is not compared with.
struct IncomparableNights {
  std::string measurement;  ///< empty: the result of `edagen check`
  std::string reason;       ///< how many, how they differ, and what accepts them
};
void fields(auto&& visit, Is<IncomparableNights> auto& nights) {
  visit("measurement", nights.measurement);
  visit("reason", nights.reason);
}

/// The comparison of a night, or of a result, with a history.
struct NightJudgement : GateSettings {
  NightVerdict verdict = NightVerdict::cannot_tell;  ///< of the whole night
  std::vector<MeasurementFailure> failures;          ///< see add_failures()
  std::vector<FigureVerdict> figures;
  std::string simulated;  ///< "simulated", or which measurements are; empty: none
  std::vector<IncomparableNights> incomparable;
  std::vector<std::string> invalid_runs;  ///< why runs are invalid
  std::vector<std::string> notes;         ///< all other remarks

  /// All remarks, in the order in which they are printed.
  std::vector<std::string> all_notes() const {
    std::vector<std::string> all;
    if (!simulated.empty()) all.push_back(simulated);
    for (const IncomparableNights& other : incomparable)
      all.push_back((other.measurement.empty() ? "" : other.measurement + ": ") + other.reason);
    for (const auto* const each : {&invalid_runs, &notes}) all.insert(all.end(), each->begin(), each->end());
    return all;
  }
};
void fields(auto&& visit, Is<NightJudgement> auto& judgement) {
  visit("verdict", judgement.verdict, {.about = "failed: something could not be measured"});
  visit("false_alarms", judgement.false_alarms, {.above = 0, .most = 0.5});
  visit("max_regression", judgement.max_regression, {.above = 0, .most = 1});
  visit("max_tail_regression", judgement.max_tail_regression, {.above = 0, .most = 1});
  visit("since", judgement.since, later("nights before were not used; empty: all were"));
  visit("nights", judgement.nights, later("nights before that were used, at most"));
  visit("allow_differences", judgement.allowed, later("parts in which the nights might differ"));
  visit("failures", judgement.failures, later("measurements that could not be run, or not to their end"));
  visit("figures", judgement.figures);
  visit("simulated", judgement.simulated, later("\"simulated\", or which measurements are; empty: none"));
  visit("incomparable", judgement.incomparable,
        later("nights that measurements are not compared with: how they differ, and what accepts them"));
  visit("invalid_runs", judgement.invalid_runs, later("why runs are invalid"));
  visit("notes", judgement.notes, {.about = "other remarks; of an older version all of them"});
}

struct Night {
  std::string started_at;  ///< RFC 3339; no two nights of a host have the same
  std::optional<std::string> finished_at;
  Status status = Status::complete;
  std::string edagen_version, host, kernel;
  std::vector<NightMeasurement> measurements;
  std::optional<NightJudgement> judgement;
};
void fields(auto&& visit, Is<Night> auto& night) {
  visit("started_at", night.started_at, {.is_time = true});
  visit("finished_at", night.finished_at, {.is_time = true, .about = "a time, or null: the night was killed"});
  visit("status", night.status, {.enum_values = status_of_documents});
  visit("edagen_version", night.edagen_version);
  visit("host", night.host);
  visit("kernel", night.kernel);
  visit("measurements", night.measurements);
  visit("judgement", night.judgement);
}

/// Limits of one measurement in place of those of the gate.
struct MeasurementLimits {
  std::optional<double> max_regression, max_tail_regression;
};

/// How nights are judged, with the limits of single measurements.
struct Gate : GateSettings {
  std::map<std::string, MeasurementLimits> of_measurements;

  double limit(FigureKind kind) const { return kind == FigureKind::tail ? max_tail_regression : max_regression; }
  /// The gate with the limits of a measurement.
  Gate of(const std::string& measurement) const;
};

inline Gate Gate::of(const std::string& measurement) const {
  Gate gate = *this;
  if (const auto own = of_measurements.find(measurement); own != of_measurements.end()) {
    gate.max_regression = own->second.max_regression.value_or(max_regression);
    gate.max_tail_regression = own->second.max_tail_regression.value_or(max_tail_regression);
  }
  return gate;
}

/// A night with a failed measurement has failed, unless another measurement shows a regression.
inline void add_failures(NightJudgement& judgement, const std::vector<MeasurementFailure>& failures) {
  judgement.failures.insert(judgement.failures.end(), failures.begin(), failures.end());
  if (!judgement.failures.empty() && judgement.verdict != NightVerdict::regression)
    judgement.verdict = NightVerdict::failed;
}

}  // namespace edagen
