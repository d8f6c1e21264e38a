#include "result/inert.hpp"

#include "edagen/error.hpp"

namespace edagen {
namespace {

std::string inert_text(const std::string& text) { return one_line(text, std::string::npos); }

}  // namespace

Document inert(const Document& document) {
  if (document.is_string()) return inert_text(document.get_ref<const std::string&>());
  Document safe = document;
  if (document.is_array())
    for (Document& element : safe) element = inert(element);
  if (document.is_object()) {
    safe = Document::object();
    for (const auto& [name, element] : document.items()) safe[inert_text(name)] = inert(element);
  }
  return safe;
}

Result inert(const Result& result) { return result_from_json(inert(to_json(result))); }
ComparisonResult inert(const ComparisonResult& comparison) { return comparison_from_json(inert(to_json(comparison))); }

}  // namespace edagen
