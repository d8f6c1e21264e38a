// What a person reads of a series of loads: repeats of one, or a sweep.
#pragma once

#include <string>

#include "edagen/result.hpp"
#include "report/text_table.hpp"

namespace edagen {

/// `each_repeat`: with a row for each load point, which is shown anyway when one of them is invalid.
std::string series_text(const Result& result, bool each_repeat);

/// Whether all load points at this value of a sweep are valid.
bool is_valid_at(const Result& result, double value);

/// A row for each value of a sweep, or for the repeats of one load. The interval, the median and the deviation are of
/// the figure on their left: the rate of a closed loop, the response of an open loop.
TextTable series_table(const Result& result);

}  // namespace edagen
