// What the blocks of a curve show of a target.
#pragma once

#include "search/target_blocks.hpp"

namespace edagen {

/// The crossing of the fit, or else the rates of the blocks on both sides of the target. `cut_off`: the load ended
/// before the search did.
AtTarget answer_of_search(const TargetBlocks& data, bool cut_off);

/// No load meets the target.
AtTarget answer_not_met(const TargetBlocks& data);

/// The crossing between two load points that were asked for, and not searched.
AtTarget answer_between_points(const TargetBlocks& data);

/// A load point of full length met the target near enough to the answer.
bool is_demonstrated(const AtTarget& answer, const TargetBlocks& data);

}  // namespace edagen
