// The report as one HTML file that needs nothing else: the documents, the page (src/report/report.html) and Chart.js.
#pragma once

#include <string>
#include <vector>

#include "edagen/comparison_result.hpp"

namespace edagen {

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons = {});

}  // namespace edagen
