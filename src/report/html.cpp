#include "report/html.hpp"

#include "base/embedded.hpp"
#include "result/result_json.hpp"

namespace edagen {
namespace {

void replace_once(std::string& text, std::string_view mark, std::string_view with) {
  if (const auto at = text.find(mark); at != std::string::npos) text.replace(at, mark.size(), with);
}

/// JSON inside a script element must not hold "</" (HTML, 4.12.1.3); JSON may escape the slash.
std::string safe_in_script(std::string json) {
  for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) json.replace(at, 2, "<\\/");
  return json;
}

}  // namespace

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons) {
  Document documents = Document::array();
  for (const Result& result : results) documents.push_back(to_json(result));
  for (const ComparisonResult& comparison : comparisons) documents.push_back(to_json(comparison));
  std::string page(embedded_file("src/report/report.html"));
  replace_once(page, "/*CHART_JS*/", embedded_file("chart.js/chart.min.js"));
  replace_once(page, "/*RESULTS*/", safe_in_script(dumped(documents)));
  return page;
}

}  // namespace edagen
