// Which combinations of factors are measured, and what follows from those that are.
#pragma once

#include <cstdint>
#include <vector>

namespace edagen {

/// Bit i: whether factor i is in force.
using FactorLevels = std::uint32_t;

inline constexpr std::size_t most_factors = 8;
/// Up to this number of factors all combinations are measured.
inline constexpr std::size_t most_crossed_factors = 4;

inline bool is_in_force(FactorLevels levels, std::size_t factor) { return (levels >> factor & 1U) != 0; }

/// The combinations that are measured, the one without any factor first: all of up to 4 factors; of 5 to 8 factors 16,
/// in which the effect of each factor is clear of the interactions of any two (resolution IV or better; Box, Hunter,
/// Hunter, Statistics for Experimenters, chapter 6).
std::vector<FactorLevels> factor_combinations(std::size_t factors);

/// An effect on the logarithm of a figure: of a factor (on against off, the others averaged), or the interaction of two
/// (by how much the effect of the one differs with the other from that without it).
struct FactorTerm {
  std::vector<std::size_t> factors;  ///< one or two
  /// Interactions that the combinations do not tell from this one, which is the sum of all of them.
  std::vector<std::vector<std::size_t>> aliases = {};
  /// By combination: the effect is the sum of these times the logarithms of the figures.
  std::vector<double> weights = {};
};

struct FactorTerms {
  std::vector<FactorTerm> known;
  std::vector<std::vector<std::size_t>> unknown;  ///< factors and pairs of which the combinations say nothing
};

/// What can be estimated from these combinations. Interactions of three or more factors are taken as none, as those of
/// two that are unknown.
FactorTerms factor_terms(std::size_t factors, const std::vector<FactorLevels>& combinations);

}  // namespace edagen
