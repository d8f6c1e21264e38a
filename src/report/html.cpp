#include "report/html.hpp"

#include "base/embedded.hpp"
#include "report/comparison_text.hpp"
#include "report/terminal.hpp"
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

/// What a terminal says first: the answer, and why it is invalid.
std::string first_paragraph(const std::string& text) { return text.substr(0, text.find("\n\n")); }

Document with_answer(Document document, const std::string& text) {
  return {{"answer", first_paragraph(text)}, {"document", std::move(document)}};
}

}  // namespace

std::string html_page(std::string_view script, const Document& data) {
  std::string page(embedded_file("src/report/page.html"));
  replace_once(page, "/*PAGE_SCRIPT*/", embedded_file(script));
  replace_once(page, "/*CHART_JS*/", embedded_file("chart.js/chart.min.js"));
  replace_once(page, "/*RESULTS*/", safe_in_script(dumped(data)));
  return page;
}

std::string html_text(const std::vector<Result>& results, const std::vector<ComparisonResult>& comparisons) {
  Document documents = Document::array();
  for (const Result& result : results)
    documents.push_back(with_answer(inert(to_json(result)), result_text(inert(result))));
  for (const ComparisonResult& comparison : comparisons)
    documents.push_back(with_answer(inert(to_json(comparison)), comparison_text(inert(comparison))));
  return html_page("src/report/report.js", documents);
}

}  // namespace edagen
