#include "nights/night_changes.hpp"

#include <algorithm>
#include <cmath>

#include "nights/change_points.hpp"
#include "nights/comparable.hpp"
#include "nights/figure_comparison.hpp"
#include "nights/history.hpp"

namespace edagen {

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
