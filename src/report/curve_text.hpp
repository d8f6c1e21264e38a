// What a person reads of a curve.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

/// `search_blocks`: with the load points of a search, too, that show no answer by themselves.
std::string curve_text(const Result& result, bool search_blocks);

}  // namespace edagen
