// The report as one HTML file that needs nothing else: the documents, Chart.js, what all pages share
// (src/report/page.html), and the script of the page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "result/result_json.hpp"

namespace edagen {

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons = {});

/// The page that an embedded script makes of `data`, whose text is escaped (result/escaped_text.hpp). `title`: of
/// whatever origin.
std::string html_page(std::string_view script, const Document& data, const std::string& title);

}  // namespace edagen
