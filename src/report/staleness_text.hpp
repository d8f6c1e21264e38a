// How long a mount showed what another one had changed already.
#pragma once

#include <string>

#include "edagen/comparison_result.hpp"
#include "report/text_table.hpp"

namespace edagen {

TextTable staleness_table(const StalenessFigures& staleness);
/// The table for a terminal, and what its words mean.
std::string staleness_text(const StalenessFigures& staleness);

}  // namespace edagen
