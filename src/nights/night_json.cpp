#include "nights/night_json.hpp"

#include <algorithm>
#include <utility>

#include "base/json_schema.hpp"
#include "edagen/error.hpp"
#include "result/schema_fields.hpp"

namespace edagen {
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

template Document to_json(const Night&);
template Document to_json(const NightJudgement&);
template Document schema_of<Night>();
template Document schema_of<NightJudgement>();

Night night_of_line(std::string_view line, const std::string& where) {
  auto night = from_checked_json<Night>(parse_json<Document>(line, where), where);
  if (const std::string_view why = repeated_figure_in(night); !why.empty()) throw usage_error(where, std::string(why));
  return night;
}

}  // namespace edagen
