// What a person reads of one load, or of a series of loads.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

std::string run_text(const Result& result);
std::string series_text(const Result& result);

}  // namespace edagen
