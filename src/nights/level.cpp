#include "nights/level.hpp"

#include <algorithm>
#include <cmath>

#include "nights/change_points.hpp"
#include "stats/distribution.hpp"
#include "stats/summary.hpp"

namespace edagen {
namespace {

constexpr double level_error = 0.001;  // of a change point
constexpr std::size_t lasting = 7;     // nights
constexpr double clearly = 1.5;        // so much more has the reference changed than the volume
constexpr double moved_error = 0.01;   // of the reference's own change

struct Segment {
  std::size_t begin, end;
};

template <class Value>
double mean_over(std::span<const FigureNight> nights, const Segment& segment, Value value) {
  double sum = 0;
  for (std::size_t i = segment.begin; i < segment.end; ++i) sum += value(nights[i]);
  return sum / static_cast<double>(segment.end - segment.begin);
}

/// Whether the reference's own values differ by more than chance, by Student's t.
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
  return 2 * student_upper_p(std::abs(mean_of(after) - mean_of(before)) / error, n + m - 2) <= moved_error;
}

class Levels {
 public:
  explicit Levels(std::span<const FigureNight> nights) : nights_(nights) {}

  void add(const Segment& segment) { add(segment, level_.nights, false); }
  /// `all`: what was told to be a regression then, against another level, is none of this one.
  void begin(const Segment& segment, double reference_moved, bool all) {
    level_ = {{}, segment.begin, reference_moved};
    add(segment, level_.nights, all);
    gained_.clear();
  }
  void gain(const Segment& segment) {
    if (gained_.empty()) gain_begins_ = segment.begin;
    add(segment, gained_, false);
    gain_lasts_ = segment.end - gain_begins_ >= lasting;
    if (gain_lasts_) level_ = {std::move(gained_), gain_begins_, 0}, gained_.clear();
  }
  void gain_is_over() { gained_.clear(); }
  bool gain_lasts() const { return gain_lasts_; }
  /// The history began with a few better nights, and what came after them was not told to be a loss.
  bool is_short_begin(const Segment& segment) const {
    if (level_.begins != 0 || segment.begin >= lasting) return false;
    const auto its = nights_.subspan(segment.begin, segment.end - segment.begin);
    return std::ranges::count(its, false, &FigureNight::was_regression) >= static_cast<std::ptrdiff_t>(lasting);
  }
  Level take() { return std::move(level_); }

 private:
  void add(const Segment& segment, std::vector<std::size_t>& to, bool all) const {
    for (std::size_t i = segment.begin; i < segment.end; ++i)
      if (all || !nights_[i].was_regression) to.push_back(i);
  }

  std::span<const FigureNight> nights_;
  bool gain_lasts_ = false;
  Level level_;
  std::vector<std::size_t> gained_;
  std::size_t gain_begins_ = 0;
};

}  // namespace

Level level_of(std::span<const FigureNight> nights, double tolerated, bool higher_is_better) {
  std::vector<double> values;
  for (const FigureNight& night : nights) values.push_back(night.compared.value);
  const std::vector<ChangePoint> changes = change_points_of(values, level_error);
  Levels levels(nights);
  Segment before{0, changes.empty() ? nights.size() : changes[0].begins};
  levels.begin(before, 0, false);
  double level = changes.empty() ? 0 : changes[0].before;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Segment segment{changes[i].begins, i + 1 < changes.size() ? changes[i + 1].begins : nights.size()};
    const auto moved = [&](auto value) { return mean_over(nights, segment, value) - mean_over(nights, before, value); };
    const double own = moved([](const FigureNight& night) { return night.own.value; });
    const double reference =
        moved([](const FigureNight& night) { return night.reference ? night.reference->value : 0; });
    const double better = (changes[i].after - level) * (higher_is_better ? 1 : -1);
    const bool is_of_reference =
        std::abs(reference) > clearly * std::abs(own) && reference_differs(nights, before, segment);
    before = segment;
    if (is_of_reference) {
      levels.begin(segment, reference, true);
      level = changes[i].after;
    } else if (better > tolerated) {
      levels.gain(segment);
      if (levels.gain_lasts()) level = changes[i].after;
    } else if (better < -tolerated && levels.is_short_begin(segment)) {
      levels.begin(segment, 0, false);
      level = changes[i].after;
    } else {
      levels.gain_is_over();
      if (better >= -tolerated) levels.add(segment);
    }
  }
  return levels.take();
}

}  // namespace edagen
