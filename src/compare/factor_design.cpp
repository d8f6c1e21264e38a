#include "compare/factor_design.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "stats/linear_model.hpp"

namespace edagen {
namespace {

/// The factors after the fourth: each is in force when an odd number of these of the first four is not.
constexpr FactorLevels a = 1, b = 2, c = 4, d = 8;
constexpr std::array<FactorLevels, 4> generators_of_more{a | b | c, b | c | d, a | c | d, a | b | d};
constexpr FactorLevels generator_of_five = a | b | c | d;

double contrast(FactorLevels levels, std::size_t factor) { return is_in_force(levels, factor) ? 0.5 : -0.5; }

std::vector<double> column_of(const std::vector<std::size_t>& term, const std::vector<FactorLevels>& combinations) {
  std::vector<double> column;
  for (const FactorLevels levels : combinations) {
    double value = 1;
    for (const std::size_t factor : term) value *= contrast(levels, factor);
    column.push_back(value);
  }
  return column;
}

/// Columns that are independent of each other.
class Columns {
 public:
  /// False: the column is a sum of multiples of those that are there.
  bool add(const std::vector<double>& column) {
    std::vector<double> rest = column;
    for (const std::vector<double>& other : orthogonal_) {
      const double part = product(rest, other) / product(other, other);
      for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= part * other[i];
    }
    if (product(rest, rest) <= 1e-9 * product(column, column)) return false;
    orthogonal_.push_back(std::move(rest));
    columns_.push_back(column);
    return true;
  }
  /// The weights by combination that give each column's coefficient in a fit by least squares.
  std::vector<std::vector<double>> weights() const {
    std::vector<std::vector<double>> products;
    for (const auto& one : columns_) {
      products.emplace_back();
      for (const auto& other : columns_) products.back().push_back(product(one, other));
    }
    const auto inverse = inverse_of(products);
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      all.emplace_back(columns_.front().size());
      for (std::size_t j = 0; j < columns_.size(); ++j)
        for (std::size_t k = 0; k < all.back().size(); ++k) all.back()[k] += (*inverse)[i][j] * columns_[j][k];
    }
    return all;
  }

 private:
  static double product(const std::vector<double>& one, const std::vector<double>& other) {
    return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
  }
  std::vector<std::vector<double>> columns_, orthogonal_;
};

}  // namespace

std::vector<FactorLevels> factor_combinations(std::size_t factors) {
  std::vector<FactorLevels> all;
  const std::size_t crossed = std::min(factors, most_crossed_factors);
  for (FactorLevels levels = 0; levels < FactorLevels{1} << crossed; ++levels) {
    FactorLevels with_more = levels;
    for (std::size_t i = crossed; i < factors; ++i) {
      const FactorLevels generator = factors == 5 ? generator_of_five : generators_of_more[i - crossed];
      if (std::popcount(levels & generator) % 2 == 1) with_more |= FactorLevels{1} << i;
    }
    all.push_back(with_more);
  }
  return all;
}

FactorTerms factor_terms(std::size_t factors, const std::vector<FactorLevels>& combinations) {
  FactorTerms terms;
  if (combinations.empty()) return terms;
  Columns columns;
  columns.add(std::vector<double>(combinations.size(), 1));
  const auto add = [&](const std::vector<std::size_t>& term) {
    const std::vector<double> column = column_of(term, combinations);
    if (columns.add(column)) {
      terms.known.push_back({term});
      return;
    }
    for (FactorTerm& other : terms.known) {
      const std::vector<double> other_column = column_of(other.factors, combinations);
      if (other.factors.size() == 2 && term.size() == 2 && other_column == column) return other.aliases.push_back(term);
    }
    terms.unknown.push_back(term);
  };
  for (std::size_t i = 0; i < factors; ++i) add({i});
  for (std::size_t i = 0; i < factors; ++i)
    for (std::size_t j = i + 1; j < factors; ++j) add({i, j});
  const std::vector<std::vector<double>> weights = columns.weights();
  for (std::size_t i = 0; i < terms.known.size(); ++i) terms.known[i].weights = weights[i + 1];
  return terms;
}

}  // namespace edagen
