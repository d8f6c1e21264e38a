// What the blocks of a search, or load points that were asked for, say of a target.
#pragma once

#include "search/search_block.hpp"

namespace edagen {

/// What load points that were asked for, and not searched, say of a target: the crossing lies between two of them.
AtTarget between_points(const std::vector<SearchBlock>& blocks, std::size_t target, const CurvePlan& plan);

}  // namespace edagen
