#include "nights/change_points.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "stats/distribution.hpp"

namespace edagen {
namespace {

/// Sums of the values before each place, so that the statistics of a part cost nothing.
class Parts {
 public:
  explicit Parts(std::span<const double> values) : sums_(values.size() + 1), squares_(values.size() + 1) {
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
  /// p of Student's t between the parts on both sides of `at`, for one place.
  double p(std::size_t from, std::size_t at, std::size_t to) const {
    const auto left = static_cast<double>(at - from), right = static_cast<double>(to - at);
    const double variance = (spread(from, at) + spread(at, to)) / (left + right - 2);
    const double difference = mean(at, to) - mean(from, at);
    if (difference == 0) return 1;
    const double floor = 1e-12;  // of equal values: no figure has more than 6 digits that mean something
    const double t = difference / std::sqrt(std::max(variance, floor) * (1 / left + 1 / right));
    return student_two_sided_p(t, static_cast<int>(left + right) - 2);
  }

 private:
  /// Squares around the mean.
  double spread(std::size_t from, std::size_t to) const {
    const double sum = sums_[to] - sums_[from];
    return std::max(0.0, squares_[to] - squares_[from] - sum * sum / static_cast<double>(to - from));
  }
  double middle_ = 0;
  std::vector<double> sums_, squares_;
};

struct Search {
  const Parts& parts;
  double error;
  std::size_t least;

  double adjusted(double p, std::size_t from, std::size_t to) const {
    return std::min(1.0, p * static_cast<double>(to - from + 1 - 2 * least));
  }
  void split(std::size_t from, std::size_t to, std::vector<std::size_t>& found) const {
    if (to - from < 2 * least) return;
    std::size_t best = 0;
    double best_p = 2;
    for (std::size_t at = from + least; at + least <= to; ++at)
      if (const double p = parts.p(from, at, to); p < best_p) best_p = p, best = at;
    if (adjusted(best_p, from, to) > error) return;
    split(from, best, found);
    found.push_back(best);
    split(best, to, found);
  }
};

}  // namespace

std::vector<ChangePoint> change_points_of(std::span<const double> values, double error, std::size_t least) {
  const Parts parts(values);
  const Search search{parts, error, least};
  std::vector<std::size_t> places;
  search.split(0, values.size(), places);
  while (true) {
    std::vector<ChangePoint> changes;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::size_t from = i == 0 ? 0 : places[i - 1], to = i + 1 < places.size() ? places[i + 1] : values.size();
      changes.push_back({places[i], parts.mean(from, places[i]), parts.mean(places[i], to),
                         search.adjusted(parts.p(from, places[i], to), from, to)});
    }
    const auto weakest = std::ranges::max_element(changes, {}, &ChangePoint::p);
    if (weakest == changes.end() || weakest->p <= error) return changes;
    places.erase(places.begin() + (weakest - changes.begin()));
  }
}

}  // namespace edagen
