// Figures of a load point that cannot all be true.
#pragma once

#include <string>

#include "result/json_fields.hpp"

namespace edagen {

/// Says what contradicts itself in a load point; empty: nothing. `result`: what it is of; empty: not known, as of the
/// line of a journal.
std::string contradiction_in_point(const Document& point, const Document& result);

}  // namespace edagen
