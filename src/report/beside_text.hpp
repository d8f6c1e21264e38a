// Tables of loads that others have measured, beside a curve.
#pragma once

#include <string>
#include <vector>

#include "edagen/result.hpp"
#include "report/text_table.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// Each load of the table with the latency of the curve at the same rate. `name` is escaped.
TextTable beside_table(const LoadTable& table, const Result& result);

/// These tables under their names, for a terminal; empty without a table, and for a result that is no curve.
std::string beside_text(const std::vector<LoadTable>& tables, const Result& result);

}  // namespace edagen
