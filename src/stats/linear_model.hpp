// Ordinary least squares with several unknowns.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace edagen {

/// y = rows * coefficients + errors of equal variance.
struct LinearModel {
  std::vector<double> coefficients;
  /// By row: times the variance of an error, the covariance of the coefficients.
  std::vector<std::vector<double>> covariance;
  double residual_variance = 0;  ///< 0 without degrees of freedom
  int degrees_of_freedom = 0;    ///< rows less coefficients
};

/// The inverse of a symmetric positive matrix; nullopt: it is singular, to 12 digits.
std::optional<std::vector<std::vector<double>>> inverse_of(std::vector<std::vector<double>> matrix);

/// nullopt: the rows do not determine all coefficients. Each row has as many members as there are coefficients.
std::optional<LinearModel> fit_linear_model(const std::vector<std::vector<double>>& rows, std::span<const double> y);

}  // namespace edagen
