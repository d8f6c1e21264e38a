// What is kept of a night: plain values, one JSON line each (night_json.hpp).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "edagen/result.hpp"

namespace edagen {

enum class FigureKind {
  rate,     ///< ops or MiB per second: the more the better, as with no other
  latency,  ///< a mean
  tail,     ///< p99
  op_kind   ///< the mean of one kind of op: a detail, which never keeps a night from being told
};
template <>
inline constexpr std::array<std::string_view, 4> enum_names<FigureKind>{"rate", "latency", "tail", "op kind"};
constexpr bool higher_is_better(FigureKind kind) { return kind == FigureKind::rate; }

/// Something that a night measures: the op rate at a latency target, a latency at a load.
struct NightFigure {
  std::string name;  ///< "ops/s at 2 ms mean response"
  FigureKind kind = FigureKind::rate;
  std::optional<double> value;  ///< nullopt: no load meets the latency target
  double error = 0;             ///< standard error over value, as the run states it; 0: not stated
};
void fields(auto&& visit, Is<NightFigure> auto& figure) {
  visit("name", figure.name);
  visit("kind", figure.kind);
  visit("value", figure.value, {.above = 0, .about = "null: no load meets the latency target"});
  visit("error", figure.error, {.about = "standard error over value, as the run states it; 0: not stated"});
}

/// One run of a measurement.
struct NightRun {
  std::string started_at;  ///< RFC 3339
  std::string file;        ///< of its result, below the directory of the history; may be gone
  bool reference = false;  ///< of the unchanged volume, and not of the one that is watched
  Status status = Status::complete;
  std::vector<NightFigure> figures;
  std::vector<Invalid> invalid = {};  ///< why its result says little; empty: valid
};
void fields(auto&& visit, Is<NightRun> auto& run) {
  visit("started_at", run.started_at, {.is_time = true});
  visit("file", run.file, {.about = "the run's result, below the directory of the history"});
  visit("reference", run.reference);
  visit("status", run.status, {.enum_values = status_of_documents});
  visit("figures", run.figures);
  visit("invalid_reasons", run.invalid, later("why the result says little; empty: valid"));
}

/// What two runs must have in common to be compared, part by part in words.
using Comparable = std::map<std::string, std::string>;

struct NightMeasurement {
  std::string name;
  Comparable comparable, reference_comparable;
  std::vector<NightRun> runs;
};
void fields(auto&& visit, Is<NightMeasurement> auto& measurement) {
  visit("name", measurement.name);
  visit("comparable", measurement.comparable);
  visit("reference_comparable", measurement.reference_comparable);
  visit("runs", measurement.runs);
}

enum class NightVerdict {
  no_change,  ///< none larger than what was asked for
  improvement,
  cannot_tell,
  regression,
  failed  ///< of a night alone: something could not be measured
};
template <>
inline constexpr std::array<std::string_view, 5> enum_names<NightVerdict>{"no change", "improvement", "cannot tell",
                                                                          "regression", "failed"};

/// A figure of a night against those before. Changes are relative: -0.05 is 5 % less.
struct FigureVerdict {
  std::string measurement, figure;
  FigureKind kind = FigureKind::rate;
  NightVerdict verdict = NightVerdict::cannot_tell;
  bool against_reference = false;         ///< of the ratios to the reference; else of the values
  std::optional<double> value, expected;  ///< tonight, and from the nights before
  std::optional<double> change;
  std::array<std::optional<double>, 2>
      interval{};           ///< of change; all intervals of a night hold together; none: too wide to mean anything
  std::optional<double> p;  ///< of a regression where there is none, adjusted for the number of figures
  std::optional<double> smallest_visible;  ///< a change for the worse of this size is found in 90 of 100 nights
  std::optional<double> between_nights, within_nights;  ///< standard deviations
  double drift_per_night = 0;                           ///< that is expected to go on; 0: none
  std::uint64_t nights = 0, outliers = 0;               ///< in the history; outliers are not used
  double limit = 0.05;                                  ///< what may be lost of it
  std::string note;                                     ///< why it cannot be told, and the like
  bool newly_unmet = false;  ///< some runs of tonight missed the latency target, as few did before; it is not kept
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
  visit("limit", figure.limit, {.added_later = true, .above = 0, .most = 1, .about = "what may be lost of the figure"});
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

/// What a night, or a result, says against a history.
struct NightJudgement {
  NightVerdict verdict = NightVerdict::cannot_tell;  ///< of all: regression, failed, cannot tell, improvement
  double false_alarms = 0.01, max_regression = 0.05, max_tail_regression = 0.15;
  std::string since;                         ///< nights before were not used; empty: all were
  std::vector<MeasurementFailure> failures;  ///< see add_failures()
  std::vector<FigureVerdict> figures;
  std::vector<std::string> notes;
};
void fields(auto&& visit, Is<NightJudgement> auto& judgement) {
  visit("verdict", judgement.verdict, {.about = "failed: something could not be measured"});
  visit("false_alarms", judgement.false_alarms, {.above = 0, .most = 0.5});
  visit("max_regression", judgement.max_regression, {.above = 0, .most = 1});
  visit("max_tail_regression", judgement.max_tail_regression, {.above = 0, .most = 1});
  visit("since", judgement.since, later("nights before were not used; empty: all were"));
  visit("failures", judgement.failures, later("measurements that could not be run, or not to their end"));
  visit("figures", judgement.figures);
  visit("notes", judgement.notes);
}

struct Night {
  std::string started_at;  ///< RFC 3339; tells nights apart
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

/// What may be lost of one measurement, where it is not what may be lost of all.
struct MeasurementLimits {
  std::optional<double> max_regression, max_tail_regression;
};

/// How nights are judged.
struct Gate {
  double false_alarms = 0.01;    ///< probability that a night without a change has a regression, above 0, below 0.5
  double max_regression = 0.05;  ///< what may be lost; above 0, below 1
  double max_tail_regression = 0.15;  ///< of p99, which varies more
  std::size_t nights = 30;            ///< so many before are used at most
  std::vector<std::string> allowed;   ///< parts that may differ
  std::string since;                  ///< nights before this time are not used; empty: all are

  std::map<std::string, MeasurementLimits> of_measurements;

  double limit(FigureKind kind) const { return kind == FigureKind::tail ? max_tail_regression : max_regression; }
  /// With the limits of a measurement.
  Gate of(const std::string& measurement) const;
};

inline Gate Gate::of(const std::string& measurement) const {
  Gate its = *this;
  if (const auto own = of_measurements.find(measurement); own != of_measurements.end()) {
    its.max_regression = own->second.max_regression.value_or(max_regression);
    its.max_tail_regression = own->second.max_tail_regression.value_or(max_tail_regression);
  }
  return its;
}

/// No night is told to be good of which a part could not be measured; a regression that the others show stays.
inline void add_failures(NightJudgement& judgement, const std::vector<MeasurementFailure>& failures) {
  judgement.failures.insert(judgement.failures.end(), failures.begin(), failures.end());
  if (!judgement.failures.empty() && judgement.verdict != NightVerdict::regression)
    judgement.verdict = NightVerdict::failed;
}

}  // namespace edagen
