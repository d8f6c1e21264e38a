// What a person reads of one load, or of a series of loads.
#pragma once

#include <string>

#include "edagen/result.hpp"
#include "report/text_table.hpp"

namespace edagen {

std::string run_text(const Result& result);
std::string series_text(const Result& result);
/// A row for each value of a sweep, or for the repeats of one load.
TextTable series_table(const Series& series);

}  // namespace edagen
