#include "nights/references.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "nights/history.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

using Samples = std::vector<std::optional<LogSample>>;  // by night

constexpr std::size_t min_common_nights = 3;
constexpr double deviation_p = 0.001;

/// The references that count, with their samples of each night.
struct Panel {
  std::vector<std::size_t> numbers;
  std::vector<Samples> samples;     ///< by reference
  std::vector<double> shifts;       ///< by reference: its usual distance from the mean of all
  std::vector<std::size_t> common;  ///< nights that have all of them

  std::vector<double> shifted(std::size_t night, std::size_t left_out) const {
    std::vector<double> values;
    for (std::size_t k = 0; k < numbers.size(); ++k)
      if (k != left_out && samples[k][night]) values.push_back(samples[k][night]->value - shifts[k]);
    return values;
  }
};

std::size_t nights_with(const Samples& samples) {
  return static_cast<std::size_t>(std::ranges::count(samples, true, &std::optional<LogSample>::has_value));
}

/// The references of the last night that has any, without those that are new beside older ones, and only one of them
/// while too few nights have all.
Panel counting_references(std::span<const NightMeasurement* const> nights, const std::string& figure) {
  Panel panel;
  for (std::size_t night = nights.size(); night-- > 0 && panel.numbers.empty();)
    for (const std::size_t number : reference_numbers(*nights[night]))
      if (sample_of(*nights[night], figure, number)) panel.numbers.push_back(number);
  std::map<std::size_t, Samples> all;  // by reference
  std::size_t most = 0;
  for (const std::size_t number : panel.numbers) {
    for (const NightMeasurement* const night : nights) all[number].push_back(sample_of(*night, figure, number));
    most = std::max(most, nights_with(all[number]));
  }
  std::erase_if(panel.numbers, [&](std::size_t number) {
    return most > min_common_nights && nights_with(all[number]) <= min_common_nights;
  });
  for (const std::size_t number : panel.numbers) panel.samples.push_back(all[number]);
  const auto is_common = [&](std::size_t night) {
    return std::ranges::all_of(panel.samples, [&](const Samples& samples) { return samples[night].has_value(); });
  };
  for (std::size_t night = 0; night < nights.size(); ++night)
    if (is_common(night)) panel.common.push_back(night);
  if (panel.numbers.size() < 2 || panel.common.size() > min_common_nights) return panel;
  const auto longest = std::ranges::max_element(panel.samples, {}, nights_with);
  panel.numbers = {panel.numbers[static_cast<std::size_t>(longest - panel.samples.begin())]};
  panel.samples = {*longest};
  return panel;
}

void pool(Samples& samples) {
  std::vector<LogSample> before;
  LogSample last = samples.back().value_or(LogSample());
  for (std::size_t night = 0; night + 1 < samples.size(); ++night)
    if (samples[night]) before.push_back(*samples[night]);
  pool_errors(before, last);
  auto pooled = before.begin();
  for (std::size_t night = 0; night + 1 < samples.size(); ++night)
    if (samples[night]) samples[night] = *pooled++;
  if (samples.back()) samples.back() = last;
}

Panel panel_of(std::span<const NightMeasurement* const> nights, const std::string& figure) {
  Panel panel = counting_references(nights, figure);
  std::ranges::for_each(panel.samples, pool);
  panel.shifts.resize(panel.numbers.size());
  if (panel.numbers.size() < 2) return panel;
  std::vector<std::vector<double>> distances(panel.numbers.size());
  for (const std::size_t night : panel.common) {
    const double mean = mean_of(panel.shifted(night, panel.numbers.size()));
    for (std::size_t k = 0; k < panel.numbers.size(); ++k)
      distances[k].push_back(panel.samples[k][night]->value - mean);
  }
  std::ranges::transform(distances, panel.shifts.begin(), [](const auto& each) { return median_of(each); });
  return panel;
}

/// The median of several, with the variance that it has of normal values: that of their mean times pi / 2.
std::optional<LogSample> median_sample(const Panel& panel, std::size_t night) {
  std::vector<LogSample> measured;
  for (const Samples& samples : panel.samples)
    if (samples[night]) measured.push_back(*samples[night]);
  if (measured.empty()) return std::nullopt;
  const auto n = static_cast<double>(measured.size());
  const double factor = measured.size() > 2 ? std::numbers::pi / 2 : 1;
  LogSample made = measured.front();
  made.value = median_of(panel.shifted(night, panel.numbers.size()));
  if (measured.size() == 1) return made;
  double variance = 0, unsure = 0;
  for (const LogSample& sample : measured) {
    const double own = sample.error * sample.error * factor / (n * n);
    variance += own;
    if (sample.degrees_of_freedom > 0) unsure += own * own / sample.degrees_of_freedom;
    made.runs = std::min(made.runs, sample.runs);
  }
  made.error = std::sqrt(variance);
  made.degrees_of_freedom = unsure > 0 ? variance * variance / unsure : 0;
  return made;
}

}  // namespace

ReferenceSeries reference_series(std::span<const NightMeasurement* const> nights, const std::string& figure) {
  const Panel panel = panel_of(nights, figure);
  ReferenceSeries made{{}, panel.numbers.size()};
  for (std::size_t night = 0; night < nights.size(); ++night) made.samples.push_back(median_sample(panel, night));
  return made;
}

std::optional<DeviatingReference> deviating_reference(std::span<const NightMeasurement* const> nights,
                                                      const std::string& figure, double resolution) {
  const Panel panel = panel_of(nights, figure);
  if (panel.numbers.size() < 3 || panel.common.back() + 1 != nights.size()) return std::nullopt;
  DeviatingReference most;
  for (std::size_t k = 0; k < panel.numbers.size(); ++k) {
    std::vector<LogSample> distances;
    for (const std::size_t night : panel.common)
      distances.push_back({.value = panel.samples[k][night]->value - median_of(panel.shifted(night, k))});
    const LogSample tonight = distances.back();
    distances.pop_back();
    const LogChange change = change_from(baseline_of(distances, resolution), tonight);
    const double p = 2 * std::min(change.p_above(), change.p_below()) * static_cast<double>(panel.numbers.size());
    if (p < most.p) most = {panel.numbers[k], change.change, p};
  }
  return most.p <= deviation_p ? std::optional(most) : std::nullopt;
}

std::set<std::size_t> reference_numbers(const NightMeasurement& measurement) {
  std::set<std::size_t> numbers;
  for (const NightRun& run : measurement.runs)
    if (run.reference) numbers.insert(run.reference_number);
  return numbers;
}

const Comparable& comparable_of_reference(const NightMeasurement& measurement, std::size_t number) {
  static const Comparable none;
  if (number == 1) return measurement.reference_comparable;
  return number > 1 && number - 2 < measurement.further_references.size() ? measurement.further_references[number - 2]
                                                                          : none;
}

std::string volume_role(std::size_t number) { return number > 1 ? fmt::format("reference {}", number) : "reference"; }

std::string reference_name(const NightMeasurement& measurement, std::size_t number) {
  std::vector<std::string> volumes;
  const Comparable& parts = comparable_of_reference(measurement, number);
  for (const auto& [part, text] : parts)
    if (part.starts_with("mount ")) volumes.push_back(part.substr(6));
  if (const auto volume = parts.find("volume"); volumes.empty() && volume != parts.end())
    volumes.push_back(volume->second);
  const std::string text = fmt::format("{}", fmt::join(volumes, ", "));
  return fmt::format("reference {}{}", number, text.empty() ? "" : " (" + text + ")");
}

}  // namespace edagen
