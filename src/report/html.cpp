#include "report/html.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/embedded.hpp"
#include "edagen/error.hpp"
#include "edagen/units.hpp"
#include "report/point_text.hpp"
#include "report/result_page.hpp"
#include "result/inert.hpp"

namespace edagen {
namespace {

void replace_once(std::string& text, std::string_view mark, std::string_view with) {
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
}

/// JSON inside a script element must hold neither "</script" nor "<!--" (HTML, 4.12.1.3); it has "<" in texts alone,
/// where JSON may escape it. The page itself shows texts as texts (textContent).
std::string safe_in_script(const std::string& json) {
  std::string safe;
  for (const char c : json) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

/// Text between tags.
std::string safe_in_element(const std::string& text) {
  std::string safe;
  for (const char c : one_line(text)) safe += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

/// "edagen curve: eda_mixed, 10 clients on /mnt/a, 2026-01-31T12:00:00Z"
std::string title_of(const Result& result) {
  const bool named = result.command.size() > 1 && !result.command[1].starts_with("-");
  return fmt::format("edagen {}: {}, {}", named ? result.command[1] : "run", scenario(result), result.started_at);
}

/// "edagen compare: eda_mixed, regular (sim:regular), large (sim:large), 2026-01-31T12:00:00Z"
std::string title_of(const ComparisonResult& comparison) {
  std::vector<std::string> parts;
  for (const VariantFigures& variant : comparison.variants) {
    if (parts.empty() && variant.last_run) parts.push_back(variant.last_run->workload.name);
    parts.push_back(fmt::format("{} ({})", variant.name, variant.what));
  }
  parts.push_back(comparison.started_at);
  return fmt::format("edagen compare: {}", fmt::join(parts, ", "));
}

}  // namespace

std::string html_page(const Document& blocks, const std::string& title) {
  std::string page(embedded_file("src/report/page.html"));
  replace_once(page, "/*PAGE_SCRIPT*/", embedded_file("src/report/report.js"));
  replace_once(page, "/*CHART_JS*/", embedded_file("chart.js/chart.min.js"));
  replace_once(page, "/*BLOCKS*/", safe_in_script(dumped(blocks)));
  replace_once(page, "<title>edagen</title>", "<title>" + safe_in_element(title) + "</title>");  // it may hold marks
  return page;
}

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons) {
  std::vector<Result> safe_results;
  for (const Result& result : results) safe_results.push_back(inert(result));
  std::vector<ComparisonResult> safe_comparisons;
  for (const ComparisonResult& comparison : comparisons) safe_comparisons.push_back(inert(comparison));
  const std::size_t documents = results.size() + comparisons.size();
  const std::string first = !results.empty()       ? title_of(results.front())
                            : !comparisons.empty() ? title_of(comparisons.front())
                                                   : "edagen";
  return html_page(page_blocks(safe_results, safe_comparisons),
                   first + (documents > 1 ? fmt::format(", and {}", counted(documents - 1, "other result")) : ""));
}

}  // namespace edagen
