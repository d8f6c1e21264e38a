// Tables of loads that others have measured, beside a curve.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edagen/result.hpp"
#include "report/text_table.hpp"
#include "result/load_table.hpp"

namespace edagen {

/// The means of a curve's line, which tables of others have, whatever statistic its answers are of. Fewer than 2
/// points: the result is no curve.
std::vector<RateLatency> mean_line(const Result& result);
/// What they are of: "mean response", or "mean service" where the answers are of service times.
std::string_view mean_line_name(const Result& result);
/// Whether the plot of a curve is of means, too, so that a table of them can be drawn in it.
bool plots_means(const Result& result);

/// Each load of the table with the mean of the curve at the same rate. `name` is escaped.
TextTable beside_table(const LoadTable& table, const Result& result);

/// These tables under their names, for a terminal; empty without a table, and for a result that is no curve.
std::string beside_text(const std::vector<LoadTable>& tables, const Result& result);

}  // namespace edagen
