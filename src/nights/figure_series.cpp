#include "nights/figure_series.hpp"

#include <algorithm>
#include <map>

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

}  // namespace edagen
