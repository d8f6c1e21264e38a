// The rates of the points that show the shape of a curve.
#pragma once

#include "edagen/search.hpp"

namespace edagen {

/// Ascending, in ops/s; of a load by job sets whole numbers of job sets, each once. Rates that the search could not
/// have requested are left out, and those beyond an answer that is a lower bound. Empty when no load met the target.
std::vector<double> shape_rates(const CurvePlan& plan, const AtTarget& answer);

/// The window of a point at this rate, without a rest when it is divided into its intervals: a rest would be an
/// interval of its own, of ops that end after the window. `plan` has a shape.
double shape_seconds(const CurvePlan& plan, double rate);

}  // namespace edagen
