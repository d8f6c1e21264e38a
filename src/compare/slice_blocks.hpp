// What slices show of two variants: one figure for each block, in which both were measured twice.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "compare/comparison.hpp"
#include "edagen/comparison_result.hpp"

namespace edagen {

/// Slices of each variant in a block.
inline constexpr std::size_t slices_per_block = 2;

/// A slice in which the storage, and not this host or a failure, made the latency. A pause of the storage shows as a
/// rate that is too low, and as one that is too high after it: such slices count, since either variant may have them.
bool is_usable_slice(const RunFigures& slice);

/// The figure of slices by which variants are compared.
enum class ComparedBy { response, rate };

struct SliceBlocks {
  std::size_t blocks = 0;          ///< complete ones
  std::vector<double> log_ratios;  ///< of those in which all slices of both can be used: log of variant over baseline
};
/// Both in the order of measurement. Rates are that of the mean logarithm of a variant's slices in a block. The
/// logarithm of a mean response that scatters is too low on average, the more the shorter the slice; what both slices
/// together show of that is corrected (the jackknife: Quenouille, Biometrika 43, 1956).
SliceBlocks slice_blocks(const std::vector<RunFigures>& baseline, const std::vector<RunFigures>& variant,
                         ComparedBy by);

/// The ratio by the signed ranks of the blocks' logarithms, in the order of time. The order within a block is drawn, so
/// that the sign of what disturbs the block is random, and its size does not matter. Where neighbouring blocks go
/// together all the same, batches of them count.
Difference difference_of_blocks(const std::vector<double>& log_ratios, double confidence = 0.95, double bias = 0);

/// Whether blocks can give a verdict: most of them can be used, and most slices of both are valid.
bool are_enough_blocks(const SliceBlocks& blocks, const std::vector<RunFigures>& baseline,
                       const std::vector<RunFigures>& variant);

}  // namespace edagen
