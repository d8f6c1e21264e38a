// What a person reads of one load.
#pragma once

#include <string>

#include "edagen/result.hpp"

namespace edagen {

std::string run_text(const Result& result);

}  // namespace edagen
