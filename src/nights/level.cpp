#include "nights/level.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "nights/change_points.hpp"
#include "stats/distribution.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double level_p = 0.001;          // of a change point
constexpr std::size_t lasting_nights = 7;  // after which a gain is the level
constexpr double reference_factor = 1.5;   // the reference moved when it changed by this many times the volume's change
constexpr double reference_p = 0.01;       // of the reference's own change

struct Segment {
  std::size_t begin, end;
};

template <class Value>
double mean_over(std::span<const FigureNight> nights, const Segment& segment, Value value) {
  double sum = 0;
  for (std::size_t i = segment.begin; i < segment.end; ++i) sum += value(nights[i]);
  return sum / static_cast<double>(segment.end - segment.begin);
}

/// Whether the reference's own values differ (Student's t).
bool reference_differs(std::span<const FigureNight> nights, const Segment& one, const Segment& other) {
  const auto values_of = [&](const Segment& segment) {
    std::vector<double> values;
    for (std::size_t i = segment.begin; i < segment.end; ++i)
      if (nights[i].reference) values.push_back(nights[i].reference->value);
    return values;
  };
  const std::vector<double> before = values_of(one), after = values_of(other);
  if (before.size() < 2 || after.size() < 2) return false;
  const auto n = static_cast<double>(before.size()), m = static_cast<double>(after.size());
  const double variance = ((n - 1) * variance_of(before) + (m - 1) * variance_of(after)) / (n + m - 2);
  const double error = std::sqrt(std::max(variance, 1e-12) * (1 / n + 1 / m));
  return 2 * student_upper_p(std::abs(mean_of(after) - mean_of(before)) / error, n + m - 2) <= reference_p;
}

/// By how much the reference moved, as a logarithm; 0: the volume or neither moved.
double reference_move(std::span<const FigureNight> nights, const Segment& before, const Segment& after) {
  const auto change = [&](auto value) { return mean_over(nights, after, value) - mean_over(nights, before, value); };
  const double own = change([](const FigureNight& night) { return night.own.value; });
  const double reference =
      change([](const FigureNight& night) { return night.reference ? night.reference->value : 0; });
  const bool moved = std::abs(reference) > reference_factor * std::abs(own) && reference_differs(nights, before, after);
  return moved ? reference : 0;
}

}  // namespace

Level level_of(std::span<const FigureNight> nights, double tolerated, bool higher_is_better, double resolution) {
  std::vector<double> values;
  for (const FigureNight& night : nights) values.push_back(night.compared.value);
  const std::vector<ChangePoint> changes = change_points_of(values, level_p, resolution);
  Level level;
  const auto add = [&](const Segment& segment, bool with_regressions) {
    for (std::size_t i = segment.begin; i < segment.end; ++i)
      if (with_regressions || !nights[i].was_regression) level.nights.push_back(i);
  };
  const auto begin_level = [&](const Segment& segment, double reference_moved = 0) {
    level = {{}, segment.begin, reference_moved};
    add(segment, reference_moved != 0);  // regressions against the former level are none against this one
  };
  /// Whether the history began with a few better nights, and the nights after them were not reported as a loss.
  const auto follows_short_begin = [&](const Segment& segment) {
    const auto of_segment = nights.subspan(segment.begin, segment.end - segment.begin);
    return level.begins == 0 && segment.begin < lasting_nights &&
           std::ranges::count(of_segment, false, &FigureNight::was_regression) >=
               static_cast<std::ptrdiff_t>(lasting_nights);
  };
  Segment before{0, changes.empty() ? nights.size() : changes[0].begins};
  begin_level(before);
  double value = changes.empty() ? 0 : changes[0].before;
  std::optional<std::size_t> gain_begins;  // of a gain that has not lasted yet
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Segment segment{changes[i].begins, i + 1 < changes.size() ? changes[i + 1].begins : nights.size()};
    const double reference_moved = reference_move(nights, before, segment);
    const double better = (changes[i].after - value) * (higher_is_better ? 1 : -1);
    const std::size_t gain = std::exchange(gain_begins, std::nullopt).value_or(segment.begin);
    const bool gain_lasts = better > tolerated && segment.end - gain >= lasting_nights;
    before = segment;
    if (reference_moved != 0) begin_level(segment, reference_moved);
    else if (gain_lasts) begin_level({gain, segment.end});
    else if (better < -tolerated && follows_short_begin(segment)) begin_level(segment);
    else {
      if (better > tolerated) gain_begins = gain;
      else if (better >= -tolerated) add(segment, false);
      continue;
    }
    value = changes[i].after;
  }
  return level;
}

}  // namespace edagen
