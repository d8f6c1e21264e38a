// The report as one HTML file that needs nothing else: what the page shows (page_blocks.hpp), Chart.js, what all pages
// share (src/report/page.html), and the script that draws it.
#pragma once

#include <string>
#include <vector>

#include "edagen/comparison_result.hpp"
#include "result/load_table.hpp"
#include "result/result_json.hpp"

namespace edagen {

/// `beside`: what others have measured, drawn with the curves.
std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons = {},
                      const std::vector<LoadTable>& beside = {});

/// The page that shows these blocks (page_blocks.hpp), whose text is escaped (result/escaped_text.hpp). `title`: of
/// whatever origin.
std::string html_page(const Document& blocks, const std::string& title);

}  // namespace edagen
