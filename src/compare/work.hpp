// What an op takes in each variant of a comparison, and where variants differ.
#pragma once

#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

/// `point` has figures of its ops.
WorkFigures work_of(const PointFigures& point);
/// Means over those of the runs that have it; nullopt: none has.
std::optional<WorkFigures> mean_work(const std::vector<const RunFigures*>& runs);
/// Time per op is number times time of one: a difference of both is shared out between them, half and half.
WorkDifference work_difference(const WorkFigures& baseline, const WorkFigures& variant);

}  // namespace edagen
