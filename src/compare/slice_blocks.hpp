// What slices show of two variants: one figure for each block, in which both were measured twice.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "compare/comparison.hpp"
#include "edagen/comparison_result.hpp"
#include "result/block_figure.hpp"

namespace edagen {

/// Slices of each variant in a block.
inline constexpr std::size_t slices_per_block = 2;

/// A slice in which the storage, and not this host or a failure, made the latency. A pause of the storage shows as a
/// rate that is too low, and as one that is too high after it: such slices count, since either variant may have them.
bool is_usable_slice(const RunFigures& slice);

struct SliceBlocks {
  std::size_t blocks = 0;          ///< complete ones
  std::vector<double> log_ratios;  ///< of those in which all slices of both can be used: log of variant over baseline
};
/// By log_figure_of_block(). Both in the order of measurement.
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
