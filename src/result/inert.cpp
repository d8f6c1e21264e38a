#include "result/inert.hpp"

#include <set>

#include "edagen/error.hpp"
#include "result/json_fields.hpp"

namespace edagen {
namespace {

std::string inert_text(const std::string& text) { return one_line(text, std::string::npos); }

}  // namespace

Document inert(const Document& document) {
  if (document.is_string()) return inert_text(document.get_ref<const std::string&>());
  if (document.is_array()) {
    Document safe = Document::array();
    for (const Document& element : document) safe.push_back(inert(element));
    return safe;
  }
  if (document.is_object()) {
    Document safe = Document::object();
    std::set<std::string> names;  // two may be one when they are escaped: then the first counts
    for (const auto& [name, element] : document.items())
      if (const auto [safe_name, is_new] = names.insert(inert_text(name)); is_new)
        add_member(safe, *safe_name, inert(element));
    return safe;
  }
  return document;
}

Result inert(const Result& result) { return result_from_json(inert(to_json(result))); }
ComparisonResult inert(const ComparisonResult& comparison) { return comparison_from_json(inert(to_json(comparison))); }

}  // namespace edagen
