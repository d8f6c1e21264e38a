#include "nights/night_changes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "nights/change_points.hpp"
#include "nights/comparable.hpp"
#include "nights/figure_comparison.hpp"
#include "nights/history.hpp"
#include "nights/references.hpp"

namespace edagen {

std::vector<FigureSeries> series_of(const std::vector<Night>& nights) {
  std::vector<FigureSeries> all;
  std::vector<std::vector<const NightMeasurement*>> measurements;  // by series
  std::map<std::pair<std::string, std::string>, std::size_t> places;
  for (std::size_t at = 0; at < nights.size(); ++at)
    for (const NightMeasurement& measurement : nights[at].measurements)
      for (const NightRun& run : measurement.runs) {
        if (run.reference) continue;
        for (const NightFigure& figure : run.figures) {
          const auto [place, is_new] = places.try_emplace({measurement.name, figure.name}, all.size());
          if (is_new)
            all.push_back({measurement.name, figure.name, figure.kind, {}, {}, {}, false}), measurements.emplace_back();
          FigureSeries& series = all[place->second];
          if (!series.nights.empty() && series.nights.back() == at) continue;  // an earlier run of the night has it
          const auto sample = sample_of(measurement, figure.name);
          if (!sample) continue;
          series.nights.push_back(at);
          series.samples.push_back(*sample);
          measurements[place->second].push_back(&measurement);
        }
      }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].samples.empty()) continue;
    all[i].references = reference_series(measurements[i], all[i].figure).samples;
    all[i].against_reference = 2 * std::ranges::count(all[i].references, true, &std::optional<LogSample>::has_value) >
                               std::ssize(measurements[i]);
  }
  std::erase_if(all, [](const FigureSeries& series) { return series.samples.empty(); });  // no night met the target
  return all;
}

std::vector<NightChange> changes_of(const std::vector<Night>& nights, const std::vector<FigureSeries>& series,
                                    double max_p) {
  std::vector<NightChange> all;
  for (const FigureSeries& each : series) {
    std::vector<double> values;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < each.samples.size(); ++i) {
      if (each.against_reference && !each.references[i]) continue;
      values.push_back(each.samples[i].value - (each.against_reference ? each.references[i]->value : 0));
      places.push_back(each.nights[i]);
    }
    const double resolution = each.against_reference ? resolution_of_ratio(each.kind) : resolution_of(each.kind);
    const std::vector<ChangePoint> points =
        change_points_of(values, max_p / static_cast<double>(series.size()), resolution);
    for (std::size_t at = 0; at < points.size(); ++at) {
      const ChangePoint& point = points[at];
      NightChange change{.night = places[point.begins],
                         .measurement = each.measurement,
                         .figure = each.figure,
                         .change = std::expm1(point.after - point.before),
                         .better = (point.after > point.before) == higher_is_better(each.kind),
                         .against_reference = each.against_reference,
                         .p = point.p,
                         .differs = ""};
      const NightMeasurement* const before = measurement_named(nights[places[point.begins - 1]], each.measurement);
      const NightMeasurement* const after = measurement_named(nights[change.night], each.measurement);
      if (before && after) change.differs = difference_in_words(*before, *after, {});
      const std::size_t end = at + 1 < points.size() ? points[at + 1].begins : places.size();
      for (std::size_t i = at > 0 ? points[at - 1].begins : 0; i < end; ++i) {
        const NightMeasurement* const measured = measurement_named(nights[places[i]], each.measurement);
        ++change.nights;
        change.invalid_nights += measured && is_invalid(*measured, each.figure) ? 1 : 0;
      }
      all.push_back(std::move(change));
    }
  }
  std::ranges::stable_sort(all, {}, &NightChange::night);
  return all;
}

}  // namespace edagen
