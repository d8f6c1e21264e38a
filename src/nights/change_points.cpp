#include "nights/change_points.hpp"

#include <algorithm>
#include <cmath>

#include "stats/distribution.hpp"

namespace edagen {
namespace {

/// Sums of the values before each place, from which the statistics of any part follow.
class Parts {
 public:
  Parts(std::span<const double> values, double resolution)
      : min_variance_(std::max(1e-12, resolution * resolution)),  // no figure has more than 6 significant digits
        sums_(values.size() + 1),
        squares_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i) middle_ += values[i] / static_cast<double>(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double value = values[i] - middle_;  // smaller numbers lose less
      sums_[i + 1] = sums_[i] + value;
      squares_[i + 1] = squares_[i] + value * value;
    }
  }
  double mean(std::size_t from, std::size_t to) const {
    return middle_ + (sums_[to] - sums_[from]) / static_cast<double>(to - from);
  }
  /// Absolute value of Student's t between the parts on both sides of `at`. All places in a part have the same degrees
  /// of freedom, so the largest t has the least p, also where several p are 0.
  double t(std::size_t from, std::size_t at, std::size_t to) const {
    const auto left = static_cast<double>(at - from), right = static_cast<double>(to - at);
    const double variance = (spread(from, at) + spread(at, to)) / (left + right - 2);
    const double difference = mean(at, to) - mean(from, at);
    if (difference == 0) return 0;
    return std::abs(difference) / std::sqrt(std::max(variance, min_variance_) * (1 / left + 1 / right));
  }

 private:
  /// Sum of the squares around the mean.
  double spread(std::size_t from, std::size_t to) const {
    const double sum = sums_[to] - sums_[from];
    return std::max(0.0, squares_[to] - squares_[from] - sum * sum / static_cast<double>(to - from));
  }
  const double min_variance_;
  double middle_ = 0;
  std::vector<double> sums_, squares_;
};

struct Search {
  const Parts& parts;
  double max_p;
  std::size_t min_values;

  /// p of a change at `at`, adjusted for the number of places.
  double p(std::size_t from, std::size_t at, std::size_t to) const {
    const double one = student_two_sided_p(parts.t(from, at, to), static_cast<int>(to - from) - 2);
    return std::min(1.0, one * static_cast<double>(to - from + 1 - 2 * min_values));
  }
  void split(std::size_t from, std::size_t to, std::vector<std::size_t>& found) const {
    if (to - from < 2 * min_values) return;
    std::size_t best = 0;
    double largest = -1;
    for (std::size_t at = from + min_values; at + min_values <= to; ++at)
      if (const double t = parts.t(from, at, to); t > largest) largest = t, best = at;
    if (p(from, best, to) > max_p) return;
    split(from, best, found);
    found.push_back(best);
    split(best, to, found);
  }
};

}  // namespace

std::vector<ChangePoint> change_points_of(std::span<const double> values, double max_p, double resolution,
                                          std::size_t min_values) {
  const Parts parts(values, resolution);
  const Search search{parts, max_p, min_values};
  std::vector<std::size_t> places;
  search.split(0, values.size(), places);
  while (true) {
    std::vector<ChangePoint> changes;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t from = i == 0 ? 0 : places[i - 1], to = i + 1 < places.size() ? places[i + 1] : values.size();
      changes.push_back(
          {places[i], parts.mean(from, places[i]), parts.mean(places[i], to), search.p(from, places[i], to)});
    }
    const auto weakest = std::ranges::max_element(changes, {}, &ChangePoint::p);
    if (weakest == changes.end() || weakest->p <= max_p) return changes;
    places.erase(places.begin() + (weakest - changes.begin()));
  }
}

}  // namespace edagen
