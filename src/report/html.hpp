// The report as one HTML file that needs nothing else: the documents, the page (src/report/report.html) and Chart.js.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "result/result_json.hpp"

namespace edagen {

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons = {});

/// One of the embedded pages with Chart.js and its data; `data` holds text that is inert.
std::string html_page(std::string_view template_path, const Document& data);

}  // namespace edagen
