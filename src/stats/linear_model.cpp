#include "stats/linear_model.hpp"

#include <cmath>
#include <utility>

namespace edagen {

std::optional<std::vector<std::vector<double>>> inverse_of(std::vector<std::vector<double>> matrix) {
  constexpr double smallest_pivot = 1e-12;  // relative to the diagonal
  const std::size_t size = matrix.size();
  std::vector<std::vector<double>> inverse(size, std::vector<double>(size));
  double largest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    inverse[i][i] = 1;
    largest = std::max(largest, std::abs(matrix[i][i]));
  }
  for (std::size_t column = 0; column < size; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column; row < size; ++row)
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    if (std::abs(matrix[pivot][column]) <= smallest_pivot * largest) return std::nullopt;
    std::swap(matrix[pivot], matrix[column]);
    std::swap(inverse[pivot], inverse[column]);
    const double scale = 1 / matrix[column][column];
    for (std::size_t k = 0; k < size; ++k) matrix[column][k] *= scale, inverse[column][k] *= scale;
    for (std::size_t row = 0; row < size; ++row) {
      const double factor = row == column ? 0 : matrix[row][column];
      if (factor == 0) continue;
      for (std::size_t k = 0; k < size; ++k) {
        matrix[row][k] -= factor * matrix[column][k];
        inverse[row][k] -= factor * inverse[column][k];
      }
    }
  }
  return inverse;
}

std::optional<LinearModel> fit_linear_model(const std::vector<std::vector<double>>& rows, std::span<const double> y) {
  if (rows.empty()) return std::nullopt;
  const std::size_t size = rows.front().size();
  std::vector<std::vector<double>> normal(size, std::vector<double>(size));
  std::vector<double> right(size);
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t i = 0; i < size; ++i) {
      if (rows[row][i] == 0) continue;
      right[i] += rows[row][i] * y[row];
      for (std::size_t j = 0; j < size; ++j) normal[i][j] += rows[row][i] * rows[row][j];
    }
  auto inverse = inverse_of(std::move(normal));
  if (!inverse) return std::nullopt;
  LinearModel model;
  model.covariance = *std::move(inverse);
  model.coefficients.resize(size);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) model.coefficients[i] += model.covariance[i][j] * right[j];
  double squares = 0;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    double residual = y[row];
    for (std::size_t i = 0; i < size; ++i) residual -= rows[row][i] * model.coefficients[i];
    squares += residual * residual;
  }
  model.degrees_of_freedom = static_cast<int>(rows.size()) - static_cast<int>(size);
  if (model.degrees_of_freedom > 0) model.residual_variance = squares / model.degrees_of_freedom;
  return model;
}

}  // namespace edagen
