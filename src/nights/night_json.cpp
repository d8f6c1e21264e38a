#include "nights/night_json.hpp"

#include <algorithm>
#include <utility>

#include "base/json_schema.hpp"
#include "edagen/error.hpp"
#include "result/json_fields.hpp"

namespace edagen {
namespace {

constexpr std::string_view schema = "workloads/schema/night.schema.json";

}  // namespace

template <class Visit, Is<NightFigure> T>
void fields(Visit visit, T& figure) {
  visit("name", figure.name);
  visit("kind", figure.kind);
  visit("value", figure.value);
  visit("error", figure.error);
}

template <class Visit, Is<NightRun> T>
void fields(Visit visit, T& run) {
  visit("started_at", run.started_at);
  visit("file", run.file);
  visit("reference", run.reference);
  visit("status", run.status);
  visit("figures", run.figures);
  visit("invalid_reasons", run.invalid);
  visit("reference_number", run.reference_number);
}

template <class Visit, Is<NightMeasurement> T>
void fields(Visit visit, T& measurement) {
  visit("name", measurement.name);
  visit("comparable", measurement.comparable);
  visit("reference_comparable", measurement.reference_comparable);
  visit("runs", measurement.runs);
  visit("further_references", measurement.further_references);
}

template <class Visit, Is<FigureVerdict> T>
void fields(Visit visit, T& figure) {
  visit("measurement", figure.measurement);
  visit("figure", figure.figure);
  visit("kind", figure.kind);
  visit("verdict", figure.verdict);
  visit("against_reference", figure.against_reference);
  visit("value", figure.value);
  visit("expected", figure.expected);
  visit("change", figure.change);
  visit("interval", figure.interval);
  visit("p", figure.p);
  visit("smallest_visible", figure.smallest_visible);
  visit("between_nights", figure.between_nights);
  visit("within_nights", figure.within_nights);
  visit("drift_per_night", figure.drift_per_night);
  visit("nights", figure.nights);
  visit("outliers", figure.outliers);
  visit("limit", figure.limit);
  visit("note", figure.note);
}

template <class Visit, Is<MeasurementFailure> T>
void fields(Visit visit, T& failure) {
  visit("measurement", failure.measurement);
  visit("reason", failure.reason);
}

template <class Visit, Is<NightJudgement> T>
void fields(Visit visit, T& judgement) {
  visit("verdict", judgement.verdict);
  visit("false_alarms", judgement.false_alarms);
  visit("max_regression", judgement.max_regression);
  visit("max_tail_regression", judgement.max_tail_regression);
  visit("since", judgement.since);
  visit("failures", judgement.failures);
  visit("figures", judgement.figures);
  visit("notes", judgement.notes);
}

template <class Visit, Is<Night> T>
void fields(Visit visit, T& night) {
  visit("started_at", night.started_at);
  visit("finished_at", night.finished_at);
  visit("status", night.status);
  visit("edagen_version", night.edagen_version);
  visit("host", night.host);
  visit("kernel", night.kernel);
  visit("measurements", night.measurements);
  visit("judgement", night.judgement);
}

namespace {

template <class Name>
bool has_one_twice(std::vector<Name> names) {
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) != names.end();
}

/// The place in which a night names the same figure twice; "": none.
const char* repeated_figure_in(const Night& night) {
  for (const NightMeasurement& measurement : night.measurements)
    for (const NightRun& run : measurement.runs) {
      std::vector<std::string_view> names;
      for (const NightFigure& figure : run.figures) names.push_back(figure.name);
      if (has_one_twice(std::move(names))) return "a run has the same figure twice";
    }
  if (!night.judgement) return "";
  std::vector<std::pair<std::string_view, std::string_view>> judged;
  for (const FigureVerdict& figure : night.judgement->figures) judged.emplace_back(figure.measurement, figure.figure);
  return has_one_twice(std::move(judged)) ? "the same figure is judged twice" : "";
}

}  // namespace

Document to_json(const Night& night) {
  Document made = {{"schema", "edagen.night/1"}};
  fields(Writer{made}, night);
  return made;
}

Document to_json(const NightJudgement& judgement) {
  Document made = {{"schema", "edagen.check/1"}};
  fields(Writer{made}, judgement);
  return made;
}

Night night_of_line(std::string_view line, const std::string& where) {
  const auto document = parse_json<Document>(line, where);
  check_schema(nlohmann::json(document), schema, where);
  Night night;
  fields(Reader{document}, night);
  if (const std::string_view why = repeated_figure_in(night); !why.empty()) throw usage_error(where, std::string(why));
  return night;
}

}  // namespace edagen
